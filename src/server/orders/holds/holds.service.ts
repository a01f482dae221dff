import { type Trx, transact } from "#db/transaction.ts";
import { HOLD_MS, HOLDABLE_STATES } from "#shared/holds.ts";
import { awaitsPickup } from "#shared/order-states.ts";
import type { HoldAnswerInput, HoldInput, HoldSeveralInput, OpenHoldInput } from "#shared/schemas/holds.ts";
import { requireAccount } from "../../accounts/profile.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { queueMail } from "../../mail/mail.service.ts";
import { mailState, withdrawReadyMail } from "../board/moves.mails.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { mailedOrder, queueShopMail } from "../mail-content.ts";
import { queueMovePush, queueOrderPush } from "../order-pushes.ts";
import { type OrderRow, updateOrder } from "../orders.queries.ts";
import { changeEach, lockOwnOrder, lockShopOrder, type OrderResult } from "../orders.service.ts";
import { promiseAgain } from "../placement/promise.service.ts";
import { heldMail, holdReplyMail } from "./holds.mails.ts";
import { answerHold, endHold, findOpenHold, type HoldRecord, insertHold } from "./holds.queries.ts";

/**
 * Puts an open order on hold and mails its student the reason. An answered hold is asked again; the same press twice counts
 * once. Throws NOT_FOUND for an order of another shop, CONFLICT if it has left the shop or somebody was first, and as
 * `countHold` does.
 */
export async function holdOrder(ctx: Context<StaffMember>, input: HoldInput): Promise<void> {
  await transact(ctx.db, (trx) => storeHold(trx, ctx, input));
}

/** Puts several orders on hold, each by itself. */
export async function holdSeveral(
  ctx: Context<StaffMember>,
  { orderIds, reason }: HoldSeveralInput,
): Promise<OrderResult<{ orderId: string }>[]> {
  const orders = orderIds.map((orderId) => ({ orderId }));
  return changeEach(orders, async (order) => {
    await holdOrder(ctx, { ...order, reason });
    return order;
  });
}

/**
 * Counts an order that the caller puts on hold or changes, because its student gets a mail about it. Throws RATE_LIMITED, which
 * leaves the order as it is.
 */
export async function countHold(
  trx: Trx,
  { limits, actor }: Pick<Context<StaffMember>, "limits" | "actor">,
  order: OrderRow,
): Promise<void> {
  await limits.take(trx, ["holdStudent", order.user_id, order.shop_id]);
  await limits.take(trx, ["holdStaff", actor.user._id]);
}

async function storeHold(trx: Trx, ctx: Context<StaffMember>, { orderId, reason }: HoldInput): Promise<void> {
  const { user } = ctx.actor;
  const at = ctx.now();
  const order = await lockShopOrder(trx, ctx, orderId);
  if (!HOLDABLE_STATES.includes(order.state)) {
    throw new AppError("CONFLICT", `Order ${order.number} is ${order.state}: it cannot be put on hold`);
  }
  const open = await findOpenHold(trx, orderId);
  if (open && open.answeredAt === null) {
    if (open.reason === reason && open.by === user.fullName) return;
    throw new AppError("CONFLICT", `${open.by} has already put order ${order.number} on hold`, {
      data: { reason: open.reason, by: open.by, at: open.at },
    });
  }
  await countHold(trx, ctx, order);
  const createdAt = at.toISOString();
  if (open) await endHold(trx, { orderId, how: "asked again", at: createdAt });
  await insertHold(trx, {
    id: uuidv7(),
    order_id: orderId,
    reason,
    by_user_id: user._id,
    created_at: createdAt,
    answer: "",
    answered_at: null,
    resolved_at: null,
    how: null,
  });
  // The files of a printed order stay for the hold, but not for ever.
  const filesDeleteAt = order.files_delete_at && new Date(at.getTime() + HOLD_MS).toISOString();
  await updateOrder(trx, order, { held_at: createdAt, files_delete_at: filesDeleteAt });
  await withdrawReadyMail(trx, ctx, order);
  if (order.fulfilment !== "counter") {
    await queueMail(trx, ctx, heldMail(mailedOrder(ctx, order), reason));
    await queueOrderPush(trx, ctx, order, "held");
  }
  await recordAudit(trx, ctx, {
    action: "order.hold",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
    after: { reason },
  });
  await recordLiveEvent(trx, ctx, "held", order);
}

