import { writeSync } from "node:fs";
import { type PdfEntry, type PdfObject, type PdfValue, readObjects, readText } from "./syntax.ts";

const words = (text: string) => new Set(text.split(" "));

/** All that a page needs to be drawn. What else it may have does something, or is for other programs. */
const OF_PAGES = words(
  "Type Parent MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit Resources Contents Group",
);
const OF_CATALOGS = words("Type Pages");
const OF_RESOURCES = words("ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties");
/** When a layer shows is what some programs read here and others do not. */
const OF_LAYERS = words("Type Name");
/** What leads from a stream to another file, to a picture that only paper would show, or to data that is not drawn. */
const NOT_OF_STREAMS = words("F FFilter FDecodeParms Ref OPI Alternates AF Metadata PieceInfo AA A");
/** Types of what is never drawn. PostScript (`PS`) would run in the printer. */
const NEVER_DRAWN = words("Action Annot Filespec EmbeddedFile Sig PS");
/** Types of layers, and of what belongs to some of them ("optional content"). */
const LAYERS = words("OCG OCMD");
const ACTIONS = words(
  "GoTo GoToR GoToE GoToDp GoTo3DView Launch Thread URI Sound Movie Hide Named SubmitForm ResetForm ImportData JavaScript SetOCGState Rendition Trans RichMediaExecute",
);
const TRAILER_BYTES = 4096;
const BLANKS = Buffer.alloc(64 * 1024, " ");

/**
 * Takes out of what PDFium has just written to `fd`, from `start` to `end`, all that does not draw its pages: actions,
 * scripts, annotations, attached files, links. Blanks are written over it, so that everything else stays where it is.
 * Throws where the text is not as PDFium writes it. Gives whether some of it belongs to layers, which a document may have
 * switched off.
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

/** Notes the objects that a value has as its resources, for such dictionaries do not say what they are. */
function findResources({ entries = [], items = [] }: PdfValue, found: Set<number>): void {
  for (const { key, value } of entries) {
    if (key === "Resources" && value.ref !== undefined) found.add(value.ref);
    findResources(value, found);
  }
  for (const item of items) findResources(item, found);
}

/** The catalog and the document's title, which the trailer names. */
function readRoots(fd: number, end: number): number[] {
  const tail = readText(fd, Math.max(0, end - TRAILER_BYTES), TRAILER_BYTES);
  const trailer = tail.slice(tail.lastIndexOf("trailer"));
  return [...trailer.matchAll(/\/(?:Root|Info) (\d+) 0 R/g)].map(([, number]) => Number(number));
}

/** Scrubs one object, and finds out what it refers to afterwards. */
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

/** By what it has, where it does not say what it is. Resources may have such names too, but no text as their value. */
function isFileOrScript({ entries = [] }: PdfValue): boolean {
  const hasText = (keys: string[]) =>
    entries.some(({ key, value }) => keys.includes(key) && /^[(<]/.test(value.token ?? ""));
  return (
    hasText(["JS", "URI"]) ||
    (entries.some(({ key }) => key === "EF") && hasText(["F", "UF", "DOS", "Unix", "Mac"]))
  );
}

/** The name that an entry of a dictionary has as its value. */
function nameOf({ entries = [] }: PdfValue, key: string): string | undefined {
  return entries.find((entry) => entry.key === key)?.value.token?.slice(1);
}

function erase(fd: number, { start, end }: { start: number; end: number }, instead = ""): void {
  writeSync(fd, instead, start, "latin1");
  for (let at = start + instead.length; at < end; )
    at += writeSync(fd, BLANKS, 0, Math.min(BLANKS.length, end - at), at);
}
