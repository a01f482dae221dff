import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type Font } from "@cantoo/fontkit";
import { onFirstUse } from "#shared/on-first-use.ts";

export type Weight = "400Regular" | "700Bold";

interface Family {
  /** How its files begin. */
  name: string;
  /** The package that it comes in. */
  folder: string;
  /** What it is there for. */
  covers: RegExp;
}

/** Latin with ₹, Greek, Cyrillic and Devanagari. */
const BASE: Family = { name: "NotoSans", folder: "noto-sans", covers: /./su };

/** The other scripts that are official somewhere in India, and the pictures that people write between words. */
const OTHERS: Family[] = [
  { name: "NotoSansBengali", folder: "noto-sans-bengali", covers: /\p{Script=Bengali}/u },
  { name: "NotoSansGurmukhi", folder: "noto-sans-gurmukhi", covers: /\p{Script=Gurmukhi}/u },
  { name: "NotoSansGujarati", folder: "noto-sans-gujarati", covers: /\p{Script=Gujarati}/u },
  { name: "NotoSansOriya", folder: "noto-sans-oriya", covers: /\p{Script=Oriya}/u },
  { name: "NotoSansTamil", folder: "noto-sans-tamil", covers: /\p{Script=Tamil}/u },
  { name: "NotoSansTelugu", folder: "noto-sans-telugu", covers: /\p{Script=Telugu}/u },
  { name: "NotoSansKannada", folder: "noto-sans-kannada", covers: /\p{Script=Kannada}/u },
  { name: "NotoSansMalayalam", folder: "noto-sans-malayalam", covers: /\p{Script=Malayalam}/u },
  { name: "NotoSansMeeteiMayek", folder: "noto-sans-meetei-mayek", covers: /\p{Script=Meetei_Mayek}/u },
  { name: "NotoSansOlChiki", folder: "noto-sans-ol-chiki", covers: /\p{Script=Ol_Chiki}/u },
  { name: "NotoSansArabic", folder: "noto-sans-arabic", covers: /\p{Script=Arabic}/u },
  { name: "NotoEmoji", folder: "noto-emoji", covers: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u },
];

/** Digits, punctuation and spaces belong to every script. */
const BELONGS_TO_A_SCRIPT = /\p{L}|\p{M}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const opened = new Map<string, Font>();

/** A part of a text that one font sets. */
export interface Run {
  text: string;
  font: Font;
}

const segmenter = onFirstUse(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** The characters of a text as people see them. */
export function charactersOf(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/** Divides a text among the fonts that have its characters. What none has, the base font draws as a box. */
export function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const character of charactersOf(text)) {
    const last = runs.at(-1);
    const font = fontFor(character, weight, last?.font);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

/** The font goes on through what belongs to every script, so that a sentence is set in one. */
function fontFor(character: string, weight: Weight, current: Font | undefined): Font {
  if (current && !BELONGS_TO_A_SCRIPT.test(character) && has(current, character)) return current;
  const base = open(BASE, weight);
  if (has(base, character)) return base;
  for (const family of OTHERS) {
    if (!family.covers.test(character)) continue;
    const font = open(family, weight);
    if (has(font, character)) return font;
  }
  return base;
}

function has(font: Font, character: string): boolean {
  return [...character].every(
    (point) => INVISIBLE.test(point) || font.hasGlyphForCodePoint(point.codePointAt(0) ?? 0),
  );
}

function open({ name, folder }: Family, weight: Weight): Font {
  const file = `@expo-google-fonts/${folder}/${weight}/${name}_${weight}.ttf`;
  const known = opened.get(file);
  if (known) return known;
  const font = create(readFileSync(fileURLToPath(import.meta.resolve(file)))) as Font;
  opened.set(file, font);
  return font;
}
