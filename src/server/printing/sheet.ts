import { buffer } from "node:stream/consumers";
import bidiFactory, { type Bidi } from "bidi-js";
import type { Font } from "fontkit";
import PDFDocument from "pdfkit";
import { A4 } from "#shared/sheet-layout.ts";
import { type FontWeight, graphemesOf, type Run, splitIntoRuns } from "./fonts.ts";

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** Accepts font objects too, which the package's types lack. */
      registerFont(name: string, font: Font): this;
    }
  }
}

const MARGIN = 42;
const FOOT = 12;
const FOOT_STYLE: TypeStyle = { size: 9, weight: "400Regular" };
const LINE_HEIGHT = 1.4;
/** Distance from the top of a line to its baseline, as a factor of the font size. */
const BASELINE = 1.06;
const RULE_ROOM = 8;
/** The two colours of the logo. */
export const INK = "#152033";
export const BRAND_YELLOW = "#ffb81f";

export interface TextPosition extends TypeStyle {
  x?: number;
  width?: number;
  align?: "left" | "right";
}

/** Text that is wrapped to its width. */
export interface Block {
  lines: Line[];
  x: number;
  width: number;
  align: "left" | "right";
  style: TypeStyle;
  height: number;
}

/**
 * A PDF document that is written from top to bottom, on as many A4 pages as needed, with text in any script. What has no
 * colour is black, to save ink.
 */
export class Sheet {
  readonly left = MARGIN;
  readonly width = A4.width - 2 * MARGIN;
  /** Where the next block is written, in points from the top of the page. */
  y = MARGIN;
  readonly #doc = new PDFDocument({ size: [A4.width, A4.height], margin: 0, autoFirstPage: false, font: "" });
  readonly #fonts = new Map<Font, string>();
  readonly #footer: string;
  #pages = 0;

  /** @param footer title of the document, printed at the bottom of every page before the page number */
  constructor(footer: string) {
    this.#footer = footer;
    this.#doc.info.Title = footer;
    this.addPage();
  }

  get pages(): number {
    return this.#pages;
  }

  addPage(): void {
    this.#doc.addPage();
    this.#pages++;
    this.y = MARGIN;
    const text = `${this.#footer}, page ${this.#pages}`;
    this.#drawLine({ text, isRightToLeft: false }, this.left, A4.height - MARGIN, FOOT_STYLE);
  }

  /** Begins a new page if this many points do not fit on the current one. */
  makeRoom(height: number): void {
    if (this.y + height > A4.height - MARGIN - FOOT) this.addPage();
  }

  block(text: string, { x = this.left, width = this.width, align = "left", ...style }: TextPosition): Block {
    const lines = wrap(text, style, width);
    return { lines, x, width, align, style, height: lines.length * style.size * LINE_HEIGHT };
  }

  /** Writes blocks below each other, on further pages if needed. */
  write(...blocks: Block[]): void {
    for (const { lines, x, width, align, style } of blocks) {
      for (const line of lines) {
        this.makeRoom(style.size * LINE_HEIGHT);
        const indent = align === "right" ? width - widthOf(line.text, style) : 0;
        this.#drawLine(line, x + indent, this.y, style);
        this.y += style.size * LINE_HEIGHT;
      }
    }
  }

  /** Writes columns of blocks side by side on one page, and continues below the longest. */
  writeBeside(...columns: Block[][]): void {
    const heights = columns.map((blocks) => blocks.reduce((sum, { height }) => sum + height, 0));
    this.makeRoom(Math.max(...heights));
    const top = this.y;
    for (const blocks of columns) {
      this.y = top;
      this.write(...blocks);
    }
    this.y = top + Math.max(...heights);
  }

  /** Draws a horizontal line. */
  rule(colour = "black"): void {
    this.y += RULE_ROOM;
    this.#doc
      .lineWidth(0.75)
      .strokeColor(colour)
      .moveTo(this.left, this.y)
      .lineTo(this.left + this.width, this.y)
      .stroke();
    this.y += RULE_ROOM;
  }

  /** Fills a band of this height across the page, from the current position down. */
  band(height: number, colour: string): void {
    this.#doc.roundedRect(this.left, this.y, this.width, height, 4).fill(colour);
  }

  /** Draws the store's logo, within a square of `size` points. */
  drawLogo(x: number, y: number, size: number): void {
    this.#doc
      .save()
      .translate(x, y)
      .scale(size / 32)
      .lineWidth(2)
      .lineJoin("round")
      .lineCap("round")
      .strokeColor(INK);
    this.#doc.path("M8 2.5h11l5.5 5.5v21.5H8z").fillAndStroke("white", INK);
    this.#doc.path("M19 2.5V8h5.5M12.5 12.5h8").stroke(INK);
    this.#doc.roundedRect(3, 17, 26.5, 7, 2).fillAndStroke(BRAND_YELLOW, INK);
    this.#doc.restore();
  }

  /** Draws a QR code: black squares where `rows` is true, within a square of `size` points. */
  drawSquares(rows: boolean[][], x: number, y: number, size: number): void {
    const side = size / rows.length;
    for (const [row, squares] of rows.entries()) {
      for (const [column, isBlack] of squares.entries()) {
        if (isBlack) this.#doc.rect(x + column * side, y + row * side, side, side);
      }
    }
    this.#doc.fill("black");
  }

