import type Sqlite from "better-sqlite3";
import { examine, type Finding } from "./findings.ts";
import type { SmtpMood } from "./plan.ts";
import type { PostOffice } from "./post-office.ts";

interface MailRow {
  id: string;
  kind: string;
  text_body: string;
  secret: 0 | 1;
  sent_at: string | null;
  failed_at: string | null;
  last_error: string | null;
}

interface OrderRow {
  number: string;
  states: string;
}

const ORDERS = `
  select number, (select group_concat(state, ' ') from order_events e where e.order_id = o.id) as states
  from orders o`;
/** Of each order: to the student and to the shop when it is placed, and to the student at these states. */
const STATE_MAILS = ["dispatched", "delivered", "cancelled"];

/** Whether every order has its mails, each received, or still queued and whole, or given up for a reason. */
export function checkMails(database: Sqlite.Database, post: PostOffice, mood: SmtpMood): Finding[] {
  const orders = database.prepare(ORDERS).all() as OrderRow[];
  const mails = database.prepare("select * from outbox").all() as MailRow[];
  const mailsOf = database
    .prepare("select kind from outbox where kind like 'order-%' and instr(subject, ?) > 0 order by kind")
    .pluck();
  const received = new Set(post.mails.map(({ messageId = "" }) => messageId.slice(1).split("@")[0]));
  const count = (test: (mail: MailRow) => unknown) => mails.filter(test).length;
  const sent = count((mail) => mail.sent_at);
  const failed = count((mail) => mail.failed_at);
  return [
    examine("orders: each of their mails once", orders, ({ number, states }) => {
      const told = STATE_MAILS.filter((state) => states.split(" ").includes(state));
      const expected = ["order-shop", "order-student", ...told.map((state) => `order-${state}`)].toSorted();
      const actual = mailsOf.all(number) as string[];
      return actual.join() === expected.join() ? null : `order ${number} has ${actual.join()}`;
    }),
    examine(
      `mails: ${sent} sent and received, ${failed} given up, ${mails.length - sent - failed} queued`,
      mails,
      (mail) => faultOfMail(mail, received.has(mail.id), mood),
    ),
  ];
}

function faultOfMail(mail: MailRow, isReceived: boolean, mood: SmtpMood): string | null {
  const name = `mail ${mail.id} (${mail.kind})`;
  if (mail.sent_at) return isReceived ? null : `${name} counts as sent and was not received`;
  if (mail.failed_at)
    return mood === "5xx" && mail.last_error ? null : `${name} was given up: ${mail.last_error}`;
  return mail.text_body ? null : `${name} is queued without its text`;
}
