import bidiFactory, { type Bidi } from "bidi-js";
import { charactersOf, type Run, runsOf, type Weight } from "./sheets.fonts.ts";

export interface TypeStyle {
  /** In points. */
  size: number;
  weight: Weight;
}

export interface Line {
  text: string;
  /** Which way the paragraph is read that the line belongs to. */
  isRightToLeft: boolean;
}

/** What the package exports is the function itself, whatever its types say. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const RIGHT_TO_LEFT = /\p{Script=Arabic}/u;
/** A line may end behind spaces, and behind what people set apart parts of file names with. */
const WORD = /\S*?[-_/.,]+(?=\S)|\S+|\s+/g;

/** The text in lines of at most so many points. Line breaks of its own are kept; a word wider than a line is cut. */
export function wrap(text: string, style: TypeStyle, width: number): Line[] {
  return readable(text)
    .split("\n")
    .flatMap((paragraph) => {
      const isRightToLeft = bidi.getEmbeddingLevels(paragraph, "auto").paragraphs[0]?.level === 1;
      return wrapParagraph(paragraph, style, width).map((line) => ({ text: line, isRightToLeft }));
    });
}

/** Text that any font can be asked for: without halves of characters, and without characters that steer devices. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[[\p{Cc}\p{Cs}]--\n]/gv, " ");
}

function wrapParagraph(paragraph: string, style: TypeStyle, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const part of measured(paragraph, style, width)) {
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

/** The words with their widths in points; the single characters of those that no line could hold. */
function measured(paragraph: string, style: TypeStyle, width: number): { text: string; width: number }[] {
  const measure = (text: string) => ({ text, width: widthOf(text, style) });
  return (paragraph.match(WORD) ?? []).flatMap((text) => {
    const word = measure(text);
    return word.width > width ? charactersOf(text).map(measure) : [word];
  });
}

/** In points. */
export function widthOf(text: string, { size, weight }: TypeStyle): number {
  return runsOf(text, weight).reduce((sum, run) => sum + runWidth(run, size), 0);
}

export function runWidth({ text, font }: Run, size: number): number {
  return (font.layout(text).advanceWidth / font.unitsPerEm) * size;
}

/** The runs of a line from left to right, whichever way they are read. */
export function visualRuns({ text, isRightToLeft }: Line, weight: Weight): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, isRightToLeft ? "rtl" : "ltr");
  const runs = stretchesOf(text, levels).flatMap((stretch) =>
    runsOf(stretch.text, weight).map((run) => ({ ...facing(run, stretch.level), level: stretch.level })),
  );
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) turnRuns(runs, level);
  return runs;
}

/** Letters from right to left have the brackets between them turned as they are laid out; others do not know of it. */
function facing(run: Run, level: number): Run {
  if (level % 2 === 0 || RIGHT_TO_LEFT.test(run.text)) return run;
  const text = Array.from(run.text, (character) => bidi.getMirroredCharacter(character) ?? character).join(
    "",
  );
  return { ...run, text };
}

/** Parts of the line of one direction. */
function stretchesOf(line: string, levels: Uint8Array): { text: string; level: number }[] {
  const stretches: { text: string; level: number }[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at] ?? 0;
    const character = line.charAt(at);
    const last = stretches.at(-1);
    if (last?.level === level) last.text += character;
    else stretches.push({ text: character, level });
  }
  return stretches;
}

/** Reverses every sequence of runs of at least this level: the rule L2 of the Unicode bidirectional algorithm. */
function turnRuns(runs: { level: number }[], level: number): void {
  for (let start = 0; start < runs.length; start++) {
    let end = start;
    while ((runs[end]?.level ?? -1) >= level) end++;
    if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = end;
  }
}
