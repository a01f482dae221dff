import { type Trx, transact } from "#db/transaction.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { SetOutInput } from "#shared/schemas/stock.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Context, requireShop, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { lockManagedShop } from "./admin.service.ts";
import { updateOut } from "./prices.queries.ts";
import { findActiveOptions } from "./shops.queries.ts";

/**
 * Marks an option of one of the caller's shops as out for now, or as back. Throws NOT_FOUND for an option of another shop,
 * and CONFLICT with `data.isLast` for the last one of its list, unless the caller accepts that nobody can order then.
 */
export async function setOptionOut(ctx: Context<StaffMember>, input: SetOutInput): Promise<void> {
  requireShop(ctx, input.shopId);
  await transact(ctx.db, (trx) => storeOut(trx, ctx, input));
}

/** Locks the shop first, so that two clerks cannot mark the last two options at the same moment unwarned. */
async function storeOut(trx: Trx, ctx: Context<StaffMember>, input: SetOutInput): Promise<void> {
  const { shopId, optionId, isOut, isLastAccepted } = input;
  await lockManagedShop(trx, shopId);
  const options = await findActiveOptions(trx, shopId);
  const option = options.find(({ id }) => id === optionId);
  if (!option) throw new AppError("NOT_FOUND", "This option was not found");
  if (option.isOut === isOut) return;
  const others = options.filter(({ id, kind, isOut }) => id !== optionId && kind === option.kind && !isOut);
  if (isOut && others.length === 0 && !isLastAccepted) {
    const list = OPTION_FIELDS[option.kind].label.toLowerCase();
    throw new AppError(
      "CONFLICT",
      `“${option.name}” is the last ${list} that you have. Without it students see it as out and cannot order here until something is back`,
      { data: { isLast: true } },
    );
  }
  await updateOut(trx, { id: optionId, outSince: isOut ? ctx.now().toISOString() : null });
  await recordAudit(trx, ctx, {
    action: isOut ? "stock.out" : "stock.back",
    subject: { id: optionId, name: option.name },
    shopId,
  });
}
