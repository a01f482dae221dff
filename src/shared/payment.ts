import type { Paise } from "./money.ts";
import type { Fulfilment, OrderState } from "./order-states.ts";
import type { PaymentMethod } from "./schemas/payments.ts";

/** The money of an order. The store does not see payments; the shop records them. */
export interface OrderMoney {
  state: OrderState;
  totalPaise: Paise;
  /** What the shop holds: payments less refunds. */
  paidPaise: Paise;
  /** What the shop has given back. */
  refundedPaise: Paise;
  /** What of that lowered the price; the rest was paid too much. */
  creditedPaise: Paise;
}

/** What decides how an order is paid. */
export interface PayableOrder extends OrderMoney {
  fulfilment: Fulfilment;
  /** The UPI ID of its shop; empty for none. */
  upiId: string;
}

/** What is still to be paid. A refund of money that was owed lowers the price; it does not make the student owe it again. */
export function duePaise({ state, totalPaise, paidPaise, creditedPaise }: OrderMoney): Paise {
  return state === "cancelled" ? 0 : Math.max(0, totalPaise - paidPaise - creditedPaise);
}

/** What the shop holds and must give back: everything once the order is cancelled, otherwise what exceeds the total. */
export function refundDuePaise({ state, totalPaise, paidPaise }: OrderMoney): Paise {
  return state === "cancelled" ? paidPaise : Math.max(0, paidPaise - totalPaise);
}

/** What the order costs in the end: what the shop holds, with what is left to pay and without what it must give back. */
export function chargedPaise(order: OrderMoney): Paise {
  return order.paidPaise + duePaise(order) - refundDuePaise(order);
}

/** The amount that an order's status is about: what is left to pay, else to give back, else what was paid, else given back. */
export function statusPaise(order: OrderMoney): Paise {
  return duePaise(order) || refundDuePaise(order) || order.paidPaise || order.refundedPaise;
}

/**
 * The statuses after `refunded` are all unpaid and say how it is to be paid. `unmarked`: handed over, but no payment is
 * recorded. `void`: there is nothing to pay, or no longer.
 */
export type PaymentStatus =
  | "paid"
  | "partly paid"
  | "refund due"
  | "refunded"
  | "upi"
  | "on delivery"
  | "on pickup"
  | "at the counter"
  | "unmarked"
  | "void";

export function paymentStatus(order: PayableOrder): PaymentStatus {
  const { state, fulfilment, totalPaise, paidPaise, refundedPaise, upiId } = order;
  if (refundDuePaise(order) > 0) return "refund due";
  if (paidPaise === 0 && refundedPaise > 0 && duePaise(order) === 0) return "refunded";
  if (totalPaise === 0 || state === "cancelled") return "void";
  if (duePaise(order) === 0) return "paid";
  if (duePaise(order) < totalPaise) return "partly paid";
  if (upiId !== "" && fulfilment !== "counter") return "upi";
  if (state === "delivered") return "unmarked";
  if (fulfilment === "counter") return "at the counter";
  return `on ${fulfilment}`;
}

/** The names of the statuses in lists of orders. */
export const PAYMENT_NAMES: Record<PaymentStatus, string> = {
  paid: "Paid",
  "partly paid": "Partly paid",
  "refund due": "Refund outstanding",
  refunded: "Refunded",
  upi: "Unpaid · UPI",
  "on delivery": "Pay on delivery",
  "on pickup": "Pay on pickup",
  unmarked: "Not marked as paid",
  "at the counter": "Unpaid",
  void: "Nothing to pay",
};

export const METHOD_NAMES: Record<PaymentMethod, string> = { cash: "Cash", upi: "UPI" };

export type PaymentKind = "payment" | "refund" | "reversal";

interface UpiRequest {
  upiId: string;
  shopName: string;
  amountPaise: Paise;
  orderNumber: string;
}

/** A link that opens a UPI app with everything filled in: `upi://pay?…&am=145.00&cu=INR&tn=…`. */
export function upiLink({ upiId, shopName, amountPaise, orderNumber }: UpiRequest): string {
  const fields = {
    pn: shopName,
    am: (amountPaise / 100).toFixed(2),
    cu: "INR",
    tn: `Order ${orderNumber}`,
  };
  // UPI apps expect spaces as %20 and the @ of the id unencoded.
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?pa=${upiId}&${query.join("&")}`;
}
