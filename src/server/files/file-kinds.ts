import { open } from "node:fs/promises";
import { OFFICE_FORMATS } from "#shared/file-formats.ts";
import { onFirstUse } from "#shared/on-first-use.ts";

/** Readers accept a PDF whose header begins within so many bytes. */
const PDF_HEADER_WITHIN = 1024;
/** Enough to tell an office document from any other archive; more is never looked at. */
const HEAD_BYTES = 64 * 1024;

/** What a file that is not a PDF seems to be, and what its owner can do about it. */
interface NonPdfContent {
  kind: string;
  advice: string;
  /** Extension of its kind, where a converter can make a PDF of it. */
  extension?: string;
  /** Only for texts. */
  encoding?: TextEncoding;
}

export type TextEncoding = "utf-8" | "utf-16" | "windows-1252";

const SAVE_AS_PDF = "Save it as a PDF and upload that";
const NO_PDF: NonPdfContent = { kind: "not a PDF", advice: SAVE_AS_PDF };

/** Says what the file at `path` is by its first bytes; null for a PDF. */
export async function sniffOtherThanPdf(path: string): Promise<NonPdfContent | null> {
  const head = await readHead(path);
  if (head.length === 0) return { kind: "empty", advice: "Choose the file again, or save it again first" };
  if (head.subarray(0, PDF_HEADER_WITHIN + "%PDF-".length - 1).includes("%PDF-")) return null;
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(head);
  if (type?.ext === "cfb") return describe(await oldOfficeKind(path), type.mime);
  if (type) return describe(type.ext, type.mime);
  const encoding = textEncoding(head);
  if (!encoding) return NO_PDF;
  return { kind: "a text file, not a PDF", advice: SAVE_AS_PDF, extension: "txt", encoding };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const DOCUMENTS: Record<string, string> = {
  docx: "a Word document",
  odt: "a text document",
  rtf: "a text document",
  pptx: "a presentation",
  odp: "a presentation",
  xlsx: "a spreadsheet",
  ods: "a spreadsheet",
  doc: "an Office document",
  ppt: "an Office document",
  xls: "an Office document",
  cfb: "an Office document",
  epub: "an e-book",
};

/** Templates, slide shows and documents with macros, which are often named like documents. */
const VARIANTS: Record<string, string> = {
  ...{ dotx: "docx", docm: "docx", dotm: "docx", ott: "odt" },
  ...{ potx: "pptx", pptm: "pptx", potm: "pptx", ppsx: "pptx", ppsm: "pptx", otp: "odp" },
  ...{ xltx: "xlsx", xlsm: "xlsx", xltm: "xlsx", ots: "ods" },
};

/** Name of the stream that holds the content of each kind. */
const STREAMS = {
  locked: "EncryptedPackage",
  doc: "WordDocument",
  ppt: "PowerPoint Document",
  xls: "Workbook",
};
/** A directory is a list of entries of so many bytes, each at a multiple of them, that begin with the name of a stream. */
const ENTRY_BYTES = 128;

/** Which kind a file of Office 97 is, or "locked" for an encrypted newer one, by the names of its streams; else "cfb". */
async function oldOfficeKind(path: string): Promise<string> {
  const missing = new Map(
    Object.entries(STREAMS).map(([kind, name]) => [kind, Buffer.from(`${name}\0`, "utf16le")]),
  );
  const file = await open(path);
  try {
    const piece = Buffer.alloc(HEAD_BYTES);
    for (let at = 0, bytesRead = HEAD_BYTES; bytesRead === HEAD_BYTES; at += HEAD_BYTES) {
      ({ bytesRead } = await file.read(piece, 0, HEAD_BYTES, at));
      for (const [kind, name] of missing)
        if (hasEntry(piece.subarray(0, bytesRead), name)) missing.delete(kind);
    }
  } finally {
    await file.close();
  }
  return Object.keys(STREAMS).find((kind) => !missing.has(kind)) ?? "cfb";
}

function hasEntry(piece: Buffer, name: Buffer): boolean {
  let at = piece.indexOf(name);
  while (at >= 0 && at % ENTRY_BYTES !== 0) at = piece.indexOf(name, at + 1);
  return at >= 0;
}

function describe(extension: string, mime: string): NonPdfContent {
  if (extension === "locked") {
    return {
      kind: "an Office document with a password",
      advice: "Remove the password in the program that made it, or save it as a PDF, and upload that",
    };
  }
  const known = VARIANTS[extension] ?? extension;
  const document = DOCUMENTS[known];
  if (document)
    return {
      kind: `${document}, not a PDF`,
      advice: SAVE_AS_PDF,
      ...(OFFICE_FORMATS.includes(known) && { extension: known }),
    };
  if (mime.startsWith("image/")) {
    return {
      kind: `a picture (${extension.toUpperCase()}), not a PDF`,
      advice: "Open it, print it to a PDF, and upload that",
    };
  }
  if (extension === "zip") {
    return { kind: "a ZIP archive, not a PDF", advice: "Unpack it and upload the PDFs that are in it" };
  }
  return NO_PDF;
}

/** How a text's letters are written; Windows' editors wrote all three. Null where it has other control characters than text. */
function textEncoding(head: Buffer): TextEncoding | null {
  const mark = head.toString("hex", 0, 2);
  if (mark === "fffe") return isText(head, "utf-16le") ? "utf-16" : null;
  if (mark === "feff") return isText(head, "utf-16be") ? "utf-16" : null;
  if (isText(head, "utf-8")) return "utf-8";
  return isText(head, "windows-1252") ? "windows-1252" : null;
}

/** The last character may be cut in two. */
function isText(head: Buffer, encoding: string): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    return !/[^\P{Cc}\s]/u.test(text);
  } catch {
    return false;
  }
}

