import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianDay } from "#shared/indian-time.ts";
import {
  awaitsPickup,
  canMove,
  FULFILMENTS,
  isStepBack,
  mayMoveHeld,
  type OrderState,
  STATES_WITHOUT_FILES,
} from "#shared/order-states.ts";
import { hasRight } from "#shared/permissions.ts";
import type { CancelInput, HandOverInput, MoveInput, MoveManyInput } from "#shared/schemas/board.ts";
import { confirmationRequired, hasRecentAuth } from "../../accounts/second-factor.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import type { Context, Deps, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { deleteOrderFiles } from "../../files/files.service.ts";
import { removeEach } from "../../lib/jobs.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { queueMovePush } from "../order-pushes.ts";
import { type OrderRow, updateOrder } from "../orders.queries.ts";
import {
  changeEach,
  countCancelledOrder,
  lockShopOrder,
  type OrderResult,
  requireShopOrder,
} from "../orders.service.ts";
import { lockInvoices } from "../payments/invoices.queries.ts";
import { issueInvoice } from "../payments/invoices.service.ts";
import { findByKey, lockOpenDay } from "../payments/payments.queries.ts";
import { recordPayment } from "../payments/payments.service.ts";
import { offerReprintAgain } from "../reprints/reprints.service.ts";
import { storeNote } from "./board.service.ts";
import { mailState, withdrawReadyMail } from "./moves.mails.ts";
import { endGrace, findDueOrders, findLastMove, moveOrder } from "./moves.queries.ts";

interface Moved {
  orderId: string;
  state: OrderState;
  /** When the files of a printed order are deleted, unless it is moved back before. */
  filesDeleteAt?: string;
}

interface Move extends Pick<MoveInput, "from" | "to"> {
  /** Reason of the cancellation, which the student is told. */
  reason?: string | undefined;
  /** For a hand-over; a pickup code in it has been checked. */
  proof?: HandOverInput["proof"];
}

type MoveRequest = Move & MoveInput;

/**
 * Moves an order to another state. Throws INVALID_INPUT for a move that does not exist, NOT_FOUND for an order of another
 * shop, and CONFLICT, with the name of who was first, if the order is no longer in the state that the caller saw.
 */
export async function moveOrderOn(ctx: Context<StaffMember>, input: MoveInput): Promise<Moved> {
  if (input.to === "cancelled") throw new AppError("INVALID_INPUT", "Cancelling an order needs a reason");
  return makeMove(ctx, input);
}

async function makeMove(ctx: Context<StaffMember>, input: MoveRequest): Promise<Moved> {
  const order = await transact(ctx.db, (trx) => storeMove(trx, ctx, input)).catch((error: unknown) =>
    requireOwnMove(ctx, input, error),
  );
  return toMoved(order);
}

/**
 * Returns the order if the same person has already made this move, with the same reason and payment, and repeats it because the
 * response was lost. Otherwise throws `error`.
 */
async function requireOwnMove(
  ctx: Context<StaffMember>,
  { orderId, to, reason, isAgain, payment }: Omit<MoveRequest, "from">,
  error: unknown,
): Promise<OrderRow> {
  // The error of a refused move says which state the order has; that of a refused payment does not.
  if (!isAgain || !(error instanceof AppError) || error.data?.state !== to) throw error;
  const last = await findLastMove(ctx.db, { orderId, state: to });
  if (last?.byUserId !== ctx.actor.user._id || last.reason !== (reason ?? null)) throw error;
  if (payment && !(await findByKey(ctx.db, { orderId, key: payment.key }))) throw error;
  return requireShopOrder(ctx.db, ctx, orderId);
}

/** Moves several orders, each by itself. */
export async function moveSeveral(
  ctx: Context<StaffMember>,
  { orders, to, isAgain }: MoveManyInput,
): Promise<OrderResult<Moved>[]> {
  return changeEach(orders, (order) => moveOrderOn(ctx, { ...order, to, isAgain }));
}

/**
 * Cancels an order and mails the reason to the student. Throws as a move does, and for one for which money was taken,
 * FORBIDDEN or CONFIRMATION_REQUIRED as a refund does.
 */
export async function cancelOrder(ctx: Context<StaffMember>, input: CancelInput): Promise<Moved> {
  return makeMove(ctx, { ...input, to: "cancelled" });
}

function toMoved({ id: orderId, state, files_delete_at: filesDeleteAt }: OrderRow): Moved {
  return { orderId, state, ...(filesDeleteAt !== null && { filesDeleteAt }) };
}

