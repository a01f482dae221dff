import type { Fact } from "#shared/order-jobs.ts";
import { type Block, BRAND_YELLOW, INK, Sheet, type TextPosition } from "./sheet.ts";

/** A line with an amount at its end. */
export interface AmountLine {
  label: string;
  note: string;
  amount: string;
  isTotal: boolean;
}

/** The texts of a receipt, which is called an order summary while it is unpaid and a tax invoice once there is one. */
export interface Receipt {
  title: string;
  number: string;
  /** What matters most, such as `Paid in full`. */
  headline: string;
  /** Such as order number, state, shop, student and delivery. */
  facts: Fact[];
  files: { name: string; pages: string }[];
  /** Numbers of pages, copies and sheets. */
  job: string;
  /** The parts of an order that has several. */
  parts: Fact[];
  /** Price lines, in the order of the receipt; the total comes last. */
  prices: AmountLine[];
  /** The GST within the total; empty unless it is a tax invoice. */
  taxes: AmountLine[];
  /** Payments and refunds, and the balance. */
  payments: AmountLine[];
  /** Note at the end, such as when the receipt was made. */
  remark: string;
  /** Credit and debit notes; each has a page of its own. */
  notes: ReceiptNote[];
}

export interface ReceiptNote {
  title: string;
  facts: Fact[];
  lines: AmountLine[];
}

/** Widths of columns, in points. */
const FACT_NAMES = 84;
const COLUMN_GAP = 12;
const NUMBERS = 24;
const FILE_PAGES = 170;
const NOTES = 170;
const AMOUNTS = 90;
const GAP = 1;
/** Approximate height of a line with an amount, in points. */
const LINE_HEIGHT = 15;
const LOGO = 34;
const BAND = 30;
const PALE = "#fff0c9";
const GREY = "#4a5668";
const LINE = "#d5dae0";
const BRAND: TextPosition = { size: 15, weight: "700Bold", colour: INK };
const TITLE: TextPosition = { size: 22, weight: "700Bold", colour: INK };
const HEADLINE: TextPosition = { size: 12.5, weight: "700Bold", colour: INK };
const HEADING: TextPosition = { size: 12, weight: "700Bold", colour: INK };
const TEXT: TextPosition = { size: 9.5, weight: "400Regular", colour: INK };
const LABEL: TextPosition = { size: 9.5, weight: "400Regular", colour: GREY };
const TOTAL: TextPosition = { size: 12, weight: "700Bold", colour: INK };
const NOTE: TextPosition = { size: 8.5, weight: "400Regular", colour: GREY };

export function drawReceipt(receipt: Receipt): Sheet {
  const { title, number, headline, facts, prices, taxes, payments, remark, notes } = receipt;
  const sheet = new Sheet(`Print Store, ${title.toLowerCase()} for order ${number}`);
  drawHead(sheet, title, headline);
  drawFacts(sheet, facts);
  sheet.rule(LINE);
  drawFiles(sheet, receipt);
  sheet.rule(LINE);
  drawLines(sheet, "Price", prices);
  drawLines(sheet, "GST within the total", taxes);
  drawLines(sheet, "Payments", payments);
  sheet.y += 4 * GAP;
  // Its last lines are not left alone on another page.
  sheet.writeBeside([sheet.block(remark, NOTE)]);
  for (const note of notes) drawNote(sheet, note);
  return sheet;
}

function drawHead(sheet: Sheet, title: string, headline: string): void {
  const top = sheet.y;
  sheet.drawLogo(sheet.left, top, LOGO);
  const x = sheet.left + LOGO + 8;
  sheet.y = top + 6;
  sheet.write(sheet.block("Print Store", { ...BRAND, x, width: 150 }));
  sheet.y = top;
  sheet.write(atRight(sheet, title, sheet.width - 210, TITLE));
  sheet.y = top + LOGO + 8;
  sheet.band(3, BRAND_YELLOW);
  sheet.y += 12;
  if (headline) {
    sheet.band(BAND, PALE);
    sheet.y += 7;
    sheet.write(sheet.block(headline, { ...HEADLINE, x: sheet.left + 10, width: sheet.width - 20 }));
    sheet.y += 10;
  }
}

/** Two short facts that follow each other share a line. */
function drawFacts(sheet: Sheet, facts: Fact[]): void {
  const half = (sheet.width - COLUMN_GAP) / 2;
  const atHalf = sheet.left + half + COLUMN_GAP;
  const isShort = (fact: Fact | undefined) =>
    fact && factBlocks(sheet, fact, sheet.left, half)[1].lines.length === 1;
  for (let next = 0; next < facts.length; next++) {
    const [fact, neighbour] = facts.slice(next);
    if (!fact) return;
    const isPair = neighbour && isShort(fact) && isShort(neighbour);
    const first = factBlocks(sheet, fact, sheet.left, isPair ? half : sheet.width);
    const second = isPair ? factBlocks(sheet, neighbour, atHalf, half) : [];
    drawRow(sheet, ...[...first, ...second].map((block) => [block]));
    if (isPair) next++;
  }
}

/** The label and the value beside it. */
function factBlocks(sheet: Sheet, { label, value }: Fact, x: number, width: number): [Block, Block] {
  const place = { x: x + FACT_NAMES, width: width - FACT_NAMES };
  return [sheet.block(label, { ...LABEL, x, width: FACT_NAMES }), sheet.block(value, { ...TEXT, ...place })];
}

function drawFiles(sheet: Sheet, { files, job, parts }: Receipt): void {
  const names = { x: sheet.left + NUMBERS, width: sheet.width - NUMBERS - FILE_PAGES - GAP };
  sheet.write(sheet.block("Print job", HEADING), sheet.block(job, TEXT));
  for (const [index, { name, pages }] of files.entries()) {
    drawRow(
      sheet,
      [sheet.block(`${index + 1}`, LABEL)],
      [sheet.block(name, { ...TEXT, ...names })],
      [atRight(sheet, pages, FILE_PAGES, TEXT)],
    );
  }
  for (const part of parts) {
    drawRow(sheet, ...factBlocks(sheet, part, sheet.left, sheet.width).map((block) => [block]));
  }
}

/** The lines are on one page, so that the sum can be checked. */
function drawLines(sheet: Sheet, heading: string, lines: AmountLine[]): void {
  if (lines.length === 0) return;
  sheet.makeRoom((lines.length + 2) * LINE_HEIGHT);
  sheet.y += 6 * GAP;
  sheet.write(sheet.block(heading, HEADING));
  for (const { label, note, amount, isTotal } of lines) {
    const style = isTotal ? TOTAL : TEXT;
    const width = sheet.width - NOTES - AMOUNTS;
    const notes = { x: sheet.left + width, width: NOTES };
    drawRow(
      sheet,
      [sheet.block(label, { ...style, width })],
      [sheet.block(note, { ...LABEL, ...notes })],
      [atRight(sheet, amount, AMOUNTS, style)],
    );
  }
}

function drawNote(sheet: Sheet, { title, facts, lines }: ReceiptNote): void {
  sheet.addPage();
  drawHead(sheet, title, "");
  drawFacts(sheet, facts);
  sheet.rule(LINE);
  drawLines(sheet, "Amount", lines);
}

function drawRow(sheet: Sheet, ...columns: Block[][]): void {
  sheet.y += GAP;
  sheet.writeBeside(...columns);
}

/** A right-aligned block of this width at the right margin. */
function atRight(sheet: Sheet, text: string, width: number, style: TextPosition): Block {
  return sheet.block(text, { ...style, x: sheet.left + sheet.width - width, width, align: "right" });
}
