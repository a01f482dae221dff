import type { Attachment, NodemailerError, SendMailOptions } from "nodemailer";
import parseAddresses from "nodemailer/lib/addressparser";
import { drawQrCode, LOGO, type MailQrCode, type OutgoingMail } from "./rendering.ts";

export interface MailTransport {
  /**
   * Resolves when the receiving server has accepted the mail. Throws MailRefused when a retry would be refused again;
   * after any other error, or when `signal` aborts it, the mail may be tried again.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** The receiving server will never accept this mail. */
export class MailRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "MailRefused";
  }
}

/** How long the mail server may be silent, in ms; the worker limits the whole send as well. */
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

interface SmtpSettings {
  /** For example `smtp://user:password@host:587`. */
  url: string;
  from: string;
  maxConnections: number;
  timeouts?: Partial<typeof TIMEOUTS>;
}

/**
 * Sends by SMTP over a few connections, which stay open for a short while. Loads nodemailer with the first mail, to keep the
 * start of the server quick.
 */
export function createSmtpTransport(settings: SmtpSettings): MailTransport {
  let pool: ReturnType<typeof openPool> | undefined;
  return {
    async send(mail, signal) {
      pool ??= openPool(settings).catch((error: unknown) => {
        pool = undefined;
        throw error;
      });
      const [smtp, message] = await Promise.all([pool, toMessage(mail, settings.from)]);
      try {
        await smtp.sendMail({ ...message, signal });
      } catch (error) {
        throw isFinal(error) ? new MailRefused(error.message, error) : error;
      }
    },
  };
}

async function openPool({ url, maxConnections, timeouts }: SmtpSettings) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    pool: true,
    maxConnections,
    // The outbox retries a mail whose connection broke; the pool would do so without the outbox knowing.
    maxRequeues: 0,
    idleTimeout: 10_000,
    ...TIMEOUTS,
    ...timeouts,
  });
}

/**
 * Whether the server has refused this mail or its recipient for good. A refused login or sender is a matter of
 * settings, which may be corrected before the next try.
 */
function isFinal(error: unknown): error is NodemailerError {
  const { permanent, command } = error as NodemailerError;
  return permanent === true && (command === "RCPT TO" || command === "DATA");
}

/**
 * The message for nodemailer. Every try has the same Message-ID and date, by which mail servers and people recognise a
 * duplicate.
 */
async function toMessage(mail: OutgoingMail, from: string): Promise<SendMailOptions> {
  return {
    messageId: `<${mail.id}@${senderDomain(from)}>`,
    date: new Date(mail.createdAt),
    from,
    to: { name: "", address: mail.to },
    replyTo: mail.replyTo ? { name: "", address: mail.replyTo } : undefined,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: [LOGO_ATTACHMENT, ...(await Promise.all(mail.qrCodes.map(toAttachment)))],
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const LOGO_ATTACHMENT: Attachment = {
  cid: LOGO.cid,
  filename: "logo.png",
  content: LOGO.png,
  contentDisposition: "inline",
};

async function toAttachment(code: MailQrCode, index: number): Promise<Attachment> {
  const filename = `qr-code-${index + 1}.png`;
  return { cid: code.cid, filename, content: await drawQrCode(code), contentDisposition: "inline" };
}

function senderDomain(from: string): string {
  const [sender] = parseAddresses(from, { flatten: true });
  return sender?.address?.split("@").at(-1) || "print-store.invalid";
}