async function storeMove(trx: Trx, ctx: Context<StaffMember>, input: MoveRequest): Promise<OrderRow> {
  const { orderId, from, to, payment } = input;
  if (!FULFILMENTS.some((fulfilment) => canMove({ fulfilment, state: from }, to))) {
    throw new AppError("INVALID_INPUT", `An order that is ${from} cannot become ${to}`);
  }
  if (to === "delivered") await lockForInvoice(trx, orderId);
  const order = payment
    ? await recordPayment(trx, ctx, { orderId, ...payment })
    : await lockShopOrder(trx, ctx, orderId);
  return moveLocked(trx, ctx, order, input);
}

/**
 * Moves a locked order with all consequences in the transaction. The files of a printed order are kept for a grace period, in
 * which it can be moved back; those of an order that leaves the shop are deleted.
 */
async function moveLocked(
  trx: Trx,
  ctx: Context<StaffMember>,
  before: OrderRow,
  move: Move,
): Promise<OrderRow> {
  const { from, to, reason = null, proof } = move;
  const { id: orderId } = before;
  await requireMovable(trx, ctx, before, move);
  const { _id: by } = ctx.actor.user;
  const at = ctx.now().toISOString();
  const filesDeleteAt = to === "printed" ? graceEnd(ctx) : null;
  const order = await moveOrder(trx, before, { to, filesDeleteAt, at, by, reason });
  const isOver = STATES_WITHOUT_FILES.includes(to) || (to === "printed" && filesDeleteAt === null);
  const deletedFiles = isOver ? await deleteOrderFiles(trx, { orderId, by, at }) : 0;
  if (to === "cancelled") {
    await countCancelledOrder(trx, order);
    await offerReprintAgain(trx, ctx, order);
  }
  if (to === "delivered") await issueInvoice(trx, ctx, order);
  if (from === "printed") await withdrawReadyMail(trx, ctx, order);
  await mailState(trx, ctx, order, reason);
  await queueMovePush(trx, ctx, order, from);
  await recordAudit(trx, ctx, {
    action: to === "cancelled" ? "order.cancel" : "order.move",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
    before: { state: from },
    after: {
      state: to,
      ...(reason !== null && { reason }),
      ...(proof?.by === "note" && { withoutCode: proof.note }),
      ...(deletedFiles > 0 && { deletedFiles }),
      ...(filesDeleteAt !== null && { filesDeleteAt }),
    },
  });
  await recordLiveEvent(trx, ctx, "moved", order);
  return order;
}

/** Locks the order and its shop's invoices, in this order everywhere, before anything that other transactions wait for. */
async function lockForInvoice(trx: Trx, orderId: string): Promise<void> {
  await lockRow(trx, "orders", orderId);
  await lockInvoices(trx, orderId);
}

/** End of the grace period for the files of an order that becomes printed now; null without a grace period. */
function graceEnd({ config, now }: Context): string | null {
  const { printGraceMs } = config;
  return printGraceMs > 0 ? new Date(now().getTime() + printGraceMs).toISOString() : null;
}

/** Throws where a locked order cannot be moved as the caller saw it. */
async function requireMovable(
  trx: Trx,
  ctx: Context<StaffMember>,
  order: OrderRow,
  { from, to, proof }: Move,
): Promise<void> {
  const { id, state, number, fulfilment } = order;
  if (state !== from) {
    const first = await findLastMove(trx, { orderId: id, state });
    const isChanged = state === "placed" && first?.byUserId === order.user_id;
    const message = isChanged
      ? `Order ${number} was changed by its student and has to be printed again`
      : `${first?.by ?? "Somebody"} has already marked order ${number} as ${state}`;
    throw new AppError("CONFLICT", message, {
      data: { state, by: first?.by ?? null, at: first?.at ?? null },
    });
  }
  if (order.held_at !== null && !mayMoveHeld(from, to)) {
    throw new AppError("CONFLICT", `Order ${number} is on hold. Release it first`);
  }
  if (to === "delivered" && awaitsPickup(order) && (!proof || proof.by === "name")) {
    throw new AppError("INVALID_INPUT", `Order ${number} is for pickup: hand it over with its code`);
  }
  // Money that was taken must be given back.
  if (to === "cancelled" && order.paid_paise > 0) {
    if (!hasRight("refund", ctx.actor.user.role)) {
      throw new AppError("FORBIDDEN", `Order ${number} is paid: only an owner of the shop can cancel it`);
    }
    if (!hasRecentAuth(ctx)) throw confirmationRequired();
  }
  if (isStepBack(from, to) && (order.files_delete_at ?? "") <= ctx.now().toISOString()) {
    throw new AppError("GONE", `The files of order ${number} have been deleted: it cannot be printed again`);
  }
  const hasOtherProof = proof?.by === "code" && fulfilment !== "pickup";
  if (hasOtherProof || !canMove({ fulfilment, state }, to)) {
    throw new AppError("INVALID_INPUT", `Order ${number} is for ${fulfilment}: it cannot become ${to} now`);
  }
}

