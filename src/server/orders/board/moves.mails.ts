import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { counted } from "#shared/format.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import { formatPaise } from "#shared/money.ts";
import { isStepBack, READY_MAIL_WAIT_MS } from "#shared/order-states.ts";
import { wantsMail } from "../../accounts/profile.service.ts";
import type { Deps } from "../../context.ts";
import { type MailBlock, paragraph } from "../../mail/blocks.ts";
import { type Mail, queueMail, withdrawMail } from "../../mail/mail.service.ts";
import {
  ASK_SHOP,
  cancelledBlocks,
  destination,
  type MailedOrder,
  mailedOrder,
  OPTIONAL_MAIL_FOOTER,
  type OrderMail,
  orderButton,
  paymentBlocks,
  refundText,
  studentMail,
} from "../mail-content.ts";
import type { OrderRow } from "../orders.queries.ts";
import { deleteStateMail, findStateMail, insertStateMail, linkStateMail } from "./moves.queries.ts";

/** Mail to the student when the order has left the shop. */
function dispatchedMail(order: MailedOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-dispatched",
    subject: `Order ${number} is on its way`,
    blocks: [
      paragraph(
        `Hello ${student.fullName}, ${shop.name} has printed your order and sent it on its way to you.`,
      ),
      ...job(order),
      ...destination(order),
      ...paymentBlocks(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** Mail to the student when the order is ready for pickup: where, the pickup code, and how to pay. */
function readyMail(order: MailedOrder): Mail {
  const { number, shop, student, pickupCode } = order;
  return stateMail(order, {
    kind: "order-ready",
    subject: `Order ${number} is ready`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} has printed your order. You can pick it up now.`),
      paragraph("The shop asks for your pickup code:"),
      { kind: "code", code: pickupCode ?? "" },
      ...job(order),
      ...destination(order),
      ...paymentBlocks(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** Mail to the student when the shop moves a ready order back. */
export function notReadyMail(order: MailedOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-not-ready",
    subject: `Order ${number} is not ready yet`,
    blocks: [
      paragraph(
        `Hello ${student.fullName}, ${shop.name} has to print your order again. Please do not come yet: we will email you when it is ready.`,
      ),
      ...job(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** Mail to the student after delivery, also with what to do if something is wrong with the prints. */
function deliveredMail(order: MailedOrder): Mail {
  const { number, shop, student, fulfilment } = order;
  const pickedUp = fulfilment === "pickup";
  const intro = pickedUp ? "you have picked up your order" : "your order is delivered";
  return stateMail(order, {
    kind: "order-delivered",
    subject: `Order ${number} is ${pickedUp ? "picked up" : "delivered"}`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} tells us that ${intro}.`),
      ...job(order),
      paragraph(
        `If something was printed wrong, report it within 3 days on your order's page to get a reprint. ${ASK_SHOP}`,
      ),
    ],
  });
}

/** Mail to the student after a cancellation: the reason, what happened to the files, and whom to ask. */
function cancelledMail(order: MailedOrder, reason: string): Mail {
  const { number, shop, student, original } = order;
  const again = original ? "" : " If you place the order again, please upload them again.";
  return studentMail(order, {
    kind: "order-cancelled",
    subject: `Order ${number} is cancelled`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} has cancelled your order.${refundText(order)}`),
      { kind: "facts", title: "Why", facts: [{ label: "The shop writes", value: reason }] },
      paragraph(`The files of this order are deleted.${again} ${ASK_SHOP}`),
      ...cancelledBlocks(order),
    ],
  });
}

/** A mail that can be switched off. */
function stateMail(order: MailedOrder, mail: OrderMail): Mail {
  return studentMail(order, { ...mail, footer: OPTIONAL_MAIL_FOOTER });
}

/** A summary of the order, and a button to its page. */
function job({ number, shop, pages, copies, totalPaise, orderUrl }: MailedOrder): MailBlock[] {
  const facts = [
    { label: "Order", value: number },
    { label: "Shop", value: shop.name },
    { label: "Print job", value: `${counted(pages, "page")} × ${counted(copies, "copy")}` },
    { label: "Order total", value: formatPaise(totalPaise) },
  ];
  return [{ kind: "facts", title: "Your order", facts }, orderButton(orderUrl)];
}

type MailDeps = Pick<Deps, "config" | "now" | "publicUrl">;

/**
 * Queues the mail about the order's new state, unless that state has no mail or the student switched it off. Runs in the
 * transaction of the move; `reason` is why the order was cancelled.
 */
export async function mailState(
  trx: Trx,
  deps: MailDeps,
  order: OrderRow,
  reason: string | null,
): Promise<void> {
  const stateMail = stateMailOf(mailedOrder(deps, order), reason ?? "");
  if (!stateMail || order.fulfilment === "counter") return;
  const { mail, choice } = stateMail;
  if (!(await claimStateMail(trx, deps, order, choice))) return;
  if (order.state !== "printed") return void (await queueMail(trx, deps, mail));
  const mailId = await queueMail(trx, deps, { ...mail, waitMs: readyWaitMs(deps) });
  await linkStateMail(trx, order, mailId);
}

/** How long the messages that an order is ready wait: until then staff can undo the print without anybody noticing. */
export function readyWaitMs({ config }: Pick<Deps, "config">): number {
  return Math.min(READY_MAIL_WAIT_MS, config.printGraceMs);
}

/**
 * Withdraws the mail that a printed order is ready, in the transaction of its hold or of the move to another state. If it was
 * sent already and the order moves back, the student gets a mail that it is not ready.
 */
export async function withdrawReadyMail(trx: Trx, deps: MailDeps, order: OrderRow): Promise<void> {
  const mailId = await deleteStateMail(trx, { id: order.id, state: "printed" });
  if (mailId === null || (await withdrawMail(trx, deps, mailId)) || !isStepBack("printed", order.state))
    return;
  await queueMail(trx, deps, notReadyMail(mailedOrder(deps, order)));
}

/** Writes the mail that a printed order is ready anew while it waits to be sent: what is left to pay is another amount now. */
export async function renewReadyMail(trx: Trx, deps: MailDeps, order: OrderRow): Promise<void> {
  const mailId = await findStateMail(trx, order);
  if (mailId === null || !(await withdrawMail(trx, deps, mailId))) return;
  await deleteStateMail(trx, order);
  await mailState(trx, deps, order, null);
}

interface StateMail {
  /** The setting that switches these mails off; null if they cannot be switched off. */
  choice: MailChoice | null;
  mail: Mail;
}

/** Null for a state that has no mail. */
export function stateMailOf(order: MailedOrder, reason: string): StateMail | null {
  switch (order.state) {
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

/** Records the mail about the order's state. False if it was recorded before, or the student switched off these mails. */
export async function claimStateMail(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  { id, state, user_id }: Pick<OrderTable, "id" | "state" | "user_id">,
  choice: MailChoice | null,
): Promise<boolean> {
  if (choice && !(await wantsMail(trx, user_id, choice))) return false;
  return insertStateMail(trx, { id, state, at: now().toISOString() });
}
