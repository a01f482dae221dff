import { type FileKind, OFFICE_FORMATS, PHOTOS } from "#shared/file-formats.ts";
import { trpc } from "#ui/trpc.ts";

/** As `accept` of a file input. */
export const PHOTO_TYPES = acceptOf(PHOTOS);

const PDF = { types: ["application/pdf"], extensions: [".pdf"] };
const WITH_OFFICE = {
  types: [...PDF.types, "application/msword"],
  extensions: [...PDF.extensions, ...OFFICE_FORMATS.map((extension) => `.${extension}`)],
};

/** What can be chosen as a document: PDFs only until the store says that it converts others. */
export function useFormats() {
  const { data } = trpc.files.formats.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const isConverting = data?.office ?? false;
  const { types, extensions } = isConverting ? WITH_OFFICE : PDF;
  return {
    isConverting,
    /** Media types. A file with one of these types or extensions is accepted. */
    types,
    extensions,
    /** As `accept` of a file input. */
    accept: acceptOf({ types, extensions }),
    chooseLabel: isConverting ? "Choose files" : "Choose PDF files",
  };
}

function acceptOf({ types, extensions }: FileKind): string {
  return [...types, ...extensions].join();
}
