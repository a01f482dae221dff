import type { Trx } from "#db/transaction.ts";
import { counted } from "#shared/counted.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import { formatPaise } from "#shared/money.ts";
import { isStepBack, type OrderState, READY_MAIL_WAIT_MS } from "#shared/order-states.ts";
import { wantsMail } from "../../accounts/profile.service.ts";
import type { Deps } from "../../context.ts";
import type { MailBlock } from "../../mail/blocks.ts";
import { type Mail, queueMail, withdrawMail } from "../../mail/mail.service.ts";
import { BECAUSE_ORDERED, CHOOSE_MAILS, destination, orderButton, paymentBlocks } from "../mail-content.ts";
import {
  findMailedOrder,
  keepMailOfNote,
  type MailedOrder,
  noteStateMail,
  takeNote,
} from "./moves.queries.ts";

/** `orderUrl` is where the student sees the order. */
type ToldOrder = MailedOrder & { orderUrl: string };

const ASK_SHOP = "Answer this mail to reach the shop.";

/** What the student reads when the prints have left the shop. */
function dispatchedMail(order: ToldOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-dispatched",
    title: `Order ${number} is on its way`,
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

/** What the student reads when the prints can be fetched: where, the code that the shop asks for, and how to pay. */
function readyMail(order: ToldOrder): Mail {
  const { number, shop, student, pickupCode } = order;
  return stateMail(order, {
    kind: "order-ready",
    title: `Order ${number} is ready`,
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

/** What the student reads when the shop takes back that the prints can be fetched. */
function notReadyMail(order: ToldOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-not-ready",
    title: `Order ${number} is not ready yet`,
    blocks: [
      paragraph(
        `Hello ${student.fullName}, ${shop.name} has to print your order once more. Please wait with fetching it: you get another mail when it is ready.`,
      ),
      ...job(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** What the student reads when the prints are theirs: also what to do when something is wrong with them. */
function deliveredMail(order: ToldOrder): Mail {
  const { number, shop, student, fulfilment } = order;
  const pickedUp = fulfilment === "pickup";
  const intro = pickedUp ? "you have picked up your order" : "your order is delivered";
  return stateMail(order, {
    kind: "order-delivered",
    title: `Order ${number} is ${pickedUp ? "picked up" : "delivered"}`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} tells us that ${intro}.`),
      ...job(order),
      paragraph(
        `If something is printed wrongly, tell the shop within 3 days on the page of your order, and it is printed again. ${ASK_SHOP}`,
      ),
    ],
  });
}

/** What the student reads when the shop cancels: why, what became of the files, and whom to ask. */
function cancelledMail(order: ToldOrder, reason: string): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-cancelled",
    title: `Order ${number} is cancelled`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} has cancelled your order.`),
      { kind: "facts", title: "Why", facts: [{ label: "The shop writes", value: reason }] },
      paragraph(
        `Nothing will be printed and the files of this order are deleted. If you place the order again, please upload them again. ${ASK_SHOP}`,
      ),
      orderButton(order.orderUrl),
    ],
    footer: BECAUSE_ORDERED,
  });
}

interface Wording {
  kind: string;
  title: string;
  blocks: MailBlock[];
  /** Other than that the mail can be switched off. */
  footer?: string;
}

function stateMail(
  { shop, student }: ToldOrder,
  { kind, title, blocks, footer = `${BECAUSE_ORDERED} ${CHOOSE_MAILS}` }: Wording,
): Mail {
  const content = { title, blocks, footer };
  return { kind, to: student.email, replyTo: shop.email, subject: title, content };
}

function paragraph(text: string): MailBlock {
  return { kind: "paragraph", text };
}

/** What the order is, and where to see all of it. */
function job({ number, shop, pages, copies, totalPaise, orderUrl }: ToldOrder): MailBlock[] {
  const facts = [
    { label: "Order", value: number },
    { label: "Shop", value: shop.name },
    { label: "Print job", value: `${counted(pages, "page")} × ${counted(copies, "copy")}` },
    { label: "Order total", value: formatPaise(totalPaise) },
  ];
  return [{ kind: "facts", title: "Your order", facts }, orderButton(orderUrl)];
}

type MailDeps = Pick<Deps, "config" | "now" | "publicUrl">;

export interface ToldState {
  orderId: string;
  state: OrderState;
  /** Why it was cancelled. */
  reason: string | null;
}

/**
 * Mails the student that the order has reached a state, where that matters to them and they want to know; within the
 * transaction of the move.
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
