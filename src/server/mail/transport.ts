import type { StoredMail } from "./mail.queries.ts";
import type { MailParts } from "./rendering.ts";

export type OutgoingMail = Pick<StoredMail, "id" | "to" | "replyTo" | "subject" | "createdAt"> & MailParts;

/** A way out for mails. */
export interface MailTransport {
  /** False where mails stay in the store and are read there. */
  readonly delivers: boolean;
  /**
   * Settles once somebody else has taken the mail over. Throws MailRefused when a repeat would be refused again;
   * after any other error, and when `signal` cuts it short, the mail may be tried again.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The receiving side will never take this mail. */
export class MailRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "MailRefused";
  }
}
