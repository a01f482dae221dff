import type { Attachment, SendMailOptions } from "nodemailer";
import parseAddresses from "nodemailer/lib/addressparser";
import { drawQrCode, type MailQrCode } from "./mail.qr-codes.ts";
import type { OutgoingMail } from "./mail.transport.ts";

/**
 * The message of an outbox mail, the same on every try: a repeat after a crash has the same Message-ID and date,
 * by which mail servers and people recognise it.
 */
export async function toMessage(mail: OutgoingMail, from: string): Promise<SendMailOptions> {
  return {
    messageId: `<${mail.id}@${senderDomain(from)}>`,
    date: new Date(mail.createdAt),
    from,
    to: { name: "", address: mail.to },
    replyTo: mail.replyTo ? { name: "", address: mail.replyTo } : undefined,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: await Promise.all(mail.qrCodes.map(toAttachment)),
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function toAttachment(code: MailQrCode, index: number): Promise<Attachment> {
  const filename = `qr-code-${index + 1}.png`;
  return { cid: code.cid, filename, content: await drawQrCode(code), contentDisposition: "inline" };
}

function senderDomain(from: string): string {
  const [sender] = parseAddresses(from, { flatten: true });
  return sender?.address?.split("@").at(-1) || "print-store.invalid";
}
