import type { OptionKind } from "#shared/options.ts";
import { MAX_MOVES } from "#shared/schemas/board.ts";
import type { AskAboutInput } from "#shared/schemas/stock.ts";
import { type Context, requireShop, type StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { listOffered } from "../../shops/shops.service.ts";
import { holdSeveral } from "../holds/holds.service.ts";
import { countWaiting, findWaiting } from "./stock.queries.ts";

/** An option of a shop, and whether it has run out. */
export interface StockOption {
  id: string;
  kind: OptionKind;
  name: string;
  isOut: boolean;
  /** Orders that wait to be printed with it and are not on hold. */
  waiting: number;
}

/** The options of one of the caller's shops. Throws NOT_FOUND for another shop. */
export async function listStock(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<StockOption[]> {
  requireShop(ctx, shopId);
  const options = await listOffered(ctx.readDb, shopId);
  const waiting = await countWaiting(ctx.readDb, shopId);
  return options.map(({ id, kind, name, isOut }) => ({
    id,
    kind,
    name,
    isOut,
    waiting: waiting.get(id) ?? 0,
  }));
}

/**
 * Puts the orders on hold that wait for an option that has run out, so that their students choose another one; 100 at most.
 * Throws NOT_FOUND for another shop's option, and CONFLICT for one that has not run out.
 */
export async function askAboutOption(
  ctx: Context<StaffMember>,
  { shopId, optionId }: AskAboutInput,
): Promise<{ held: number; refusals: string[] }> {
  requireShop(ctx, shopId);
  const option = (await listOffered(ctx.db, shopId)).find(({ id }) => id === optionId);
  if (!option) throw new AppError("NOT_FOUND", "This option was not found");
  if (!option.isOut) throw new AppError("CONFLICT", `“${option.name}” is not out any more`);
  const orderIds = await findWaiting(ctx.db, { shopId, optionId, limit: MAX_MOVES });
  const reason = `“${option.name}” has run out. Please choose another one, or wait for it`;
  const results = await holdSeveral(ctx, { orderIds, reason });
  return {
    held: results.filter(({ ok }) => ok).length,
    refusals: results.flatMap((result) => (result.ok ? [] : result.message)),
  };
}
