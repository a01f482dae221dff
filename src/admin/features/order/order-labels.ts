import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import { counted, formatCount } from "#shared/format.ts";
import { formatPaise, type Paise } from "#shared/money.ts";
import {
  awaitsPickup,
  type Fulfilment,
  nextState,
  type OrderPlace,
  type OrderState,
  OTHER_TITLES,
  STATE_NAMES,
  stateTitle,
} from "#shared/order-states.ts";
import {
  duePaise,
  METHOD_NAMES,
  PAYMENT_NAMES,
  type PayableOrder,
  paymentStatus,
  statusPaise,
} from "#shared/payment.ts";
import { PAYMENT_METHODS } from "#shared/schemas/payments.ts";
import type { MovableOrder } from "./order-types.ts";

/** How an order reaches the student. */
export const FULFILMENT_NAMES: Record<Fulfilment, string> = {
  pickup: "Pickup",
  delivery: "Delivery",
  counter: "At the counter",
};

/** How money is taken or given back, to choose from. */
export const METHODS = PAYMENT_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }));

/** Labels of the buttons that move an order into a state. */
export const MOVE_NAMES: Record<OrderState, string> = {
  placed: "",
  printing: "Start printing",
  printed: "Mark printed",
  dispatched: "Dispatch",
  delivered: "Mark delivered",
  cancelled: "Cancel",
};

/** The label of an order's state; a printed pickup order is "ready". */
export function stateName(order: OrderPlace): string {
  if (order.fulfilment === "counter") return OTHER_TITLES.counter[order.state] ?? STATE_NAMES[order.state];
  return awaitsPickup(order) ? "Ready for pickup" : STATE_NAMES[order.state];
}

/** The label of the next move; empty if there is none, or the order is on hold. */
export function nextMoveName(order: OrderPlace): string {
  if (order.heldAt) return "";
  if (awaitsPickup(order)) return "Hand over";
  const next = nextState(order);
  if (order.fulfilment === "counter" && next === "delivered") return "Hand over";
  return next ? MOVE_NAMES[next] : "";
}

/** What the last step of an order is called in its form. */
export function handOverTitle({ fulfilment }: OrderPlace): string {
  return fulfilment === "delivery" ? "Delivered:" : "Hand over";
}

/** Delivery and payment, such as `Pickup · Unpaid · UPI`. */
export function handlingText(order: PayableOrder): string {
  const payment = PAYMENT_NAMES[paymentStatus(order)];
  if (order.fulfilment === "counter")
    return `At the counter · ${payment}, ${formatPaise(statusPaise(order))}`;
  return order.fulfilment === "pickup" ? `Pickup · ${payment}` : payment;
}

/** Whether the next step ends the order and needs more than a press: its code, or the money that is owed. */
export function asksAtEnd(order: PayableOrder): boolean {
  return awaitsPickup(order) || (nextState(order) === "delivered" && duePaise(order) > 0);
}

/** Whether it can be handed over at the shop though it is still being printed: somebody waits for it. */
export function canHandOverEarly({ fulfilment, state, heldAt }: OrderPlace): boolean {
  return !heldAt && fulfilment !== "delivery" && state === "printing";
}

/** Rupees on a button, without paise where there are none. */
export function shortRupees(paise: Paise): string {
  return formatPaise(paise).replace(/\.00$/, "");
}

/** What is set at the printer and done afterwards; "No Binding" and the like say nothing. */
export function optionsText({ options }: { options: string[] }): string {
  // No line begins with a dot.
  return options.filter((name) => !/^no /i.test(name)).join("\u00a0· ");
}

/** Opens WhatsApp with a message to the student about the order. */
export function whatsAppLink(
  order: OrderPlace & {
    number: string;
    shop: { name: string };
    student: { fullName: string; phone: string };
  },
): string {
  const [firstName] = order.student.fullName.split(" ");
  const text = `Hello ${firstName}, this is ${order.shop.name} about your order ${order.number} (${stateTitle(order)}). `;
  return `https://wa.me/91${order.student.phone}?text=${encodeURIComponent(text)}`;
}

/** Such as `32 pages × 2`. */
export function jobText({ pages, copies }: { pages: number; copies: number }): string {
  return copies === 1 ? counted(pages, "page") : `${counted(pages, "page")} × ${formatCount(copies)}`;
}

/** A duration, such as `4 min`, `1 h 20 min` and `2 d`. */
export function ageText(ms: number): string {
  if (ms < MINUTE_MS) return "just now";
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} d`;
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const hours = `${Math.floor(ms / HOUR_MS)} h`;
  return minutes === 0 ? hours : `${hours} ${minutes} min`;
}

/** What to tell once an order is on hold. */
export function heldText({ number, fulfilment }: Pick<MovableOrder, "number" | "fulfilment">): string {
  return fulfilment === "counter"
    ? `Order ${number} is on hold`
    : `Order ${number} is on hold. The student gets an email`;
}

/** Why an order on hold cannot be moved or selected. */
export function onHoldText({ number }: Pick<MovableOrder, "number">): string {
  return `Order ${number} is on hold: release it first`;
}
