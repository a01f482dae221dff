import type { Trx } from "#db/transaction.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import type { OrderState } from "#shared/order-states.ts";
import { wantsMail } from "../accounts/accounts.mail-choices.service.ts";
import type { Deps } from "../context.ts";
import { type Mail, queueMail } from "../mail/mail.service.ts";
import { findMailedOrder, noteStateMail } from "./orders.state-mail-queries.ts";
import {
  cancelledMail,
  deliveredMail,
  dispatchedMail,
  readyMail,
  type ToldOrder,
} from "./orders.state-mails.ts";

type MailDeps = Pick<Deps, "now" | "publicUrl">;

export interface ToldState {
  orderId: string;
  state: OrderState;
  /** Why it was cancelled. */
  reason: string | null;
}

/**
 * Mails the student that the order has reached a state, where that matters to them and they want to know; within the
 * transaction of the move. The caller calls `wakeMail` after the commit.
 */
export async function tellStudent(trx: Trx, deps: MailDeps, told: ToldState): Promise<void> {
  const { orderId, state, reason } = told;
  const order = await findMailedOrder(trx, orderId);
  const news = order && newsOf({ ...order, orderUrl: orderPageUrl(deps, orderId) }, state, reason ?? "");
  if (!news) return;
  const telling = { orderId, state, userId: order.student.id, choice: news.choice };
  if (await noteTelling(trx, deps, telling)) await queueMail(trx, deps, news.mail);
}

/** A mail that a student may do without has the choice that it falls under. */
interface News {
  choice: MailChoice | null;
  mail: Mail;
}

/** Null where a state is of no interest by mail: what is printed and delivered is mailed when it leaves. */
function newsOf(order: ToldOrder, state: OrderState, reason: string): News | null {
  switch (state) {
    case "printed":
      return order.fulfilment === "pickup" ? { choice: "dispatched", mail: readyMail(order) } : null;
    case "dispatched":
      return { choice: "dispatched", mail: dispatchedMail(order) };
    case "delivered":
      return { choice: "delivered", mail: deliveredMail(order) };
    case "cancelled":
      return { choice: null, mail: cancelledMail(order, reason) };
    default:
      return null;
  }
}

/** A student who may be told of a state of an order, by a mail that falls under a choice or cannot be refused. */
export interface Telling {
  orderId: string;
  state: OrderState;
  userId: string;
  choice: MailChoice | null;
}

/** Notes that the student is told of this state. False where they were told before, or have refused such mails. */
export async function noteTelling(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  { orderId, state, userId, choice }: Telling,
): Promise<boolean> {
  if (choice && !(await wantsMail(trx, userId, choice))) return false;
  return noteStateMail(trx, { orderId, state, at: now().toISOString() });
}

/** Where the student who placed the order sees it. */
export function orderPageUrl({ publicUrl }: Pick<Deps, "publicUrl">, orderId: string): string {
  return `${publicUrl()}/orders/${orderId}`;
}
