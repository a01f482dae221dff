import { encode } from "uqr";
import type { Fact } from "#shared/order-jobs.ts";
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
  counts: Fact[];
  /** The chosen options, which staff set at the printer. */
  options: Fact[];
  message: string;
  files: TicketFile[];
  /** Destination, price and payment. */
  facts: Fact[];
  /** The ticket of two-sided prints needs an even number of pages, so that no print lands on its back. */
  isTwoSided: boolean;
}

interface TicketFile {
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
  for (const { label, value } of ticket.facts) drawRow(sheet, 96, sheet.block(label, TEXT), [[value, TEXT]]);
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

/** Draws facts in columns, each value below its label. */
function drawColumns(sheet: Sheet, facts: Fact[], columns: number, style: TextPosition): void {
  const width = (sheet.width - (columns - 1) * GAP) / columns;
  for (let first = 0; first < facts.length; first += columns) {
    const row = facts.slice(first, first + columns).map(({ label, value }, column): Block[] => {
      const x = sheet.left + column * (width + GAP);
      return [sheet.block(label, { ...LABEL, x, width }), sheet.block(value, { ...style, x, width })];
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
