import { isDeepStrictEqual } from "node:util";
import type { ShopTaxTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { SaveTaxInput } from "#shared/schemas/tax.ts";
import { recordAudit, requireBase } from "../audit/audit.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { fieldError } from "../errors.ts";
import { lockManagedShop } from "./admin.service.ts";
import { findTax, isSeriesTaken, lockTaxOf, saveTax } from "./tax.queries.ts";

/** Locks the numbering of the invoices of this order's shop; undefined for a shop that never had a GSTIN. */
export function lockInvoices(trx: Trx, orderId: string): Promise<ShopTaxTable | undefined> {
  return lockTaxOf(trx, orderId);
}

/** What a shop's tax invoices say; without a GSTIN it issues none. */
type TaxSettings = Omit<SaveTaxInput, "shopId" | "base" | "ratePercent"> & { ratePercent: number };

/** For a shop that never saved any: the rate and the code of printing services, which it should check. */
const NO_TAX: TaxSettings = {
  gstin: "",
  legalName: "",
  address: "",
  ratePercent: 18,
  sac: "998912",
  series: "INV",
};

export async function getTaxSettings(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<TaxSettings> {
  return settingsOf(await findTax(ctx.readDb, shopId));
}

function settingsOf(row: ShopTaxTable | undefined): TaxSettings {
  if (!row) return NO_TAX;
  const { gstin, legal_name: legalName, address, rate_percent: ratePercent, sac, series } = row;
  return { gstin, legalName, address, ratePercent, sac, series };
}

/**
 * Saves what the shop's invoices say from now on, and returns it; those that are issued stay as they are. Throws CONFLICT if
 * somebody else has saved in the meantime, and where another shop with this GSTIN has the same series, because their numbers
 * would be the same.
 */
export async function saveTaxSettings(ctx: Context<StaffMember>, input: SaveTaxInput): Promise<TaxSettings> {
  return transact(ctx.db, (trx) => storeTax(trx, ctx, input));
}

async function storeTax(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shopId, base, ...settings }: SaveTaxInput,
): Promise<TaxSettings> {
  const { gstin, legalName, address, ratePercent, sac, series } = settings;
  const { name } = await lockManagedShop(trx, shopId);
  const before = await findTax(trx, shopId);
  const saved = settingsOf(before);
  if (isDeepStrictEqual(saved, settings)) return settings;
  await requireBase(trx, ctx, "the GST settings", {
    saved,
    base,
    action: "shop.tax",
    subjectId: shopId,
  });
  const row = {
    shop_id: shopId,
    gstin,
    legal_name: legalName,
    address,
    rate_percent: ratePercent,
    sac,
    series,
  };
  if (await isSeriesTaken(trx, row)) {
    const message = "Another shop with this GSTIN begins its invoice numbers like this. Please choose others";
    throw fieldError("series", message, "CONFLICT");
  }
  await saveTax(trx, row);
  await recordAudit(trx, ctx, {
    action: "shop.tax",
    subject: { id: shopId, name },
    shopId,
    ...(before && { before: saved }),
    after: settings,
  });
  return settings;
}