  async toBytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#doc.end();
    return new Uint8Array(await buffer(this.#doc));
  }

  /**
   * Draws a line of text with its top at `y`. It is marked with its text, so that copying from the PDF gives the text and
   * not the glyphs.
   */
  #drawLine(line: Line, x: number, y: number, { size, weight, colour = "black" }: TypeStyle): void {
    let at = x;
    this.#doc.fillColor(colour);
    this.#doc.markContent("Span", { actual: line.text });
    for (const run of visualRuns(line, weight)) {
      this.#doc
        .font(this.#nameOf(run.font), size)
        .text(run.text, at, y + size * BASELINE, { lineBreak: false, baseline: "alphabetic", features: [] });
      at += runWidth(run, size);
    }
    this.#doc.endMarkedContent();
  }

  #nameOf(font: Font): string {
    const known = this.#fonts.get(font);
    if (known) return known;
    const name = `F${this.#fonts.size}`;
    this.#doc.registerFont(name, font);
    this.#fonts.set(font, name);
    return name;
  }
}

interface TypeStyle {
  /** In points. */
  size: number;
  weight: FontWeight;
  /** Such as `#152033`; black if not given. */
  colour?: string;
}

interface Line {
  text: string;
  /** Direction of its paragraph. */
  isRightToLeft: boolean;
}

/** The package exports the function itself, which differs from its types. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const RIGHT_TO_LEFT = /\p{Script=Arabic}/u;
/** Lines may break after spaces, and after the separators in file names. */
const WORD = /\S*?[-_/.,]+(?=\S)|\S+|\s+/g;

/** Line breaks that a text keeps: with 2,000 of them a message would print 50 pages that nobody pays for. */
const MAX_BREAKS = 15;

/** Wraps text to lines of at most `width` points, and splits words that are wider than a line. */
function wrap(text: string, style: TypeStyle, width: number): Line[] {
  return withFewBreaks(removeControlCharacters(text).split("\n")).flatMap((paragraph) => {
    const isRightToLeft = bidi.getEmbeddingLevels(paragraph, "auto").paragraphs[0]?.level === 1;
    return wrapParagraph(paragraph, style, width).map((line) => ({ text: line, isRightToLeft }));
  });
}

/** The lines after the last break that is kept follow each other, with slashes between. */
function withFewBreaks(lines: string[]): string[] {
  if (lines.length <= MAX_BREAKS + 1) return lines;
  const rest = lines.slice(MAX_BREAKS).map((line) => line.trim());
  return [...lines.slice(0, MAX_BREAKS), rest.filter(Boolean).join(" / ")];
}

/** Removes lone surrogates and control characters, which no font has. */
function removeControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[[\p{Cc}\p{Cs}]--\n]/gv, " ");
}

function wrapParagraph(paragraph: string, style: TypeStyle, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const part of measureWords(paragraph, style, width)) {
    if (line && used + part.width > width && part.text.trim()) {
      lines.push(line.trimEnd());
      line = "";
      used = 0;
    }
    line += part.text;
    used += part.width;
  }
  return [...lines, line.trimEnd()];
}

/** The words with their widths in points; a word that is wider than a line is split into characters. */
function measureWords(paragraph: string, style: TypeStyle, width: number): { text: string; width: number }[] {
  const measure = (text: string) => ({ text, width: widthOf(text, style) });
  return (paragraph.match(WORD) ?? []).flatMap((text) => {
    const word = measure(text);
    return word.width > width ? graphemesOf(text).map(measure) : [word];
  });
}

/** In points. */
function widthOf(text: string, { size, weight }: TypeStyle): number {
  return splitIntoRuns(text, weight).reduce((sum, run) => sum + runWidth(run, size), 0);
}

function runWidth({ text, font }: Run, size: number): number {
  return (font.layout(text).advanceWidth / font.unitsPerEm) * size;
}

/** The runs of a line in visual order, from left to right. */
function visualRuns({ text, isRightToLeft }: Line, weight: FontWeight): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, isRightToLeft ? "rtl" : "ltr");
  const runs = levelRunsOf(text, levels).flatMap((levelRun) =>
    splitIntoRuns(levelRun.text, weight).map((run) => ({
      ...mirrorBrackets(run, levelRun.level),
      level: levelRun.level,
    })),
  );
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) reverseRuns(runs, level);
  return runs;
}

/** Mirrors brackets in right-to-left text, except in Arabic script, where the layout does it. */
function mirrorBrackets(run: Run, level: number): Run {
  if (level % 2 === 0 || RIGHT_TO_LEFT.test(run.text)) return run;
  const text = Array.from(run.text, (character) => bidi.getMirroredCharacter(character) ?? character).join(
    "",
  );
  return { ...run, text };
}

/** Splits the line into parts of one embedding level. */
function levelRunsOf(line: string, levels: Uint8Array): { text: string; level: number }[] {
  const levelRuns: { text: string; level: number }[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at] ?? 0;
    const character = line.charAt(at);
    const last = levelRuns.at(-1);
    if (last?.level === level) last.text += character;
    else levelRuns.push({ text: character, level });
  }
  return levelRuns;
}

/** Reverses every sequence of runs of at least this level: the rule L2 of the Unicode bidirectional algorithm. */
function reverseRuns(runs: { level: number }[], level: number): void {
  for (let start = 0; start < runs.length; start++) {
    let end = start;
    while ((runs[end]?.level ?? -1) >= level) end++;
    if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = end;
  }
}
