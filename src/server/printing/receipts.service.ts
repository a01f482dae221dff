import type { InvoiceTable } from "#db/schema.ts";
import { addressLine, counted } from "#shared/format.ts";
import { INVOICE_NAMES, invoiceNumber, STATES } from "#shared/gst.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { commonFacts, LAYOUT_LABEL, partFacts } from "#shared/order-jobs.ts";
import { stateTitle } from "#shared/order-states.ts";
import { duePaise, METHOD_NAMES, PAYMENT_NAMES, paymentStatus, refundDuePaise } from "#shared/payment.ts";
import { chosenPagesText } from "#shared/print-pages.ts";
import type { Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { prices } from "../orders/mail-content.ts";
import type { OrderRow } from "../orders/orders.queries.ts";
import {
  type OwnOrderDetail,
  orderDetail,
  requireOwnOrder,
  requireShopOrder,
} from "../orders/orders.service.ts";
import { listInvoices } from "../orders/payments/invoices.service.ts";
import type { PaymentEntry } from "../orders/payments/payments.queries.ts";
import { listPayments } from "../orders/payments/payments.service.ts";
import { findStaff } from "../staff/access.service.ts";
import type { AmountLine, Receipt, ReceiptNote } from "./receipt.ts";

/** A receipt with the number of its order. */
interface ReceiptFile {
  number: string;
  pdf: Uint8Array<ArrayBuffer>;
}

/**
 * Creates the receipt of an order as a PDF for the student who placed it. Throws NOT_FOUND for everybody else; the work ends
 * when `signal` aborts.
 */
export async function makeReceipt(ctx: Context, orderId: string, signal: AbortSignal): Promise<ReceiptFile> {
  const { actor } = ctx;
  if (actor.kind !== "user") {
    throw new AppError(
      "NOT_FOUND",
      "This order was not found. Please log in with the account that placed it",
    );
  }
  await ctx.limits.use("receiptAccount", actor.user._id);
  const order = await requireOwnOrder(ctx.readDb, { actor }, orderId);
  return draw(ctx, order, { account: actor.user._id, signal });
}

/** The same for the staff of the order's shop, who print it for somebody at the counter. */
export async function makeShopReceipt(
  ctx: Context,
  orderId: string,
  signal: AbortSignal,
): Promise<ReceiptFile> {
  const staff = await findStaff(ctx);
  if (!staff) throw new AppError("NOT_FOUND", "This order was not found");
  const order = await requireShopOrder(ctx.readDb, { actor: staff }, orderId);
  return draw(ctx, order, { account: staff.user._id, signal });
}

async function draw(
  ctx: Context,
  order: OrderRow,
  client: { account: string; signal: AbortSignal },
): Promise<ReceiptFile> {
  const [detail, payments, invoices] = await Promise.all([
    orderDetail(ctx, order),
    listPayments(ctx, order.id),
    listInvoices(ctx, order.id),
  ]);
  const student = { fullName: order.studentName, email: order.user_email };
  const { originalNumber: reprintOf } = order;
  const receipt = receiptOf(ctx, { order: detail, reprintOf, student, payments, invoices });
  const drawing = await ctx.sheets.draw({ receipt }, client);
  if (!drawing) throw new AppError("UNAVAILABLE", "The receipt could not be made just now. Please try again");
  return { number: order.number, pdf: drawing.bytes };
}

/** What a receipt is made from. */
interface Source {
  order: OwnOrderDetail;
  /** The number of the order that this one reprints. */
  reprintOf: string | null;
  student: { fullName: string; email: string };
  payments: PaymentEntry[];
  invoices: InvoiceTable[];
}

/** The texts of the receipt for the current state of the order. */
function receiptOf({ now }: Pick<Deps, "now">, source: Source): Receipt {
  const { order, reprintOf, student, payments, invoices } = source;
  const { number, shop, pages, copies, quote, files } = order;
  const [invoice, ...notes] = invoices;
  const buyer = [
    { label: "Student", value: [student.fullName, student.email].filter(Boolean).join(", ") },
    { label: "Delivery", value: deliveryText(order) },
  ].filter(({ value }) => value !== "");
  const facts = [
    ...(invoice ? invoiceFacts(invoice) : []),
    { label: "Order", value: number },
    { label: "Reprint of", value: reprintOf ? `Order ${reprintOf}, at no charge` : "" },
    { label: "Placed", value: indianTime(order.placedAt) },
    { label: "State", value: stateText(order) },
    { label: "Payment", value: paymentText(order) },
    { label: "Shop", value: [shop.name, shop.location].join(", ") },
    { label: "Shop contact", value: [shop.contactNumber, shop.email].filter(Boolean).join(", ") },
    ...buyer,
  ];
  return {
    title: invoice ? "Tax invoice" : titleOf(order),
    number,
    headline: headlineOf(order),
    facts: facts.filter(({ value }) => value !== ""),
    files: files.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    job: [
      counted(pages, "page"),
      ...commonFacts(order).flatMap(({ label, value }) => (label === LAYOUT_LABEL ? value : [])),
      counted(copies, "copy"),
      `${counted(quote.sheets, "sheet")} of paper`,
    ].join(", "),
    parts: partFacts(order),
    prices: [
      ...prices(quote).prices.map(({ label, note = "", amountPaise, isTotal = false }) => ({
        ...amountLine(label, amountPaise, note),
        isTotal,
      })),
      ...(invoice ? refundedBefore(order, invoice) : []),
    ],
    taxes: invoice ? taxLines(invoice) : [],
    payments: paymentLines(order, payments),
    remark: [
      `Made on ${indianTime(now().toISOString())}. Prices are those that were agreed for the order.`,
      ...(invoice
        ? [
            `Prices include GST. The line “Tax” is a part of the agreed price and not the GST. Tax is not payable on reverse charge. For ${invoice.legal_name}, authorised signatory:`,
          ]
        : []),
    ].join(" "),
    notes: invoice
      ? notes.map((note) => noteOf(note, invoice, [{ label: "Order", value: number }, ...buyer]))
      : [],
  };
}

/** Nothing is received yet while it is unpaid. */
function titleOf({ paidPaise, refundedPaise }: OwnOrderDetail): string {
  return paidPaise + refundedPaise > 0 ? "Receipt" : "Order summary";
}

function headlineOf(order: OwnOrderDetail): string {
  const { state, totalPaise, paidPaise, refundedPaise } = order;
  const due = duePaise(order);
  const refundDue = refundDuePaise(order);
  if (refundDue > 0) return `${formatPaise(refundDue)} to be refunded`;
  if (due > 0) return `${formatPaise(due)} to pay`;
  if (paidPaise > 0) return `${formatPaise(paidPaise)} paid in full`;
  if (refundedPaise > 0) return `${formatPaise(refundedPaise)} refunded`;
  return state === "cancelled" || totalPaise === 0 ? "Nothing to pay" : "";
}

function invoiceFacts(invoice: InvoiceTable): Receipt["facts"] {
  const { gstin, legal_name, address, place } = invoice;
  return [
    { label: "Invoice", value: invoiceNumber(invoice) },
    { label: "Issued", value: indianTime(invoice.issued_at) },
    { label: "Supplier", value: `${legal_name}, ${address}, ${stateName(gstin.slice(0, 2))}` },
    { label: "GSTIN", value: gstin },
    { label: "Place of supply", value: stateName(place) },
  ];
}

/** Such as `Punjab (03)`. */
function stateName(code: string): string {
  return `${STATES[code] ?? ""} (${code})`;
}

/** From the order's price to that of its invoice, where part of it was given back before the hand-over. */
function refundedBefore({ totalPaise }: OwnOrderDetail, { total_paise }: InvoiceTable): AmountLine[] {
  if (total_paise === totalPaise) return [];
  return [
    amountLine("Taken off before the hand-over", total_paise - totalPaise),
    { ...amountLine("Charged", total_paise), isTotal: true },
  ];
}

function taxLines(invoice: InvoiceTable): AmountLine[] {
  const { rate_percent: rate, taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise } = invoice;
  const isInState = invoice.gstin.startsWith(invoice.place);
  const taxes: [string, number, number][] = isInState
    ? [
        ["CGST", rate / 2, cgst_paise],
        ["SGST", rate / 2, sgst_paise],
      ]
    : [["IGST", rate, igst_paise]];
  return [
    amountLine("Taxable value", taxable_paise, `HSN/SAC ${invoice.sac}`),
    ...taxes.map(([label, percent, amount]) => amountLine(label, amount, `${percent} %`)),
    { ...amountLine("Total with GST", total_paise), isTotal: true },
  ];
}

function noteOf(note: InvoiceTable, invoice: InvoiceTable, buyer: Receipt["facts"]): ReceiptNote {
  return {
    title: INVOICE_NAMES[note.kind],
    facts: [
      { label: "Number", value: invoiceNumber(note) },
      { label: "Issued", value: indianTime(note.issued_at) },
      { label: "For invoice", value: invoiceNumber(invoice) },
      { label: "Of", value: indianTime(invoice.issued_at) },
      ...invoiceFacts(note).slice(2),
      ...buyer,
      { label: "Reason", value: note.reason },
    ],
    lines: taxLines(note),
  };
}

/** Reversed entries were mistakes and are left out, with what reverses them. */
function paymentLines(order: OwnOrderDetail, payments: PaymentEntry[]): AmountLine[] {
  const entries = payments.filter(({ kind, reversedBy }) => kind !== "reversal" && reversedBy === null);
  if (entries.length === 0) return [];
  const due = duePaise(order);
  const refundDue = refundDuePaise(order);
  return [
    ...entries.map(({ kind, method, amountPaise, at }) =>
      amountLine(
        `${kind === "refund" ? "Refunded" : "Paid"}, ${METHOD_NAMES[method]}`,
        amountPaise,
        indianTime(at),
      ),
    ),
    ...(refundDue > 0 ? [amountLine("Still to be refunded", refundDue)] : []),
    { ...amountLine("Left to pay", due), isTotal: true },
  ];
}

function amountLine(label: string, paise: number, note = ""): AmountLine {
  return { label, note, amount: formatPaise(paise), isTotal: false };
}

function stateText({ state, fulfilment, reached }: OwnOrderDetail): string {
  const name = stateTitle({ state, fulfilment });
  const since = reached.findLast((step) => step.state === state);
  return since && state !== "placed" ? `${name}, ${indianTime(since.at)}` : name;
}

/** Only the shop knows whether the money arrived, so the receipt states what the shop recorded. */
function paymentText(order: OwnOrderDetail): string {
  if (order.paidAt) return `Marked as paid by the shop, ${indianTime(order.paidAt)}`;
  return PAYMENT_NAMES[paymentStatus(order)];
}

function deliveryText({ fulfilment, address }: OwnOrderDetail): string {
  if (fulfilment !== "delivery") return "Picked up at the shop";
  return address ? addressLine(address) : "";
}
