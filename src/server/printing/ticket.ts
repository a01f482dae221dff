import { encode } from "uqr";
import { counted, formatCount } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { areFilesDivided, filesOfJob, layoutText, type OrderJob, partFacts } from "#shared/order-jobs.ts";
import { flipText } from "#shared/paper-sizes.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import { chosenPagesText, countPrintedOfEach, NO_PAGES } from "#shared/print-pages.ts";
import type { Deps } from "../context.ts";
import type { StaffOrder } from "../orders/board/detail.service.ts";
import { type Block, Sheet, type TextPosition } from "./sheet.ts";

/** The texts of the ticket, a cover sheet for the prints of an order. */
export interface Ticket {
  number: string;
  /** URL of the order in the console, as a QR code. */
  link: string;
  shop: string;
  /** Time of the order, in Indian time. */
  placed: string;
  student: string;
  phone: string;
  /** Copies, pages and sheets. */
  counts: TicketFact[];
  /** The chosen options, which staff set at the printer. */
  options: TicketFact[];
  message: string;
  files: TicketFile[];
  /** Destination, price and payment. */
  facts: TicketFact[];
  /** The ticket of two-sided prints needs an even number of pages, so that no print lands on its back. */
  isTwoSided: boolean;
}

interface TicketFact {
  name: string;
  value: string;
}

export interface TicketFile {
  name: string;
  /** The pages that are printed. */
  pages: string;
}

const CODE_SIZE = 104;
const GAP = 16;
const NUMBER: TextPosition = { size: 40, weight: "700Bold" };
const NAME: TextPosition = { size: 22, weight: "700Bold" };
const BIG: TextPosition = { size: 19, weight: "700Bold" };
const COUNT: TextPosition = { size: 34, weight: "700Bold" };
const TEXT: TextPosition = { size: 12, weight: "400Regular" };
const STRONG: TextPosition = { size: 12, weight: "700Bold" };
const LABEL: TextPosition = { size: 10, weight: "400Regular" };
const MESSAGE: TextPosition = { size: 15, weight: "400Regular" };

/** The sheet before a file, which tells where it begins in the stack. */
export interface Separator {
  number: string;
  /** Which of the files it is, such as "File 2 of 3". */
  place: string;
  name: string;
  /** Its back stays blank, so that no print lands there. */
  isTwoSided: boolean;
}

