import type { Paise } from "./money.ts";
import type { Fulfilment, OrderState } from "./order-states.ts";

/** What decides how an order is paid. The store does not see payments; the shop marks orders as paid. */
export interface PayableOrder {
  state: OrderState;
  fulfilment: Fulfilment;
  totalPaise: Paise;
  /** When the shop marked it as paid. */
  paidAt: string | null;
  /** Whether the shop has a UPI ID. */
  takesUpi: boolean;
}

/** `unmarked`: handed over, but the shop has not marked it as paid. `void`: there is nothing to pay, or no longer. */
export type PaymentStatus =
  | "paid"
  | "upi"
  | "on delivery"
  | "on pickup"
  | "at the counter"
  | "unmarked"
  | "void";

export function paymentStatus({
  state,
  fulfilment,
  totalPaise,
  paidAt,
  takesUpi,
}: PayableOrder): PaymentStatus {
  if (paidAt !== null) return "paid";
  if (totalPaise === 0 || state === "cancelled") return "void";
  if (takesUpi && fulfilment !== "counter") return "upi";
  if (state === "delivered") return "unmarked";
  if (fulfilment === "counter") return "at the counter";
  return `on ${fulfilment}`;
}

/** The names of the statuses in lists of orders. */
export const PAYMENT_NAMES: Record<PaymentStatus, string> = {
  paid: "Paid",
  upi: "Unpaid · UPI",
  "on delivery": "Pay on delivery",
  "on pickup": "Pay on pickup",
  unmarked: "Not marked as paid",
  "at the counter": "Unpaid",
  void: "Nothing to pay",
};

export interface UpiRequest {
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
