import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type Font, type GlyphRun } from "fontkit";
import * as harfbuzz from "harfbuzzjs";
import { onFirstUse } from "#shared/on-first-use.ts";
import { BASE_FONT, type FontFamily, OTHER_FONTS } from "../lib/font-families.ts";

export type FontWeight = "400Regular" | "700Bold";

/** Letters and marks belong to one script; digits, punctuation and spaces to every script. */
const BELONGS_TO_A_SCRIPT = /\p{L}|\p{M}/u;
const DEVANAGARI = /\p{Script=Devanagari}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const fontCache = new Map<string, Font>();

/** A part of a text that is set in one font and, where the base font has both, in Devanagari or in other letters. */
export interface Run {
  text: string;
  font: Font;
}

const segmenter = onFirstUse(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** The grapheme clusters of a text. */
export function graphemesOf(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/**
 * Splits a text into runs by the fonts that have its characters. Characters that no font has are drawn as a box by the base
 * font.
 */
export function splitIntoRuns(text: string, weight: FontWeight): Run[] {
  const runs: Run[] = [];
  let wasDevanagari: boolean | null = null;
  for (const character of graphemesOf(text)) {
    const last = runs.at(-1);
    const font = fontFor(character, weight, last?.font);
    const isDevanagari: boolean | null = BELONGS_TO_A_SCRIPT.test(character)
      ? DEVANAGARI.test(character)
      : wasDevanagari;
    // HarfBuzz shapes a run by the rules of one script.
    if (last?.font === font && (wasDevanagari ?? isDevanagari) === isDevanagari) last.text += character;
    else runs.push({ text: character, font });
    wasDevanagari = isDevanagari;
  }
  return runs;
}

/** Keeps the current font for digits, punctuation and spaces, so that a sentence is set in one font. */
function fontFor(character: string, weight: FontWeight, current: Font | undefined): Font {
  if (current && !BELONGS_TO_A_SCRIPT.test(character) && hasGlyphs(current, character)) return current;
  const base = open(BASE_FONT, weight);
  if (hasGlyphs(base, character)) return base;
  for (const family of OTHER_FONTS) {
    if (!family.covers.test(character)) continue;
    const font = open(family, weight);
    if (hasGlyphs(font, character)) return font;
  }
  return base;
}

function hasGlyphs(font: Font, character: string): boolean {
  return [...character].every(
    (point) => INVISIBLE.test(point) || font.hasGlyphForCodePoint(point.codePointAt(0) ?? 0),
  );
}

function open({ name, folder }: FontFamily, weight: FontWeight): Font {
  const file = `@expo-google-fonts/${folder}/${weight}/${name}_${weight}.ttf`;
  const known = fontCache.get(file);
  if (known) return known;
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(file)));
  const font = create(bytes) as Font;
  layOutWithHarfBuzz(font, bytes);
  fontCache.set(file, font);
  return font;
}

/** Shared by all texts, because it allocates WebAssembly memory, which is not garbage-collected. */
const buffer = new harfbuzz.Buffer();

/** Replaces fontkit's layout, which takes 15 ms for a name in Devanagari, by HarfBuzz. */
function layOutWithHarfBuzz(font: Font, bytes: Uint8Array): void {
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));
  font.layout = (text) => {
    buffer.reset();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(shaper, buffer);
    const found = buffer.getGlyphInfosAndPositions();
    const starts = found.map(({ cluster }) => cluster).sort((one, other) => one - other);
    let last = -1;
    const glyphs = found.map(({ codepoint: id, cluster }) => {
      // If several glyphs stand for the same characters, the first gets the text.
      const end = cluster === last ? cluster : starts.find((start) => start > cluster);
      last = cluster;
      return font.getGlyph(id, codePointsOf(text.slice(cluster, end)));
    });
    const positions = found.map(({ xAdvance = 0, yAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
      xAdvance,
      yAdvance,
      xOffset,
      yOffset,
    }));
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    return { glyphs, positions, advanceWidth } as GlyphRun;
  };
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
