import { PDFDocument, type PDFPage, rgb, StandardFonts } from "pdf-lib";
import sharp, { type Sharp } from "sharp";

const A4 = { width: 595, height: 842 };
/** An A4 page at 150 dots to the inch. */
const SCAN = { width: 1240, height: 1754 };

type DrawPage = (page: PDFPage) => Promise<unknown> | unknown;

/** Pages that people call grey, by what is on them; those below are called coloured. */
export const GREY_PAGES = {
  "black text": (page) => writeLines(page, rgb(0, 0, 0)),
  "grey text on a grey ground": (page) => {
    page.drawRectangle({ x: 0, y: 0, ...A4, color: rgb(0.95, 0.95, 0.95) });
    return writeLines(page, rgb(0.4, 0.4, 0.4));
  },
  "a grey scan": (page) => drawScan(page, { noise: 0, shift: 0, isGrey: true }),
  "a scan in colour of a grey page, with its noise": (page) => drawScan(page, { noise: 60, shift: 0 }),
  "a scan in colour whose red lies a pixel aside": (page) => drawScan(page, { noise: 30, shift: 1 }),
  "cream paper": (page) => drawScan(page, { noise: 20, shift: 0, paper: [250, 247, 238] }),
  nothing: () => undefined,
} satisfies Record<string, DrawPage>;

export const COLOUR_PAGES = {
  "one red hairline": (page) => {
    const [start, end] = [
      { x: 100, y: 400.3 },
      { x: 160, y: 400.3 },
    ];
    page.drawLine({ start, end, thickness: 0.1, color: rgb(1, 0, 0) });
    return writeLines(page, rgb(0, 0, 0));
  },
  "one blue word": async (page) => {
    await writeLines(page, rgb(0, 0, 0));
    page.drawText("link", { x: 100, y: 20, size: 10, color: rgb(0.02, 0.39, 0.76) });
  },
  "a form with a green field": (page) =>
    page.doc
      .getForm()
      .createTextField("name")
      .addToPage(page, { x: 50, y: 400, width: 60, height: 60, backgroundColor: rgb(0.2, 0.7, 0.3) }),
  "a pale green cell": (page) =>
    page.drawRectangle({ x: 50, y: 400, width: 100, height: 14, color: rgb(0.886, 0.937, 0.851) }),
  "a colour photo": async (page) => {
    const { data, info } = await noisyPaper({ noise: 20, shift: 0, paper: [120, 90, 60] });
    await drawJpeg(page, sharp(data, { raw: info }).jpeg({ quality: 60 }));
  },
} satisfies Record<string, DrawPage>;

const BLACK = rgb(0, 0, 0);

export const BLANK_PAGES = {
  nothing: () => undefined,
  "white text": (page) => page.drawText("Answer key", { x: 100, y: 400, size: 11, color: rgb(1, 1, 1) }),
  "the specks of a clean scan": (page) => {
    for (const x of [100, 220, 355, 410])
      page.drawCircle({ x, y: 2 * x, size: 0.4, color: rgb(0.2, 0.2, 0.2) });
  },
} satisfies Record<string, DrawPage>;

export const MARKED_PAGES = {
  "a form to be filled in": (page) =>
    page.doc.getForm().createCheckBox("agreed").addToPage(page, { x: 80, y: 400, width: 14, height: 14 }),
  "a page number": (page) => page.drawText("7", { x: 297, y: 40, size: 9, color: rgb(0.4, 0.4, 0.4) }),
  "a full stop": (page) => page.drawText(".", { x: 299, y: 402, size: 14, color: BLACK }),
  "pale lines to write on": (page) => {
    const [start, end] = [
      { x: 60, y: 400 },
      { x: 530, y: 400 },
    ];
    page.drawLine({ start, end, thickness: 0.25, color: rgb(0.85, 0.85, 0.85) });
  },
  "the grey paper of a scan": (page) =>
    drawScan(page, { noise: 20, shift: 0, isGrey: true, paper: [243, 243, 243] }),
} satisfies Record<string, DrawPage>;

