import { type Block, Sheet, type TextPosition } from "./sheet.ts";

/** The texts of a receipt. */
export interface Receipt {
  number: string;
  /** Such as order number, state, shop, student and delivery. */
  facts: { name: string; value: string }[];
  files: { name: string; pages: string }[];
  /** Numbers of pages, copies and sheets. */
  job: string;
  /** Price lines, in the order of the receipt; the total comes last. */
  prices: { label: string; note: string; amount: string; isTotal: boolean }[];
  /** Note below the title, such as when the receipt was made. */
  remark: string;
}

/** Widths of columns, in points. */
const FACT_NAMES = 96;
const NUMBERS = 28;
const FILE_PAGES = 170;
const NOTES = 150;
const AMOUNTS = 90;
const GAP = 6;
/** Approximate height of a price line, in points. */
const PRICE_HEIGHT = 23;
const BRAND: TextPosition = { size: 14, weight: "700Bold" };
const TITLE: TextPosition = { size: 26, weight: "700Bold" };
const HEADING: TextPosition = { size: 14, weight: "700Bold" };
const TEXT: TextPosition = { size: 11, weight: "400Regular" };
const TOTAL: TextPosition = { size: 14, weight: "700Bold" };
const NOTE: TextPosition = { size: 9, weight: "400Regular" };

export function drawReceipt(receipt: Receipt): Sheet {
  const sheet = new Sheet(`Print Store, receipt for order ${receipt.number}`);
  sheet.write(
    sheet.block("Print Store", BRAND),
    sheet.block("Receipt", TITLE),
    sheet.block(receipt.remark, NOTE),
  );
  sheet.rule();
  for (const { name, value } of receipt.facts) drawFact(sheet, name, value);
  sheet.rule();
  drawFiles(sheet, receipt);
  sheet.rule();
  drawPrices(sheet, receipt);
  return sheet;
}

function drawFact(sheet: Sheet, name: string, value: string): void {
  const place = { x: sheet.left + FACT_NAMES, width: sheet.width - FACT_NAMES };
  drawRow(sheet, [sheet.block(name, TEXT)], [sheet.block(value, { ...TEXT, ...place })]);
}

function drawFiles(sheet: Sheet, { files, job }: Receipt): void {
  const names = { x: sheet.left + NUMBERS, width: sheet.width - NUMBERS - FILE_PAGES - GAP };
  sheet.write(sheet.block("Print job", HEADING), sheet.block(job, TEXT));
  for (const [index, { name, pages }] of files.entries()) {
    drawRow(
      sheet,
      [sheet.block(`${index + 1}`, TEXT)],
      [sheet.block(name, { ...TEXT, ...names })],
      [atRight(sheet, pages, FILE_PAGES, TEXT)],
    );
  }
}

/** All price lines are on one page, so that the sum can be checked. */
function drawPrices(sheet: Sheet, { prices }: Receipt): void {
  sheet.makeRoom(prices.length * PRICE_HEIGHT);
  sheet.write(sheet.block("Price", HEADING));
  for (const { label, note, amount, isTotal } of prices) {
    const style = isTotal ? TOTAL : TEXT;
    const width = sheet.width - NOTES - AMOUNTS;
    const notes = { x: sheet.left + width, width: NOTES };
    if (isTotal) sheet.rule();
    drawRow(
      sheet,
      [sheet.block(label, { ...style, width })],
      [sheet.block(note, { ...TEXT, ...notes })],
      [atRight(sheet, amount, AMOUNTS, style)],
    );
  }
}

function drawRow(sheet: Sheet, ...columns: Block[][]): void {
  sheet.y += GAP;
  sheet.writeBeside(...columns);
}

/** A right-aligned block of this width at the right margin. */
function atRight(sheet: Sheet, text: string, width: number, style: TextPosition): Block {
  return sheet.block(text, { ...style, x: sheet.left + sheet.width - width, width, align: "right" });
}