/**
 * Hands over an order at the shop: a pickup by its code or with a note why without one, the order of somebody at the counter by
 * name. One that is still being printed becomes printed in the same transaction. Throws INVALID_INPUT for a wrong code,
 * FORBIDDEN for the last one and from then on, and what a move throws. With `payment`, code and money are one: neither is recorded
 * without the other.
 */
export async function handOver(ctx: Context<StaffMember>, input: HandOverInput): Promise<Moved> {
  const refused = await transact(ctx.db, (trx) => storeHandOver(trx, ctx, input)).catch(
    async (error: unknown) => {
      await requireOwnMove(ctx, { ...input, to: "delivered" }, error);
      return null;
    },
  );
  // Thrown after the commit, because a rollback would restore the try.
  if (refused) throw refused;
  return { orderId: input.orderId, state: "delivered" };
}

async function storeHandOver(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, proof, payment }: HandOverInput,
): Promise<AppError | null> {
  await lockForInvoice(trx, orderId);
  let order = await requireShopOrder(trx, ctx, orderId);
  if (proof.by === "code") {
    const refused = await checkCode(trx, ctx, order, proof.code);
    if (refused) return refused;
  }
  if (payment) await lockOpenDay(trx, order.shop_id, indianDay(ctx.now()));
  if (order.state === "printing" && order.fulfilment !== "delivery") {
    order = await moveLocked(trx, ctx, order, { from: "printing", to: "printed" });
  }
  if (payment) order = await recordPayment(trx, ctx, { orderId, ...payment });
  order = await moveLocked(trx, ctx, order, { from: "printed", to: "delivered", proof });
  if (proof.by === "note")
    await storeNote(trx, ctx, order, { body: `Handed over without the code: ${proof.note}` });
  return null;
}

/** The error for a refused code, or null. A wrong code costs a try. */
async function checkCode(
  trx: Trx,
  ctx: Context<StaffMember>,
  order: OrderRow,
  code: string,
): Promise<AppError | null> {
  if (order.fulfilment !== "pickup" || (order.state !== "printing" && order.state !== "printed")) return null;
  if (order.pickup_tries_left === 0) {
    return new AppError(
      "FORBIDDEN",
      "Too many wrong codes. Hand the order over without the code, and say why in a note",
    );
  }
  if (order.pickup_code === code) return null;
  const triesLeft = order.pickup_tries_left - 1;
  await updateOrder(trx, order, { pickup_tries_left: triesLeft });
  await recordAudit(trx, ctx, {
    action: "order.wrongCode",
    subject: { id: order.id, name: order.number },
    shopId: order.shop_id,
    after: { triesLeft },
  });
  return new AppError(
    triesLeft === 0 ? "FORBIDDEN" : "INVALID_INPUT",
    `This is not the code of order ${order.number}. ${triesText(triesLeft)}`,
  );
}

function triesText(triesLeft: number): string {
  if (triesLeft === 0)
    return "No more tries are left: hand the order over without the code, and say why in a note";
  return triesLeft === 1 ? "One try is left" : `${triesLeft} tries are left`;
}

type JobDeps = Pick<Deps, "db" | "readDb" | "now" | "log">;

/** Deletes the files of printed orders once their grace period is over. Throws as `removeEach` does. */
export async function deletePrintedFiles(deps: JobDeps): Promise<void> {
  const due = await findDueOrders(deps.readDb, deps.now().toISOString());
  await removeEach(due, (orderId) => transact(deps.db, (trx) => deleteFilesOf(trx, deps, orderId)));
}

async function deleteFilesOf(trx: Trx, deps: JobDeps, orderId: string): Promise<void> {
  const at = deps.now().toISOString();
  const order = await endGrace(trx, { orderId, at });
  if (!order) return;
  await deleteOrderFiles(trx, { orderId, by: null, at });
  await recordLiveEvent(trx, deps, "files", order);
}
