import { examine, type Finding } from "./findings.ts";
import type { SmtpMood } from "./plan.ts";
import type { PostOffice } from "./post-office.ts";
import type { Remains } from "./remains.ts";

type MailRow = Remains["mails"][number];

/** Of each order: to the student and to the shop when it is placed, and to the student at these states. */
const STATE_MAILS = ["dispatched", "delivered", "cancelled"];

/** Whether every order has its mails, each received, or still queued and whole, or given up for a reason. */
export function checkMails({ orders, events, mails }: Remains, post: PostOffice, mood: SmtpMood): Finding[] {
  const statesOf = Map.groupBy(events, (event) => event.order_id);
  const aboutOrders = mails.filter(({ kind }) => kind.startsWith("order-"));
  const received = new Set(post.mails.map(({ messageId = "" }) => messageId.slice(1).split("@")[0]));
  const count = (test: (mail: MailRow) => unknown) => mails.filter(test).length;
  const sent = count((mail) => mail.sent_at);
  const failed = count((mail) => mail.failed_at);
  return [
    examine("orders: each of their mails once", orders, ({ id, number }) => {
      const states = statesOf.get(id)?.map(({ state }) => state as string) ?? [];
      const told = STATE_MAILS.filter((state) => states.includes(state));
      const expected = ["order-shop", "order-student", ...told.map((state) => `order-${state}`)];
      const actual = aboutOrders.filter(({ subject }) => subject.includes(number)).map(({ kind }) => kind);
      return actual.toSorted().join() === expected.toSorted().join()
        ? null
        : `order ${number} has ${actual.join()}`;
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
  return mail.content ? null : `${name} is queued without its content`;
}
