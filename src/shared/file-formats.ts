/** Extensions of documents that a converter can make PDFs of. */
export const OFFICE_FORMATS = [
  "docx",
  "doc",
  "odt",
  "rtf",
  "pptx",
  "ppt",
  "odp",
  "xlsx",
  "xls",
  "ods",
  "txt",
];

/** Whether a file is such a document, by its name. */
export function isOfficeFile({ name }: { name: string }): boolean {
  return OFFICE_FORMATS.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
}

interface NamedFile {
  name: string;
  /** Media type; empty where the browser does not know it. */
  type: string;
}

/** A kind of files, by their media types and extensions. */
export interface FileKind {
  types: readonly string[];
  extensions: readonly string[];
}

/** Photos that become pages; the manifest names the same types. */
export const PHOTOS: FileKind = {
  types: ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"],
  extensions: [".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"],
};

/** Whether it has one of the media types or extensions. */
export function isOfKind({ name, type }: NamedFile, { types, extensions }: FileKind): boolean {
  return types.includes(type) || extensions.some((extension) => name.toLowerCase().endsWith(extension));
}

/** Whether it is a PDF or can be made one by the store, and not a picture. */
export function isDocument(file: NamedFile): boolean {
  return file.type === "application/pdf" || /\.pdf$/i.test(file.name) || isOfficeFile(file);
}

/** Whether it can be printed: a document, or a photo, whose name counts where its media type is not known. */
export function isPrintable({ name, type }: NamedFile): boolean {
  return isOfKind({ name: type ? "" : name, type }, PHOTOS) || isDocument({ name, type });
}
