import { type Trx, transact } from "#db/transaction.ts";
import { formatPaise, type Paise } from "#shared/money.ts";
import { type Basis, OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import { type OrderState, UNPRINTED_STATES } from "#shared/order-states.ts";
import type { AskAboutInput, ChangeStockInput } from "#shared/schemas/stock.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import { type Context, requireShop, type StaffMember } from "../../context.ts";
import { AppError, fieldError } from "../../errors.ts";
import { queueMail } from "../../mail/mail.service.ts";
import type { OptionRecord } from "../../shops/shops.queries.ts";
import { listOffered } from "../../shops/shops.service.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { mailedOrder } from "../mail-content.ts";
import { findOrderLines } from "../orders.queries.ts";
import { linesByJob, lockShopOrder } from "../orders.service.ts";
import { planChanges, storePlan, textOf } from "./changes.service.ts";
import { substitutedMail } from "./holds.mails.ts";
import { countToPrint, findToPrint } from "./holds.queries.ts";
import { countHold, holdSeveral } from "./holds.service.ts";

/** An option of a shop, and whether it has run out. */
export interface StockOption {
  id: string;
  kind: OptionKind;
  name: string;
  pricePaise: Paise;
  basis: Basis;
  isOut: boolean;
  /** Orders that wait to be printed with it and are not on hold. */
  waiting: number;
  /** How many of them are being printed, and so are not changed to another option. */
  printing: number;
}

/** The options of one of the caller's shops. Throws NOT_FOUND for another shop. */
export async function listStock(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<StockOption[]> {
  requireShop(ctx, shopId);
  const options = await listOffered(ctx.readDb, shopId);
  const waiting = await countToPrint(ctx.readDb, shopId);
  const countOf = (id: string, states: readonly OrderState[]) =>
    waiting
      .filter((row) => row.id === id && states.includes(row.state))
      .reduce((sum, { count }) => sum + count, 0);
  return options.map(({ id, kind, name, pricePaise, basis, isOut }) => ({
    id,
    kind,
    name,
    pricePaise,
    basis,
    isOut,
    waiting: countOf(id, UNPRINTED_STATES),
    printing: countOf(id, ["printing"]),
  }));
}

/**
 * Puts the orders on hold that wait for an option that has run out, so that their students choose another one; 100 at most.
 * `atCounter` is how many of them were placed at the counter, where nobody gets a mail. Throws NOT_FOUND for another shop's
 * option, and CONFLICT for one that has not run out.
 */
export async function askAboutOption(
  ctx: Context<StaffMember>,
  { shopId, optionId }: AskAboutInput,
): Promise<{ held: number; atCounter: number; refusals: string[] }> {
  requireShop(ctx, shopId);
  const option = requireOut(await listOffered(ctx.db, shopId), optionId);
  const orders = await findToPrint(ctx.db, { shopId, optionId, states: UNPRINTED_STATES });
  const orderIds = orders.map(({ id }) => id);
  const reason = `“${option.name}” has run out. Would you like another one, or would you rather wait?`;
  const results = await holdSeveral(ctx, { orderIds, reason });
  const isHeld = (index: number) => results[index]?.ok === true;
  return {
    held: results.filter(({ ok }) => ok).length,
    atCounter: orders.filter(({ fulfilment }, index) => fulfilment === "counter" && isHeld(index)).length,
    refusals: results.flatMap((result, index) =>
      result.ok ? [] : namingOrder(orders[index]?.number ?? "", result.message),
    ),
  };
}

/** Some messages name their order already. */
function namingOrder(number: string, message: string): string {
  return message.includes(number) ? message : `Order ${number}: ${message}`;
}

/** An option that has run out. Throws NOT_FOUND for one that the shop does not offer, and CONFLICT for one that is there. */
function requireOut(offered: readonly OptionRecord[], optionId: string): OptionRecord {
  const option = offered.find(({ id }) => id === optionId);
  if (!option) throw new AppError("NOT_FOUND", "This option was not found");
  if (!option.isOut) throw new AppError("CONFLICT", `“${option.name}” is not out any more`);
  return option;
}

/** What became of the orders that were to be changed. */
interface Substitution {
  changed: number;
  /** Changed orders of people at the counter, who get no mail. */
  atCounter: number;
  /** Orders that would cost more and so keep waiting: their students must be asked. */
  dearer: number;
  refusals: string[];
}

/**
 * Changes the orders that wait for an option that has run out to another one of its kind, 100 at most, and mails their
 * students. What is being printed stays as it is, because its prints may lie there. Nobody pays more unasked: an order that would
 * cost more stays as it is, too. Throws as `askAboutOption` does, and INVALID_INPUT for another option that is of another kind or
 * out too.
 */
export async function changeToOption(
  ctx: Context<StaffMember>,
  { shopId, optionId, toOptionId }: ChangeStockInput,
): Promise<Substitution> {
  requireShop(ctx, shopId);
  const offered = await listOffered(ctx.db, shopId);
  const from = requireOut(offered, optionId);
  const to = offered.find(({ id }) => id === toOptionId);
  requireSubstitute(from, to);
  const done: Substitution = { changed: 0, atCounter: 0, dearer: 0, refusals: [] };
  for (const order of await findToPrint(ctx.db, { shopId, optionId, states: ["placed"] })) {
    try {
      const result = await transact(ctx.db, (trx) => substitute(trx, ctx, { orderId: order.id, from, to }));
      if (result !== "gone") done[result] += 1;
      if (result === "changed" && order.fulfilment === "counter") done.atCounter += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      done.refusals.push(namingOrder(order.number, error.message));
    }
  }
  return done;
}

function requireSubstitute(from: OptionRecord, to: OptionRecord | undefined): asserts to is OptionRecord {
  const refuse = (message: string) => fieldError("toOptionId", message);
  const label = OPTION_FIELDS[from.kind].label.toLowerCase();
  if (!to || to.kind !== from.kind) throw refuse(`This is not offered as ${label}. Please choose again`);
  if (to.isOut) throw refuse(`“${to.name}” has run out too. Please choose another ${label}`);
}

/** Changes one order in a transaction of its own; `gone`: it does not wait for that option any more. */
async function substitute(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, from, to }: { orderId: string; from: OptionRecord; to: OptionRecord },
): Promise<"changed" | "dearer" | "gone"> {
  const order = await lockShopOrder(trx, ctx, orderId);
  const lines = await findOrderLines(trx, orderId);
  const waits = order.state === "placed" && order.held_at === null;
  if (!waits || !lines.some((line) => line.option_id === from.id)) return "gone";
  // Several parts of the order may have it.
  const options = linesByJob(order, lines).map((ofJob) =>
    ofJob.some((line) => line.option_id === from.id) ? { [from.kind]: to.id } : {},
  );
  const plan = await planChanges(trx, ctx, order, { files: [], options });
  const { before, after } = plan;
  if (after.totalPaise > before.totalPaise) return "dearer";
  await countHold(trx, ctx, order);
  const note = `Changed by the shop: “${from.name}” has run out. ${textOf(plan)}`;
  const row = await storePlan(trx, ctx, order, plan, note);
  if (order.fulfilment !== "counter") {
    await queueMail(trx, ctx, substitutedMail(mailedOrder(ctx, row), { from, to, quote: after, before }));
  }
  await recordAudit(trx, ctx, {
    action: "order.substitute",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
    before: { [from.kind]: from.name, total: formatPaise(before.totalPaise) },
    after: { [from.kind]: to.name, total: formatPaise(after.totalPaise) },
  });
  await recordLiveEvent(trx, ctx, "held", row);
  return "changed";
}
