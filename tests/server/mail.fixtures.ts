import pino, { type Logger } from "pino";
import { onTestFinished } from "vitest";
import type { DatabaseOptions, Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import type { Job } from "#server/lib/jobs.ts";
import { type Mail, queueMail } from "#server/mail/mail.service.ts";
import { MAIL_CONCURRENCY, startMailWorker } from "#server/mail/mail.worker.ts";
import { createSmtpTransport, type MailTransport } from "#server/mail/transport.ts";
import { mailSaying } from "../factories/mails.ts";
import { type InboxRules, SmtpInbox } from "../setup/smtp-inbox.ts";
import { tempDatabaseUrl } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";

export const FROM = "Print Store <shop@print-store.example>";

export interface PostOffice {
  db: Db;
  databaseUrl: string;
  clock: TestClock;
  /** Puts a mail into the outbox and returns its id. */
  queue(mail?: Partial<Mail>): Promise<string>;
  row(id: string): ReturnType<typeof outboxRow>;
  /** Starts a worker that ends with the test. */
  work(
    transport: MailTransport | null,
    options?: Parameters<typeof startMailWorker>[1] & { log?: Logger },
  ): Job;
}

/** An outbox with its own database file. */
export async function openPostOffice(options?: DatabaseOptions): Promise<PostOffice> {
  const databaseUrl = await tempDatabaseUrl();
  const database = await openDatabase(databaseUrl, options);
  onTestFinished(() => database.close());
  const { db } = database;
  await migrate(db);
  const clock = new TestClock();
  return {
    db,
    databaseUrl,
    clock,
    queue: (mail = {}) => transact(db, (trx) => queueMail(trx, clock, { ...PLAIN_MAIL, ...mail })),
    row: (id) => outboxRow(db, id),
    work(transport, { log = pino({ level: "silent" }), ...options } = {}) {
      const worker = startMailWorker({ db, log, now: clock.now, transport }, options);
      onTestFinished(() => worker.stop());
      return worker;
    },
  };
}

const PLAIN_MAIL: Mail = {
  kind: "contact",
  to: "asha@college.example",
  subject: "Total ₹145.00",
  content: mailSaying("You pay ₹145.00."),
};

/** Both parts as a mail program reads them: in a message each has one more line break at its end. */
export function arrived({ text, html }: { text: string; html: string }) {
  return { text: `${text}\n`, html: `${html}\n` };
}

function outboxRow(db: Db, id: string) {
  return db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** An SMTP server that ends with the test. */
export async function openInbox(rules?: InboxRules): Promise<SmtpInbox> {
  const inbox = await SmtpInbox.start(rules);
  onTestFinished(() => inbox.close());
  return inbox;
}

export function smtpTo(url: string, timeouts?: { socketTimeout: number }): MailTransport {
  return createSmtpTransport({ url, from: FROM, maxConnections: MAIL_CONCURRENCY, timeouts });
}
