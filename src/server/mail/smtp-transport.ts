import { createTransport, type NodemailerError } from "nodemailer";
import { toMessage } from "./rendering.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

/** How long the server may be silent, in ms; the worker bounds the whole send besides. */
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

interface SmtpSettings {
  /** Such as `smtp://user:password@host:587`. */
  url: string;
  from: string;
  maxConnections: number;
  timeouts?: typeof TIMEOUTS;
}

/** Sends by SMTP over a few connections that are kept while there is mail to send. */
export function createSmtpTransport({
  url,
  from,
  maxConnections,
  timeouts = TIMEOUTS,
}: SmtpSettings): MailTransport {
  const smtp = createTransport({
    url,
    pool: true,
    maxConnections,
    // The outbox repeats a mail whose connection broke; the pool would do it unseen.
    maxRequeues: 0,
    idleTimeout: 10_000,
    ...timeouts,
  });
  return {
    delivers: true,
    async send(mail, signal) {
      try {
        await smtp.sendMail({ ...(await toMessage(mail, from)), signal });
      } catch (error) {
        throw isFinal(error) ? new MailRefused(error.message, error) : error;
      }
    },
    close: () => smtp.close(),
  };
}

/**
 * The server took us but not this mail or its recipient, for good. A refusal of the login or of the sender is
 * a matter of settings, which may be put right before the next try.
 */
function isFinal(error: unknown): error is NodemailerError {
  const { permanent, command } = error as NodemailerError;
  return permanent === true && (command === "RCPT TO" || command === "DATA");
}