const NAMELESS = "document";
const EXTENSION = ".pdf";
/** File systems allow 255 bytes; the rest is for what others add to the name. */
const MAX_BYTES = 200;
/** Of a longer name only the beginning is read: a form may send one of 16,000 characters. */
const MAX_READ = 1000;
/** Begins with a Latin letter, so that "Chapter 1.2" keeps its number. */
const OTHER_EXTENSION = /\.[a-z][a-z0-9]{0,5}$/i;
/** Characters that are invisible or change the direction of the text around them. */
const INVISIBLE = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\s\u200c\u200d]]/gv;
/** Joiners shape letters of Indian scripts and emoji; elsewhere they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Emoji}])/gv;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
/** Tried once for each run of dots and spaces, not from each of them. */
const DOTS_AT_END = /(?<![\s.])[\s.]+$/;
const DEVICE_ON_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

const encoder = new TextEncoder();
const characters = onFirstUse(() => new Intl.Segmenter());

/**
 * A PDF's name that is safe to show and to save on any system: the last part of the given path, without invisible
 * characters, in NFC, neither empty nor too long, and always ending in `.pdf`.
 */
export function cleanFileName(name: string | null): string {
  const lastPart = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  const visible = lastPart
    .slice(0, MAX_READ)
    .toWellFormed()
    .replace(INVISIBLE, "")
    .normalize("NFC")
    .replace(STRAY_JOINER, "")
    .replace(FORBIDDEN_ON_WINDOWS, "-")
    .replace(/\s+/g, " ");
  const stem = withoutExtension(visible).replace(DEVICE_ON_WINDOWS, "_$1");
  return (shorten(stem) || NAMELESS) + EXTENSION;
}

/** The same with the extension that the file was sent with, if it has one: it is no PDF, or not yet. */
export function cleanSentName(name: string | null): string {
  const [sent = EXTENSION] = OTHER_EXTENSION.exec(name ?? "") ?? [];
  return cleanFileName(name).slice(0, -EXTENSION.length) + sent;
}

/** Leading dots would hide a file, and Windows removes trailing dots and spaces. */
function withoutExtension(name: string): string {
  const whole = name.replace(DOTS_AT_END, "");
  const stem = whole.replace(OTHER_EXTENSION, "");
  // "thesis.pdf.hta" loses both endings, "notes.v2.pdf" only its last.
  return /\.pdf$/i.test(stem) ? withoutExtension(stem) : stem.replace(/^[\s.]+/, "").replace(DOTS_AT_END, "");
}

/** Cuts between grapheme clusters, which people see as characters. */
function shorten(stem: string): string {
  if (encoder.encode(stem).length + EXTENSION.length <= MAX_BYTES) return stem;
  let bytes = EXTENSION.length;
  for (const { segment, index } of characters().segment(stem)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_BYTES) return stem.slice(0, index).replace(DOTS_AT_END, "");
  }
  return stem;
}
