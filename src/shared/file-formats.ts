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

const PICTURE = /^image\/(jpeg|png|webp|heic|heif)$/;
const PICTURE_NAME = /\.(jpe?g|png|webp|hei[cf])$/i;

/** Whether it is a PDF or can be made one by the store, and not a picture. */
export function isDocument(file: NamedFile): boolean {
  return file.type === "application/pdf" || /\.pdf$/i.test(file.name) || isOfficeFile(file);
}

/** Whether it can be printed: a document or a picture. The manifest names the same types. */
export function isPrintable(file: NamedFile): boolean {
  return PICTURE.test(file.type) || (file.type === "" && PICTURE_NAME.test(file.name)) || isDocument(file);
}
