import { OFFICE_FORMATS } from "#shared/file-formats.ts";
import { trpc } from "#ui/trpc.ts";

const PDF = { "application/pdf": [".pdf"] };
/** Drop zones want a media type for extensions, and accept a file for either. */
const WITH_OFFICE = { ...PDF, "application/msword": OFFICE_FORMATS.map((extension) => `.${extension}`) };

/** What can be chosen as a document: PDFs only until the store says that it converts others. */
export function useFormats() {
  const { data } = trpc.files.formats.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const isConverting = data?.office ?? false;
  const types: Record<string, string[]> = isConverting ? WITH_OFFICE : PDF;
  return {
    isConverting,
    /** By media type, as drop zones want them. */
    types,
    /** As `accept` of a file input. */
    accept: Object.entries(types).flat(2).join(),
    chooseLabel: isConverting ? "Choose files" : "Choose PDF files",
  };
}
