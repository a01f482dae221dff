import type { OrderTable } from "#db/schema.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianDay } from "#shared/indian-time.ts";
import { duePaise, refundDuePaise } from "#shared/payment.ts";
import type { PlacedOrder } from "#shared/schemas/orders.ts";
import type { OpenVisitInput, VisitOrderInput, WalkInInput } from "#shared/schemas/visits.ts";
import { endingReason, lateAtCounter, lateWalkIn } from "#shared/visits.ts";
import { createVisit, renameVisitor, requireUploader, walkInVisit } from "../../accounts/visits.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import { type Context, type Deps, requireShop, type StaffMember, type Visitor } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { deleteUnorderedOf, giveFiles } from "../../files/files.service.ts";
import { requireWalkInRoom } from "../../files/quota.service.ts";
import { checkCode, closedReason } from "../../shops/counter.service.ts";
import { requireShownShop } from "../../shops/shops.service.ts";
import { moveOrder } from "../board/moves.queries.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { findOpenOrders, findOrdersOf } from "../orders.queries.ts";
import { countCancelledOrder, listOwnOrders, type OwnOrderRow } from "../orders.service.ts";
import { issueInvoice } from "../payments/invoices.service.ts";
import { findByKey, lockOpenDay } from "../payments/payments.queries.ts";
import { recordPayment } from "../payments/payments.service.ts";
import { findPlacedByVisitor, placeForVisitor, toPlacedOrder } from "./placement.service.ts";

/** An order of a visit, with what is left to pay, and what the shop must give back. */
type VisitOrder = OwnOrderRow & { duePaise: number; refundDuePaise: number };

/** What the page at `/at/<shop>` shows. */
interface CounterPage {
  shop: { id: string; name: string; location: string };
  /** Whether visitors may order here now; `why` tells them where not. */
  counter: { takesOrders: true } | { takesOrders: false; why: string };
  /** The caller's visit at this shop; null where there is none. */
  visit: { ownerId: string; name: string; endsAt: string; orders: VisitOrder[] } | null;
  /** Whether the caller's visit is at another shop. */
  isElsewhere: boolean;
}

/** The counter of a shop, with the caller's own visit there. It says nothing of codes. Throws NOT_FOUND. */
export async function getCounterPage(ctx: Context, { shopId }: { shopId: string }): Promise<CounterPage> {
  const shop = await requireShownShop(ctx.readDb, shopId);
  const { actor } = ctx;
  const isVisitor = actor.kind === "visitor";
  const isHere = isVisitor && actor.visit.shopId === shopId;
  const why = closedReason(shop) ?? (isHere ? endingReason({ ...actor.visit, now: ctx.now() }) : null);
  return {
    shop: { id: shop.id, name: shop.name, location: shop.location },
    counter: why === null ? { takesOrders: true } : { takesOrders: false, why },
    visit: isHere
      ? {
          ownerId: actor.user._id,
          name: actor.user.fullName,
          endsAt: actor.visit.endsAt,
          orders: await listOrders({ ...ctx, actor }),
        }
      : null,
    isElsewhere: isVisitor && !isHere,
  };
}

/** The orders of a visit: all of them, unless RATE_LIMIT_SCALE lets it place more than one page has. */
async function listOrders(ctx: Context<Visitor>): Promise<VisitOrder[]> {
  const { rows } = await listOwnOrders(ctx);
  return rows.map((order) => ({
    ...order,
    duePaise: duePaise(order),
    refundDuePaise: refundDuePaise(order),
  }));
}

/**
 * Opens a visit by the code of the day and puts its token into the cookie; a visit at this shop that is under way goes on.
 * Throws INVALID_INPUT for a wrong code and CONFLICT where the counter takes no orders, or somebody is logged in.
 */
export async function openVisit(ctx: Context, { shopId, code }: OpenVisitInput): Promise<void> {
  const { actor, address, limits } = ctx;
  if (actor.kind === "user") {
    throw new AppError("CONFLICT", "You are logged in. Order with your account, or log out first");
  }
  const shop = await requireShownShop(ctx.readDb, shopId);
  const why = closedReason(shop);
  if (why !== null) throw new AppError("CONFLICT", why);
  if (actor.kind === "visitor" && actor.visit.shopId === shopId) return;
  const codeName = checkCode(ctx, shop, code);
  if (codeName === null) {
    await limits.takeAll(["visitWrongAddress", address], ["visitWrongShop", shopId]);
    throw new AppError(
      "INVALID_INPUT",
      "This code is not valid today. Please scan the one at the shop again",
    );
  }
  await limits.takeAll(["visitAddress", address], ["visitCode", shopId, codeName], ["visitShop", shopId]);
  const visit = { shopId, code: codeName };
  const { token, expiresAt } = await transact(ctx.db, (trx) => createVisit(trx, ctx, visit));
  ctx.visitCookie.set(token, expiresAt);
}

/**
 * Places a visitor's order under the name that the shop calls out. A repeated request returns the same order.
 * Throws what placing an order throws, and CONFLICT where the counter takes no orders any more, or the shop would print it
 * only after the visit's end, when its files are gone.
 */
export async function placeVisitOrder(ctx: Context<Visitor>, input: VisitOrderInput): Promise<PlacedOrder> {
  const { user, visit } = ctx.actor;
  const store = (trx: Trx) => storeVisitOrder(trx, ctx, input);
  // Sent again for a lost answer it counts no second time, except under another name, which is written.
  if (user.fullName === input.name && (await findPlacedByVisitor(ctx.readDb, ctx, input)))
    return toPlacedOrder(await transact(ctx.db, store));
  await ctx.limits.takeAll(["orderVisitAddress", ctx.address], ["orderVisitCode", visit.shopId, visit.code]);
  const order = await ctx.limits.within(["orderVisit", user._id], store);
  return toPlacedOrder(order);
}