export const EDGE_PAGES = {
  "a page number at the foot": (page) =>
    page.drawText("Page 12 of 30", { x: 280, y: 3, size: 9, color: BLACK }),
  "a running title at the head": (page) =>
    page.drawText("Chapter 4 Waves", { x: 230, y: 834, size: 9, color: BLACK }),
  "lines that begin at the left edge": async (page) => {
    for (let y = 300; y < 420; y += 30) page.drawText("Marks", { x: 2, y, size: 11, color: BLACK });
  },
  "a table whose last column ends at the right": (page) =>
    page.drawText("120.50", { x: 563, y: 500, size: 10, color: BLACK }),
} satisfies Record<string, DrawPage>;

export const INNER_PAGES = {
  "text with margins of half an inch": (page) => {
    for (const y of [36, 400, 795]) page.drawText("Waves carry energy", { x: 36, y, size: 11, color: BLACK });
  },
  "a dark slide": (page) => {
    page.drawRectangle({ x: 0, y: 0, ...A4, color: rgb(0.1, 0.1, 0.3) });
    page.drawText("Thank you", { x: 200, y: 400, size: 40, color: rgb(1, 1, 1) });
  },
  "a scan with a shadow along one side": (page) =>
    page.drawRectangle({ x: 0, y: 0, width: 9, height: A4.height, color: rgb(0.3, 0.3, 0.3) }),
  "a frame around everything": (page) =>
    page.drawRectangle({ x: 6, y: 6, width: 583, height: 830, borderWidth: 1, borderColor: BLACK }),
} satisfies Record<string, DrawPage>;

/** A PDF with these pages in order, all of one size in points. */
export async function pdfOf(
  pages: DrawPage[],
  size: [number, number] = [A4.width, A4.height],
): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (const draw of pages) await draw(document.addPage(size));
  return new Uint8Array(await document.save());
}

async function writeLines(page: PDFPage, color: ReturnType<typeof rgb>): Promise<void> {
  const font = await page.doc.embedFont(StandardFonts.TimesRoman);
  for (let y = 60; y < 800; y += 16) {
    page.drawText("Waves carry energy and no matter from one place to another", {
      x: 50,
      y,
      size: 11,
      font,
      color,
    });
  }
}

interface Scan {
  /** The noise in each channel, out of 255. */
  noise: number;
  /** How many pixels red is shifted against green and blue. */
  shift: number;
  paper?: [red: number, green: number, blue: number];
  isGrey?: boolean;
}

async function drawScan(page: PDFPage, scan: Scan): Promise<void> {
  const { data, info } = await noisyPaper(scan);
  const picture = sharp(data, { raw: info }).blur(0.6);
  await drawJpeg(page, (scan.isGrey ? picture.greyscale() : picture).jpeg({ quality: 50 }));
}

async function drawJpeg(page: PDFPage, picture: Sharp): Promise<void> {
  const image = await page.doc.embedJpg(await picture.toBuffer());
  page.drawImage(image, { x: 0, y: 0, ...A4 });
}

/** Paper with lines of letter-like strokes, as a scanner records it in three channels. */
async function noisyPaper({ noise, shift, paper = [250, 250, 250] }: Scan) {
  const { width, height } = SCAN;
  const data = Buffer.alloc(width * height * 3);
  const random = seededRandom();
  for (let at = 0; at < data.length; at++) {
    const channel = at % 3;
    const x = (((at - channel) / 3) % width) + (channel === 0 ? shift : 0);
    const ink = isInk(x, Math.floor(at / 3 / width)) ? 0.15 : 1;
    data[at] = Math.max(0, Math.min(255, (paper[channel] ?? 0) * ink + (random() - 0.5) * noise));
  }
  return { data, info: { width, height, channels: 3 as const } };
}

/** Strokes three pixels wide, in lines ten pixels high. */
function isInk(x: number, y: number): boolean {
  return y % 25 < 10 && x % 7 < 3 && (x * 31 + Math.floor(y / 25) * 17) % 11 < 8;
}

/** Produces the same numbers from 0 to 1 in every run. */
function seededRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}
