import type { Trx } from "#db/transaction.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import { isStepBack, type OrderState, READY_MAIL_WAIT_MS } from "#shared/order-states.ts";
import { wantsMail } from "../accounts/accounts.mail-choices.service.ts";
import type { Deps } from "../context.ts";
import { type Mail, queueMail, withdrawMail } from "../mail/mail.service.ts";
import { findMailedOrder, keepMailOfNote, noteStateMail, takeNote } from "./orders.state-mail-queries.ts";
import {
  cancelledMail,
  deliveredMail,
  dispatchedMail,
  notReadyMail,
  readyMail,
  type ToldOrder,
} from "./orders.state-mails.ts";

type MailDeps = Pick<Deps, "config" | "now" | "publicUrl">;

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
  if (!(await noteTelling(trx, deps, telling))) return;
  if (state !== "printed") return void (await queueMail(trx, deps, news.mail));
  const waitMs = Math.min(READY_MAIL_WAIT_MS, deps.config.printGraceMs);
  const mailId = await queueMail(trx, deps, { ...news.mail, waitMs });
  await keepMailOfNote(trx, { orderId, state, mailId });
}

/**
 * Takes back the mail that a printed order is ready, within the transaction that moves it away from there. Where it has left
 * already and the order goes back to printing, the student is mailed that it takes longer, and of the end once more.
 */
export async function takeBackReady(
  trx: Trx,
  deps: MailDeps,
  { orderId, to }: { orderId: string; to: OrderState },
): Promise<void> {
  const mailId = await takeNote(trx, { orderId, state: "printed" });
  if (mailId === null || (await withdrawMail(trx, deps, mailId)) || !isStepBack("printed", to)) return;
  const order = await findMailedOrder(trx, orderId);
  if (order) await queueMail(trx, deps, notReadyMail({ ...order, orderUrl: orderPageUrl(deps, orderId) }));
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
