import { writeSync } from "node:fs";
import { type PdfEntry, type PdfObject, type PdfValue, readObjects, readText } from "./syntax.ts";

/** Searches the bytes that PDFium writes. */
export interface WrittenText {
  see(bytes: Uint8Array): void;
  isFound(): boolean;
}

/** Longer than any match, which may begin in one piece and end in the next. */
const OVERLAP_BYTES = 128;
const LAYER = "/OCG";
/**
 * A layer that is off when the document opens or prints, or something that shows by a rule. PDFium compresses streams and
 * writes names plainly, so hardly anything else matches.
 */
const HIDDEN =
  /\/OFF\s*(?:\[\s*)?\d+ \d+ R|\/(?:BaseState|PrintState)\s*\/OFF|\/P\s*\/(?:AllOff|AnyOff)|\/VE\s*[[\d]/;

/** Finds whether something belongs to a layer. */
export function layerText(): WrittenText {
  return textWhere((bytes) => bytes.includes(LAYER));
}

/** Finds whether a layer may be hidden in print. */
export function hiddenLayerText(): WrittenText {
  return textWhere((bytes) => HIDDEN.test(bytes.toString("latin1")));
}

function textWhere(isIn: (bytes: Buffer) => boolean): WrittenText {
  let before = Buffer.alloc(0);
  let isFound = false;
  return {
    see(bytes) {
      if (isFound) return;
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      // Only the ends are copied: the document may have a hundred megabytes.
      const seam = Buffer.concat([before, piece.subarray(0, OVERLAP_BYTES)]);
      isFound = isIn(seam) || isIn(piece);
      before = Buffer.concat([before, piece.subarray(-OVERLAP_BYTES)]).subarray(-OVERLAP_BYTES);
    },
    isFound: () => isFound,
  };
}

const words = (text: string) => new Set(text.split(" "));

/**
 * All that a page needs to be drawn. Other entries are actions, data of other programs, or `UserUnit`, which PDFium does not know: a
 * page that was fitted to its paper would be several times as large for printers that do.
 */
const OF_PAGES = words(
  "Type Parent MediaBox CropBox BleedBox TrimBox ArtBox Rotate Resources Contents Group",
);
const OF_CATALOGS = words("Type Pages");
const OF_RESOURCES = words("ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties");
/** Other entries say when a layer shows, which not all programs obey. */
const OF_LAYERS = words("Type Name");
/** Entries of streams that lead to another file, to a picture for print only, or to data that is not drawn. */
const NOT_OF_STREAMS = words("F FFilter FDecodeParms Ref OPI Alternates AF Metadata PieceInfo AA A");
/** Types of objects that are never drawn. PostScript (`PS`) would run in the printer. */
const NEVER_DRAWN = words("Action Annot Filespec EmbeddedFile Sig PS");
/** Types of layers and of groups of layers ("optional content"). */
const LAYERS = words("OCG OCMD");
const ACTIONS = words(
  "GoTo GoToR GoToE GoToDp GoTo3DView Launch Thread URI Sound Movie Hide Named SubmitForm ResetForm ImportData JavaScript SetOCGState Rendition Trans RichMediaExecute",
);
const TRAILER_BYTES = 4096;
const BLANKS = Buffer.alloc(64 * 1024, " ");

/**
 * Removes all that does not draw pages from what PDFium has just written to `fd` between `start` and `end`: actions, scripts,
 * annotations, attached files, links. It is overwritten with blanks, so no offset changes. Returns whether there are layers.
 * Throws where the text is not as PDFium writes it.
 */
export function scrubPdf(fd: number, start: number, end: number): { hasLayers: boolean } {
  const resources = new Set<number>();
  for (const { value } of readObjects(fd, start, end)) findResources(value, resources);
  let hasLayers = false;
  const places = new Map<number, { start: number; end: number; refs: number[] }>();
  for (const object of readObjects(fd, start, end)) {
    const scrubber = new Scrubber(fd);
    scrubber.scrubObject(object, resources);
    hasLayers ||= scrubber.hasLayers;
    places.set(object.number, { start: object.value.start, end: object.end, refs: scrubber.refs });
  }
  const reached = new Set<number>();
  const waiting = readRoots(fd, end);
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (reached.has(number)) continue;
    reached.add(number);
    waiting.push(...(places.get(number)?.refs ?? []));
  }
  for (const [number, place] of places) {
    if (!reached.has(number)) erase(fd, place, "null");
  }
  return { hasLayers };
}

/** Collects the objects that are used as resources: their dictionaries have no type. */
function findResources({ entries = [], items = [] }: PdfValue, found: Set<number>): void {
  for (const { key, value } of entries) {
    if (key === "Resources" && value.ref !== undefined) found.add(value.ref);
    findResources(value, found);
  }
  for (const item of items) findResources(item, found);
}

/** The objects that the trailer names: the catalog and the document's title. */
function readRoots(fd: number, end: number): number[] {
  const tail = readText(fd, Math.max(0, end - TRAILER_BYTES), TRAILER_BYTES);
  const trailer = tail.slice(tail.lastIndexOf("trailer"));
  return [...trailer.matchAll(/\/(?:Root|Info) (\d+) 0 R/g)].map(([, number]) => Number(number));
}

/** Scrubs one object and collects its remaining references. */
class Scrubber {
  readonly #fd: number;
  readonly refs: number[] = [];
  hasLayers = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  scrubObject({ number, value, isStream, end }: PdfObject, resources: Set<number>): void {
    if (isNeverDrawn(value)) erase(this.#fd, { start: value.start, end }, "null");
    else if (isStream) this.#scrubEntries(value, (key) => !NOT_OF_STREAMS.has(key));
    else if (resources.has(number)) this.#scrubEntries(value, (key) => OF_RESOURCES.has(key));
    else if (nameOf(value, "Type") === "Page") this.#scrubEntries(value, (key) => OF_PAGES.has(key));
    else if (nameOf(value, "Type") === "Catalog") this.#scrubEntries(value, (key) => OF_CATALOGS.has(key));
    else this.#scrub(value);
  }

  #scrub(value: PdfValue): void {
    if (value.ref !== undefined) this.refs.push(value.ref);
    else if (isNeverDrawn(value)) erase(this.#fd, value, "<<>>");
    else if (value.items) for (const item of value.items) this.#scrub(item);
    else if (nameOf(value, "Type") === "OCG") this.#scrubEntries(value, (key) => OF_LAYERS.has(key));
    else this.#scrubEntries(value, () => true);
  }

  #scrubEntries({ entries = [] }: PdfValue, isKept: (key: string) => boolean): void {
    this.hasLayers ||= LAYERS.has(nameOf({ start: 0, end: 0, entries }, "Type") ?? "");
    for (const entry of entries) {
      if (!isKept(entry.key)) erase(this.#fd, { start: entry.start, end: entry.value.end });
      else if (isResources(entry)) this.#scrubEntries(entry.value, (key) => OF_RESOURCES.has(key));
      else this.#scrub(entry.value);
    }
  }
}

function isResources({ key, value }: PdfEntry): boolean {
  return key === "Resources" && value.entries !== undefined;
}

function isNeverDrawn(value: PdfValue): boolean {
  return (
    isFileOrScript(value) ||
    ["Type", "Subtype", "Subtype2"].some((key) => NEVER_DRAWN.has(nameOf(value, key) ?? "")) ||
    ACTIONS.has(nameOf(value, "S") ?? "")
  );
}

/** Recognizes dictionaries without a type by their entries. Resources may have such names too, but never text as a value. */
function isFileOrScript({ entries = [] }: PdfValue): boolean {
  const hasText = (keys: string[]) =>
    entries.some(({ key, value }) => keys.includes(key) && /^[(<]/.test(value.token ?? ""));
  return (
    hasText(["JS", "URI"]) ||
    (entries.some(({ key }) => key === "EF") && hasText(["F", "UF", "DOS", "Unix", "Mac"]))
  );
}

/** The value of an entry that is a name. */
function nameOf({ entries = [] }: PdfValue, key: string): string | undefined {
  return entries.find((entry) => entry.key === key)?.value.token?.slice(1);
}

function erase(fd: number, { start, end }: { start: number; end: number }, instead = ""): void {
  writeSync(fd, instead, start, "latin1");
  for (let at = start + instead.length; at < end; )
    at += writeSync(fd, BLANKS, 0, Math.min(BLANKS.length, end - at), at);
}
