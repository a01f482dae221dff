/** Documents that a converter can make PDFs of: extension and media type. */
export const OFFICE_FORMATS = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  doc: "application/msword",
  odt: "application/vnd.oasis.opendocument.text",
  rtf: "application/rtf",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ppt: "application/vnd.ms-powerpoint",
  odp: "application/vnd.oasis.opendocument.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  txt: "text/plain",
} as const;

interface NamedFile {
  name: string;
  /** Media type; empty where the browser does not know it. */
  type: string;
}

/** Whether a file is such a document, by its name or else by its media type. */
export function isOfficeFile({ name, type = "" }: Pick<NamedFile, "name"> & Partial<NamedFile>): boolean {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  return extension
    ? Object.hasOwn(OFFICE_FORMATS, extension)
    : Object.values<string>(OFFICE_FORMATS).includes(type);
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
