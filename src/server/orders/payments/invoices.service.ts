import type { InvoiceTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { financialYear, placeOfSupply, splitTax, type TaxSplit } from "#shared/gst.ts";
import { chargedPaise } from "#shared/payment.ts";
import type { Deps } from "../../context.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { lockInvoices } from "../../shops/tax.service.ts";
import type { OrderRow } from "../orders.queries.ts";
import { agreedAddress, moneyOf } from "../orders.service.ts";
import { findInvoices, insertInvoice } from "./invoices.queries.ts";

/** What an invoice and its notes have in common. */
type Terms = Pick<
  InvoiceTable,
  "gstin" | "series" | "legal_name" | "address" | "rate_percent" | "sac" | "place"
>;

/**
 * Issues the tax invoice of an order that was handed over just now, once, if its shop has a GSTIN and the order costs
 * something. The tax lies within the agreed total. The caller must hold the order's row lock; an order is handed over once.
 */
export async function issueInvoice(trx: Trx, deps: Pick<Deps, "now">, order: OrderRow): Promise<void> {
  const tax = await lockInvoices(trx, order.id);
  const total = chargedPaise(moneyOf(order));
  if (!tax || tax.gstin === "" || total === 0) return;
  const { gstin, series, legal_name, address, rate_percent, sac } = tax;
  const terms = { gstin, series, legal_name, address, rate_percent, sac, place: placeOf(order, gstin) };
  await insert(trx, deps, order, { kind: "invoice", terms, reason: "", split: split(total, terms) });
}

function placeOf(order: OrderRow, gstin: string): string {
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
  { was, order, reason }: { was: OrderRow; order: OrderRow; reason: string },
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
  order: OrderRow,
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