export function drawSeparator({ number, place, name, isTwoSided }: Separator): Sheet {
  const sheet = new Sheet(`Order ${number}, separator sheet`);
  sheet.write(sheet.block(number, TEXT), sheet.block(place, NAME), sheet.block(name, NUMBER));
  if (isTwoSided && sheet.pages % 2 === 1) sheet.addPage();
  return sheet;
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

/** Draws the ticket: what must be readable from a distance is large and at the top, the details are below. */
export function drawTicket(ticket: Ticket): Sheet {
  const sheet = new Sheet(`Order ${ticket.number}`);
  drawHead(sheet, ticket);
  sheet.rule();
  drawColumns(sheet, ticket.counts, ticket.counts.length, COUNT);
  sheet.rule();
  drawColumns(sheet, ticket.options, 2, BIG);
  sheet.rule();
  if (ticket.message) {
    sheet.write(sheet.block("Message", LABEL), sheet.block(ticket.message, MESSAGE));
    sheet.rule();
  }
  for (const [index, { name, pages }] of ticket.files.entries()) {
    drawRow(sheet, 28, sheet.block(`${index + 1}`, STRONG), [
      [name, STRONG],
      [pages, TEXT],
    ]);
  }
  sheet.rule();
  for (const { name, value } of ticket.facts) drawRow(sheet, 96, sheet.block(name, TEXT), [[value, TEXT]]);
  if (ticket.isTwoSided && sheet.pages % 2 === 1) sheet.addPage();
  return sheet;
}

function drawHead(sheet: Sheet, { number, link, shop, placed, student, phone }: Ticket): void {
  const top = sheet.y;
  const width = sheet.width - CODE_SIZE - GAP;
  const { data } = encode(link, { ecc: "M", border: 0 });
  sheet.drawSquares(data, sheet.left + sheet.width - CODE_SIZE, top, CODE_SIZE);
  sheet.write(
    sheet.block(number, { ...NUMBER, width }),
    sheet.block(student, { ...NAME, width }),
    sheet.block([phone, shop, placed].filter(Boolean).join(" · "), { ...TEXT, width }),
  );
  sheet.y = Math.max(sheet.y, top + CODE_SIZE);
}

/** Draws facts in columns, each value below its name. */
function drawColumns(sheet: Sheet, facts: TicketFact[], columns: number, style: TextPosition): void {
  const width = (sheet.width - (columns - 1) * GAP) / columns;
  for (let first = 0; first < facts.length; first += columns) {
    const row = facts.slice(first, first + columns).map(({ name, value }, column): Block[] => {
      const x = sheet.left + column * (width + GAP);
      return [sheet.block(name, { ...LABEL, x, width }), sheet.block(value, { ...style, x, width })];
    });
    sheet.writeBeside(...row);
  }
}

/** Draws texts below each other, with a label to their left. */
function drawRow(sheet: Sheet, indent: number, about: Block, texts: [string, TextPosition][]): void {
  const place = { x: sheet.left + indent, width: sheet.width - indent };
  sheet.writeBeside(
    [about],
    texts.map(([text, style]) => sheet.block(text, { ...style, ...place })),
  );
}

/** The ticket of one of the order's jobs; that of a part says which pages are printed elsewhere, so that all is put together. */
export function ticketOf(deps: Pick<Deps, "publicUrl">, order: StaffOrder, part: number): Ticket {
  const { id, number, shop, student, copies, files } = order;
  const [job, quoted] = [order.jobs[part], order.quote.jobs[part]];
  if (!job || !quoted) throw new Error("the order has no such job");
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
      ...(isDivided ? [{ name: "Part", value: `${part + 1} of ${order.jobs.length}` }] : []),
      { name: "Copies", value: formatCount(copies) },
      { name: "Pages", value: formatCount(quoted.pages) },
      { name: "Sheets", value: formatCount(quoted.sheets) },
    ],
    options: [
      ...quoted.lines.map(({ kind, name }) => ({ name: OPTION_FIELDS[kind].label, value: name })),
      ...(flip ? [{ name: "Turn over", value: flip }] : []),
      // The pages are in place in the pack already, so the printer must not place them once more.
      ...(layout ? [{ name: "Pages, as placed in this pack", value: layout }] : []),
    ],
    message: order.message,
    files: printed.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    facts: [
      ...(order.reprintOf ? [{ name: "Reprint of", value: `Order ${order.reprintOf}, at no charge` }] : []),
      ...deliveryFacts(order),
      ...otherParts(order, part),
      ...(separators > 0
        ? [{ name: "Not counted", value: `+ ${counted(separators, "separator sheet")} between the files` }]
        : []),
      { name: "Total", value: formatPaise(order.totalPaise) },
      { name: "Payment", value: PAYMENT_NAMES[paymentStatus(order)] },
    ],
    isTwoSided: quoted.sides === 2,
  };
}

/** What is printed with other settings, maybe on another printer, and belongs to this. */
function otherParts(order: StaffOrder, part: number): TicketFact[] {
  const others = partFacts(order).filter((_, at) => at !== part);
  if (others.length === 0) return [];
  return [
    ...others.map(({ label, value }) => ({ name: label, value })),
    {
      name: "Put together",
      value: areFilesDivided(order.jobs)
        ? "Lay the parts together in the order of the files and their pages"
        : "Each file is whole in one part",
    },
  ];
}

function deliveryFacts({ address, fulfilment }: StaffOrder): TicketFact[] {
  if (fulfilment === "counter") return [{ name: "At the counter", value: "The person waits for it" }];
  if (fulfilment === "pickup") return [{ name: "Pickup", value: "The student comes to the shop" }];
  if (!address) return [];
  const { fullname, flatno, roadNo, country } = address;
  return [{ name: "Deliver to", value: [fullname, flatno, roadNo, country].join(", ") }];
}
