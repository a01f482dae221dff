import type { SendMailOptions } from "nodemailer";
import parseAddresses from "nodemailer/lib/addressparser";
import type { OutgoingMail } from "./mail.transport.ts";

/**
 * The message of an outbox mail, the same on every try: a repeat after a crash has the same Message-ID and date,
 * by which mail servers and people recognise it.
 */
export function toMessage(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    messageId: `<${mail.id}@${senderDomain(from)}>`,
    date: new Date(mail.createdAt),
    from,
    to: { name: "", address: mail.to },
    replyTo: mail.replyTo ? { name: "", address: mail.replyTo } : undefined,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function senderDomain(from: string): string {
  const [sender] = parseAddresses(from, { flatten: true });
  return sender?.address?.split("@").at(-1) || "print-store.invalid";
}
