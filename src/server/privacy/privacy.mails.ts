import { ACCOUNT_DELETED_MAIL } from "#shared/schemas/mails.ts";
import type { MailContent } from "../mail/blocks.ts";
import type { Mail } from "../mail/mail.service.ts";

/** The last mail to somebody who deleted their account; it does not name them, for they wanted to be forgotten. */
export function accountDeletedMail({ to, contactUrl }: { to: string; contactUrl: string }): Mail {
  const subject = "Your Print Store account is deleted";
  const content: MailContent = {
    title: subject,
    blocks: [
      {
        kind: "paragraph",
        text: "As you asked, we have deleted your account, your files, your saved addresses and your messages. Your orders stay in the shops' books without anything that names you.",
      },
      {
        kind: "paragraph",
        text: "Thank you for printing with us. You are welcome to sign up again with this address at any time.",
      },
      { kind: "button", label: "It was not you? Write to us", url: contactUrl },
    ],
    footer: "This is the last mail about this account. We forget your address within a day or two.",
  };
  return { kind: ACCOUNT_DELETED_MAIL, to, subject, content };
}
