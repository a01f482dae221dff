import { isDeepStrictEqual } from "node:util";
import type { InvoiceTable, OrderTable, ShopTaxTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { financialYear, placeOfSupply, splitTax, type TaxSplit } from "#shared/gst.ts";
import { chargedPaise } from "#shared/payment.ts";
import type { SaveTaxInput } from "#shared/schemas/tax.ts";
import { recordAudit, requireBase } from "../../audit/audit.service.ts";
import type { Context, Deps, StaffMember } from "../../context.ts";
import { fieldError } from "../../errors.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { beginShopChange } from "../../shops/admin.service.ts";
import { agreedAddress, moneyOf } from "../orders.service.ts";
import {
  findInvoices,
  findTax,
  insertInvoice,
  isSeriesTaken,
  lockInvoices,
  saveTax,
} from "./invoices.queries.ts";

/** What an invoice and its notes have in common. */
type Terms = Pick<
  InvoiceTable,
  "gstin" | "series" | "legal_name" | "address" | "rate_percent" | "sac" | "place"
>;

/**
 * Issues the tax invoice of an order that was handed over just now, once, if its shop has a GSTIN and the order costs
 * something. The tax lies within the agreed total. The caller must hold the order's row lock; an order is handed over once.
 */
export async function issueInvoice(trx: Trx, deps: Pick<Deps, "now">, order: OrderTable): Promise<void> {
  const tax = await lockInvoices(trx, order.id);
  const total = chargedPaise(moneyOf(order));
  if (!tax || tax.gstin === "" || total === 0) return;
  const { gstin, series, legal_name, address, rate_percent, sac } = tax;
  const terms = { gstin, series, legal_name, address, rate_percent, sac, place: placeOf(order, gstin) };
  await insert(trx, deps, order, { kind: "invoice", terms, reason: "", split: split(total, terms) });
}

function placeOf(order: OrderTable, gstin: string): string {
  const shopState = gstin.slice(0, 2);
  return placeOfSupply(shopState, agreedAddress(order)?.country ?? "");
}

/**
 * Issues a credit note once a refund has lowered what an invoiced order costs, and a debit note once a reversal has raised it
 * again. An order that was handed over for nothing, because its refund was a mistake, gets its invoice then. The caller must hold
 * the locks of the order's row and of its shop's tax settings.
 * @param was the order before the refund or the reversal
 */
export async function issueNote(
  trx: Trx,
  deps: Pick<Deps, "now">,
  { was, order, reason }: { was: OrderTable; order: OrderTable; reason: string },
): Promise<void> {
  const issued = await findInvoices(trx, order.id);
  const [invoice] = issued;
  if (!invoice) {
    const wasForNothing = order.state === "delivered" && chargedPaise(moneyOf(was)) === 0;
    return wasForNothing ? issueInvoice(trx, deps, order) : undefined;
  }
  const before = issued.reduce((sum, { total_paise }) => sum + total_paise, 0);
  const after = chargedPaise(moneyOf(order));
  if (after === before) return;
  const kind = after < before ? "credit" : "debit";
  const [old, now] = [split(before, invoice), split(after, invoice)];
  const { gstin, series, legal_name, address, rate_percent, sac, place } = invoice;
  await insert(trx, deps, order, {
    kind,
    reason,
    terms: { gstin, series, legal_name, address, rate_percent, sac, place },
    // The difference of both splits, so that a full refund leaves no paisa of tax.
    split: {
      taxablePaise: now.taxablePaise - old.taxablePaise,
      cgstPaise: now.cgstPaise - old.cgstPaise,
      sgstPaise: now.sgstPaise - old.sgstPaise,
      igstPaise: now.igstPaise - old.igstPaise,
    },
  });
}

function split(totalPaise: number, { gstin, place, rate_percent }: Terms): TaxSplit {
  return splitTax(totalPaise, { ratePercent: rate_percent, isInState: gstin.startsWith(place) });
}

async function insert(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  order: OrderTable,
  { kind, terms, split, reason }: Pick<InvoiceTable, "kind" | "reason"> & { terms: Terms; split: TaxSplit },
): Promise<void> {
  const { taxablePaise, cgstPaise, sgstPaise, igstPaise } = split;
  const issued = now();
  await insertInvoice(trx, {
    ...terms,
    id: uuidv7(),
    order_id: order.id,
    shop_id: order.shop_id,
    kind,
    year: financialYear(issued),
    total_paise: taxablePaise + cgstPaise + sgstPaise + igstPaise,
    taxable_paise: taxablePaise,
    cgst_paise: cgstPaise,
    sgst_paise: sgstPaise,
    igst_paise: igstPaise,
    reason,
    issued_at: issued.toISOString(),
  });
}

/** The tax invoice of an order and its notes, oldest first; empty where none was issued. */
export function listInvoices({ readDb }: Pick<Deps, "readDb">, orderId: string): Promise<InvoiceTable[]> {
  return findInvoices(readDb, orderId);
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
  const { name } = await beginShopChange(trx, ctx, shopId);
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