/**
 * Releases an order, so that it goes on. Throws NOT_FOUND for an order of another shop, and CONFLICT if the hold that the
 * caller saw has ended.
 */
export async function releaseOrder(ctx: Context<StaffMember>, input: OpenHoldInput): Promise<void> {
  await transact(ctx.db, (trx) => storeRelease(trx, ctx, input));
}

async function storeRelease(trx: Trx, ctx: Context<StaffMember>, input: OpenHoldInput): Promise<void> {
  const { orderId } = input;
  const held = await lockShopOrder(trx, ctx, orderId);
  await requireHold(trx, held, input);
  const order = await resolveHold(trx, ctx, held, "released");
  // A printed order that waits for pickup is ready again; no other state has a message.
  if (awaitsPickup(order)) await mailState(trx, ctx, order, null);
  await queueMovePush(trx, ctx, order, order.state);
  await recordAudit(trx, ctx, {
    action: "order.release",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
  });
  await recordLiveEvent(trx, ctx, "held", order);
}

/** The open hold that the caller saw. The caller must hold the order's row lock. Throws CONFLICT if it has ended. */
export async function requireHold(
  trx: Trx,
  { id, number }: OrderRow,
  { holdId }: Pick<OpenHoldInput, "holdId">,
): Promise<HoldRecord> {
  const open = await findOpenHold(trx, id);
  if (open?.id === holdId) return open;
  throw new AppError(
    "CONFLICT",
    open
      ? `The shop has asked something else about order ${number} meanwhile`
      : `Order ${number} is not on hold any more`,
  );
}

/**
 * Ends the open hold and returns the order. The files of a printed order get a new grace period; an order that is still to be
 * printed gets a new promised time.
 */
export async function resolveHold(
  trx: Trx,
  { config, now }: Pick<Context, "config" | "now">,
  order: OrderRow,
  how: "released" | "changed",
): Promise<OrderRow> {
  const at = now();
  await endHold(trx, { orderId: order.id, how, at: at.toISOString() });
  return updateOrder(trx, order, {
    held_at: null,
    files_delete_at: order.files_delete_at && new Date(at.getTime() + config.printGraceMs).toISOString(),
    promised_at: await promiseAgain(trx, { now }, order),
  });
}

/**
 * Stores the student's answer, once for each hold, and tells the shop. Throws NOT_FOUND for somebody else's order, and
 * CONFLICT if the hold has ended or has another answer.
 */
export async function answerShop(ctx: Context<SignedIn>, input: HoldAnswerInput): Promise<void> {
  await transact(ctx.db, (trx) => storeAnswer(trx, ctx, input));
}

async function storeAnswer(trx: Trx, ctx: Context<SignedIn>, input: HoldAnswerInput): Promise<void> {
  const { orderId, holdId, answer } = input;
  await requireAccount(trx, ctx.actor.user._id);
  const order = await lockOwnOrder(trx, ctx, orderId);
  const hold = await requireHold(trx, order, input);
  if (hold.answeredAt !== null) {
    if (hold.answer === answer) return;
    throw new AppError("CONFLICT", "You have answered already. The shop will look at it");
  }
  await answerHold(trx, { holdId, answer, at: ctx.now().toISOString() });
  await queueShopMail(
    trx,
    ctx,
    holdReplyMail(ctx, mailedOrder(ctx, order), { kind: "answered", text: answer }),
  );
  await recordLiveEvent(trx, ctx, "held", order);
}
