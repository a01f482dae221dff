import { addressLine, counted, formatCount } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import {
  areFilesDivided,
  type Fact,
  filesOfJob,
  layoutText,
  type OrderJob,
  partFacts,
} from "#shared/order-jobs.ts";
import { flipText } from "#shared/paper-sizes.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import type { JobQuote } from "#shared/pricing.ts";
import { chosenPagesText, countPrintedOfEach, NO_PAGES } from "#shared/print-pages.ts";
import type { Deps } from "../context.ts";
import type { StaffOrder } from "../orders/board/board.service.ts";
import type { Separator, Ticket } from "./ticket.ts";

/** An order and which of its jobs is printed: jobs differ in what is set at the printer, so each has a pack of its own. */
export interface OrderPart {
  order: StaffOrder;
  /** From 0. */
  part: number;
  job: OrderJob;
  quoted: JobQuote;
}

export function orderPart(order: StaffOrder, part: number): OrderPart {
  const [job, quoted] = [order.jobs[part], order.quote.jobs[part]];
  if (!job || !quoted) throw new Error("the order has no such job");
  return { order, part, job, quoted };
}

/** The ticket of one of the order's jobs; that of a part says which pages are printed elsewhere, so that all is put together. */
export function ticketOf(deps: Pick<Deps, "publicUrl">, { order, part, job, quoted }: OrderPart): Ticket {
  const { id, number, shop, student, copies, files } = order;
  const isDivided = order.jobs.length > 1;
  const printed = isDivided
    ? filesOfJob(files, job).filter(({ pageRanges }) => pageRanges !== NO_PAGES)
    : files;
  const layout = layoutText(job);
  const separators = separatorsOf(order, job, quoted.sides).filter(Boolean).length;
  const flip = quoted.sides === 2 ? flipText(filesOfJob(files, job), job) : null;
  return {
    number,
    link: `${deps.publicUrl()}/admin/orders?order=${id}`,
    shop: shop.name,
    placed: indianTime(order.placedAt),
    student: student.fullName,
    phone: student.phone,
    counts: [
      ...(isDivided ? [{ label: "Part", value: `${part + 1} of ${order.jobs.length}` }] : []),
      { label: "Copies", value: formatCount(copies) },
      { label: "Pages", value: formatCount(quoted.pages) },
      { label: "Sheets", value: formatCount(quoted.sheets) },
    ],
    options: [
      ...quoted.lines.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name })),
      ...(flip ? [{ label: "Turn over", value: flip }] : []),
      // The pages are in place in the pack already, so the printer must not place them once more.
      ...(layout ? [{ label: "Pages, as placed in this pack", value: layout }] : []),
    ],
    message: order.message,
    files: printed.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    facts: [
      ...(order.reprintOf ? [{ label: "Reprint of", value: `Order ${order.reprintOf}, at no charge` }] : []),
      ...deliveryFacts(order),
      ...otherParts(order, part),
      ...(separators > 0
        ? [{ label: "Not counted", value: `+ ${counted(separators, "separator sheet")} between the files` }]
        : []),
      { label: "Total", value: formatPaise(order.totalPaise) },
      { label: "Payment", value: PAYMENT_NAMES[paymentStatus(order)] },
    ],
    isTwoSided: quoted.sides === 2,
  };
}

/** What is printed with other settings, maybe on another printer, and belongs to this. */
function otherParts(order: StaffOrder, part: number): Fact[] {
  const others = partFacts(order).filter((_, at) => at !== part);
  if (others.length === 0) return [];
  return [
    ...others,
    {
      label: "Put together",
      value: areFilesDivided(order.jobs)
        ? "Lay the parts together in the order of the files and their pages"
        : "Each file is whole in one part",
    },
  ];
}

function deliveryFacts({ address, fulfilment }: StaffOrder): Fact[] {
  if (fulfilment === "counter") return [{ label: "At the counter", value: "The person waits for it" }];
  if (fulfilment === "pickup") return [{ label: "Pickup", value: "The student comes to the shop" }];
  return address ? [{ label: "Deliver to", value: addressLine(address) }] : [];
}

/**
 * The sheet before each file of a job, where the shop wants them: none before the first that is printed, and none before a file
 * that is not.
 */
export function separatorsOf(
  { shop, number, files }: StaffOrder,
  job: OrderJob,
  sides: number,
): (Separator | null)[] {
  const counts = countPrintedOfEach(filesOfJob(files, job));
  const printed = counts.filter((count) => count > 0).length;
  return files.map(({ name }, at) => {
    const before = counts.slice(0, at).filter((count) => count > 0).length;
    if (!shop.separatesFiles || before === 0 || counts[at] === 0) return null;
    return { number, place: `File ${before + 1} of ${printed}`, name, isTwoSided: sides === 2 };
  });
}
