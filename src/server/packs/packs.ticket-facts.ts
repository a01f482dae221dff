import { formatCount } from "#shared/counted.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { chosenPagesText } from "#shared/page-words.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import type { Deps } from "../context.ts";
import type { OrderDetail } from "../queue/queue.detail.service.ts";
import type { Ticket, TicketFact } from "../sheets/ticket.ts";

/** What the ticket says of an order. */
export function ticketOf(deps: Pick<Deps, "publicUrl">, order: OrderDetail): Ticket {
  const { id, number, shop, student, pages, copies, quote, files } = order;
  return {
    number,
    link: `${deps.publicUrl()}/admin/orders?order=${id}`,
    shop: shop.name,
    placed: indianTime(order.placedAt),
    student: student.fullName,
    phone: student.phone,
    counts: [
      { name: "Copies", value: formatCount(copies) },
      { name: "Pages", value: formatCount(pages) },
      { name: "Sheets", value: formatCount(quote.sheets) },
    ],
    options: quote.lines.map(({ kind, name }) => ({ name: OPTION_FIELDS[kind].label, value: name })),
    message: order.message,
    files: files.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    facts: [
      ...(order.reprintOf ? [{ name: "Reprint of", value: `Order ${order.reprintOf}, at no charge` }] : []),
      ...deliveryFacts(order),
      { name: "Total", value: formatPaise(order.totalPaise) },
      { name: "Payment", value: PAYMENT_NAMES[paymentStatus(order)] },
    ],
    isTwoSided: order.isTwoSided,
  };
}

function deliveryFacts({ address, fulfilment }: OrderDetail): TicketFact[] {
  if (fulfilment === "pickup") return [{ name: "Pickup", value: "The student comes to the shop" }];
  if (!address) return [];
  const { fullname, flatno, roadNo, country } = address;
  return [{ name: "Deliver to", value: [fullname, flatno, roadNo, country].join(", ") }];
}
