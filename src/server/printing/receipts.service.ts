import { counted } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { stateTitle } from "#shared/order-states.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import { chosenPagesText } from "#shared/print-pages.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { prices } from "../orders/mail-content.ts";
import { getOwnOrder, type OwnOrderDetail } from "../orders/orders.service.ts";
import type { Receipt } from "./receipt.ts";

/**
 * Creates the receipt of an order as a PDF for the student who placed it. Throws NOT_FOUND for everybody else; the work ends
 * when `signal` aborts.
 */
export async function makeReceipt(
  ctx: Context,
  orderId: string,
  signal: AbortSignal,
): Promise<{ number: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { actor } = ctx;
  if (actor.kind !== "user") {
    throw new AppError(
      "NOT_FOUND",
      "This order was not found. Please log in with the account that placed it",
    );
  }
  await ctx.limits.use("receiptAccount", actor.user._id);
  const order = await getOwnOrder({ ...ctx, actor }, { orderId });
  const receipt = receiptOf(ctx, order, actor.user);
  const drawing = await ctx.sheets.draw({ receipt }, { account: actor.user._id, signal });
  if (!drawing) throw new AppError("UNAVAILABLE", "The receipt could not be made just now. Please try again");
  return { number: order.number, pdf: drawing.bytes };
}

/** The texts of the receipt for the current state of the order. */
function receiptOf({ now }: Pick<Deps, "now">, order: OwnOrderDetail, student: CurrentUser): Receipt {
  const { number, shop, pages, copies, quote, files } = order;
  const facts = [
    { name: "Order", value: number },
    { name: "Placed", value: indianTime(order.placedAt) },
    { name: "State", value: stateText(order) },
    { name: "Payment", value: paymentText(order) },
    { name: "Shop", value: [shop.name, shop.location].join(", ") },
    { name: "Shop contact", value: [shop.contactNumber, shop.email].filter(Boolean).join(", ") },
    { name: "Student", value: [student.fullName, student.email].join(", ") },
    { name: "Delivery", value: deliveryText(order) },
  ];
  return {
    number,
    facts: facts.filter(({ value }) => value !== ""),
    files: files.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    job: [counted(pages, "page"), counted(copies, "copy"), `${counted(quote.sheets, "sheet")} of paper`].join(
      ", ",
    ),
    prices: prices(quote).prices.map(({ label, note = "", amountPaise, isTotal = false }) => ({
      label,
      note,
      amount: formatPaise(amountPaise),
      isTotal,
    })),
    remark: `Made on ${indianTime(now().toISOString())}. Prices are those that were agreed when the order was placed.`,
  };
}

function stateText({ state, fulfilment, reached }: OwnOrderDetail): string {
  const name = stateTitle({ state, fulfilment });
  const since = reached.findLast((step) => step.state === state);
  return since && state !== "placed" ? `${name}, ${indianTime(since.at)}` : name;
}

/** Only the shop knows whether the money arrived, so the receipt states what the shop recorded. */
function paymentText(order: OwnOrderDetail): string {
  if (order.paidAt) return `Marked as paid by the shop, ${indianTime(order.paidAt)}`;
  return PAYMENT_NAMES[paymentStatus({ ...order, takesUpi: order.upiId !== "" })];
}

function deliveryText({ fulfilment, address }: OwnOrderDetail): string {
  if (fulfilment !== "delivery") return "Picked up at the shop";
  if (!address) return "";
  const { fullname, flatno, roadNo, country } = address;
  return [fullname, flatno, roadNo, country].join(", ");
}
