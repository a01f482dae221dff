import type { ContactInput } from "#shared/schemas/contact.ts";
import type { MailContent } from "../mail/blocks.ts";
import type { Mail } from "../mail/mail.service.ts";

/** A visitor's message to the store; answering the mail answers the visitor. */
export function contactMail(to: string, { fullName, email, subject, message }: ContactInput): Mail {
  const title = subject ? `Contact: ${subject}` : `Contact from ${fullName}`;
  const content: MailContent = {
    title,
    blocks: [
      {
        kind: "facts",
        title: "From",
        facts: [
          { label: "Name", value: fullName },
          { label: "Email", value: email },
        ],
      },
      { kind: "paragraph", text: message },
    ],
    footer: "Somebody wrote this in the contact form of Print Store. Answer this mail to answer them.",
  };
  return { kind: "contact", to, replyTo: email, subject: title, content };
}