async function storeVisitOrder(
  trx: Trx,
  ctx: Context<Visitor>,
  { name, ...input }: VisitOrderInput,
): Promise<OrderTable> {
  const { user, visit } = ctx.actor;
  await requireUploader(trx, user._id);
  const actor = await renameVisitor(trx, ctx, name);
  const earlier = await findPlacedByVisitor(trx, ctx, input);
  if (earlier) return earlier;
  const shop = await requireShownShop(trx, visit.shopId);
  const now = ctx.now();
  const { endsAt } = visit;
  const why = closedReason(shop) ?? endingReason({ endsAt, now });
  if (why !== null) throw new AppError("CONFLICT", why);
  if (input.orderData.shopId !== shop.id) {
    throw new AppError("INVALID_INPUT", "You are at the counter of another shop. Please scan its code");
  }
  const order = await placeForVisitor(trx, { ...ctx, actor }, input);
  const late = lateAtCounter(shop.name, { promisedAt: order.promised_at, endsAt, now });
  if (late !== null) throw new AppError("CONFLICT", late);
  return order;
}

/**
 * Places an order for somebody at the counter without an account, from files that the clerk uploaded, with the payment that
 * was taken. Sent again with the same key it is one order and one payment. It ends with its files as a visit does. Throws what
 * placing an order and taking a payment throw, and CONFLICT with `data.isLate` where the shop would print it only after that,
 * unless the clerk accepts it; then nothing is stored.
 */
export async function placeWalkIn(ctx: Context<StaffMember>, input: WalkInInput): Promise<PlacedOrder> {
  requireShop(ctx, input.shopId);
  if (input.orderData.shopId !== input.shopId) {
    throw new AppError("INVALID_INPUT", "These options belong to another shop. Please choose the shop again");
  }
  return ctx.limits.within(["orderStaff", ctx.actor.user._id], (trx) => storeWalkIn(trx, ctx, input));
}

async function storeWalkIn(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shopId, name, key, payment, isLateAccepted, orderData, orderValue }: WalkInInput,
): Promise<PlacedOrder> {
  await requireUploader(trx, ctx.actor.user._id);
  const { visitor, isNew } = await walkInVisit(trx, ctx, { shopId, key, fullName: name });
  if (payment && isNew) await lockOpenDay(trx, shopId, indianDay(ctx.now()));
  if (isNew) {
    await giveFiles(trx, ctx, { urls: orderData.filesUrl, to: visitor.user._id });
    await requireWalkInRoom(trx, ctx, visitor);
  }
  await requireUploader(trx, visitor.user._id);
  const actor = await renameVisitor(trx, { ...ctx, actor: visitor }, name);
  const input = { orderData, orderValue, idempotencyKey: key };
  const own = { ...ctx, actor };
  const order = (await findPlacedByVisitor(trx, own, input)) ?? (await placeForVisitor(trx, own, input));
  if (isNew) {
    const late = lateWalkIn({ promisedAt: order.promised_at, ...visitor.visit, now: ctx.now() });
    if (late !== null && !isLateAccepted) throw new AppError("CONFLICT", late, { data: { isLate: true } });
    // Without the name, because the audit log outlives the visit.
    await recordAudit(trx, ctx, {
      action: "order.walkIn",
      subject: { id: order.id, name: order.number },
      shopId,
    });
  }
  if (payment) await recordPayment(trx, ctx, { ...payment, orderId: order.id, key });
  else if (await findByKey(trx, { orderId: order.id, key })) {
    throw new AppError("CONFLICT", `Order ${order.number} is entered already, as paid. Look at it again`);
  }
  return toPlacedOrder(order);
}

/**
 * Forgets this phone: deletes what was uploaded and not ordered, and the cookie. Orders stay with the shop until the visit's
 * time is over.
 */
export async function leaveCounter(ctx: Context<Visitor>): Promise<void> {
  const at = ctx.now().toISOString();
  await transact(ctx.db, (trx) => deleteUnorderedOf(trx, { ownerId: ctx.actor.user._id, at }));
  ctx.visitCookie.clear();
}

/** Why an order was cancelled at the end of its visit; shown to staff. */
const NOT_COLLECTED = "Not collected within two hours";

/**
 * Settles the open orders of a visit whose time is over: unpaid ones are cancelled, printed and paid ones were handed over.
 * Others for which money was taken, also collected ones on hold, stay open, because only people can give it back.
 */
export async function settleVisitOrders(trx: Trx, deps: Pick<Deps, "now">, userId: string): Promise<void> {
  // All before the first invoice: a hand-over, too, locks its order before the numbering of the shop's invoices. The closed
  // ones, too, because their personal data is removed after the live events are recorded.
  for (const { id } of await findOrdersOf(trx, userId)) await lockRow(trx, "orders", id);
  const settled: OrderTable[] = [];
  for (const order of await findOpenOrders(trx, userId)) {
    const isCollected = order.paid_at !== null && order.state === "printed" && order.held_at === null;
    if (order.paid_paise > 0 && !isCollected) continue;
    const to = isCollected ? "delivered" : "cancelled";
    const reason = to === "cancelled" ? NOT_COLLECTED : null;
    const moved = await moveOrder(trx, order, { to, at: deps.now().toISOString(), by: null, reason });
    if (to === "delivered") await issueInvoice(trx, deps, moved);
    if (to === "cancelled") await countCancelledOrder(trx, moved);
    settled.push(moved);
  }
  for (const order of settled) await recordLiveEvent(trx, deps, "moved", order);
}
