import { open } from "node:fs/promises";
import { loadFileType } from "../heavy-libraries.ts";

/** Readers accept a PDF whose header begins within so many bytes. */
const PDF_HEADER_WITHIN = 1024;
/** Enough to tell an office document from any other archive; more is never looked at. */
const HEAD_BYTES = 64 * 1024;

/** What a file that is not a PDF seems to be, and what its owner can do about it. */
export interface OtherContent {
  kind: string;
  advice: string;
}

const SAVE_AS_PDF = "Save it as a PDF and upload that";
const NO_PDF: OtherContent = { kind: "not a PDF", advice: SAVE_AS_PDF };

/** Looks at how the content of the file at `path` begins; null when it begins as a PDF. */
export async function sniffOtherThanPdf(path: string): Promise<OtherContent | null> {
  const head = await readHead(path);
  if (head.length === 0) return { kind: "empty", advice: "Choose the file again, or save it again first" };
  if (head.subarray(0, PDF_HEADER_WITHIN + "%PDF-".length - 1).includes("%PDF-")) return null;
  const { fileTypeFromBuffer } = await loadFileType();
  const type = await fileTypeFromBuffer(head);
  if (type) return describe(type.ext, type.mime);
  return isText(head) ? { kind: "a text file, not a PDF", advice: SAVE_AS_PDF } : NO_PDF;
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
  cfb: "an Office document",
  epub: "an e-book",
};

function describe(extension: string, mime: string): OtherContent {
  const document = DOCUMENTS[extension];
  if (document) return { kind: `${document}, not a PDF`, advice: SAVE_AS_PDF };
  if (mime.startsWith("image/")) {
    return {
      kind: `a picture (${extension.toUpperCase()}), not a PDF`,
      advice: "Add it with 'Add photos' instead",
    };
  }
  if (extension === "zip") {
    return { kind: "a ZIP archive, not a PDF", advice: "Unpack it and upload the PDFs that are in it" };
  }
  return NO_PDF;
}

/** UTF-8 without control characters, but for a character that the end of the head cuts in two. */
function isText(head: Buffer): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return !/[^\P{Cc}\s]/u.test(text);
  } catch {
    return false;
  }
}
