import type { FileStatus, OwnOrderRow } from "#server/orders/orders.service.ts";
import { counted } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { type OrderPlace, type OrderState, stateTitle } from "#shared/order-states.ts";

/** The student's text of a state where it differs from its title. */
const STATE_TEXTS: Partial<Record<OrderState, string>> = {
  placed: "The shop has your order",
  dispatched: "On its way to you",
};

export function stateText(place: OrderPlace): string {
  return STATE_TEXTS[place.state] ?? stateTitle(place);
}

/** Such as `32 pages × 2`. */
export function jobText({ pages, copies }: { pages: number; copies: number }): string {
  return `${counted(pages, "page")} × ${copies}`;
}

/** Such as `notes.pdf, cover.pdf and 3 more files`; empty for an order without files. */
export function fileNamesText({ fileNames, files }: Pick<OwnOrderRow, "fileNames" | "files">): string {
  const more = files.count - fileNames.length;
  const names = fileNames.join(", ");
  return more > 0 ? `${names} and ${more} more ${more === 1 ? "file" : "files"}` : names;
}

/** When the files are or were deleted. */
export function filesText({ files }: { files: FileStatus }): string {
  const isOne = files.count === 1;
  const name = isOne ? "Your file" : `Your ${files.count} files`;
  switch (files.status) {
    case "kept":
      return files.deleteAt
        ? `${name} will be deleted on ${indianTime(files.deleteAt)}.`
        : `${name} ${isOne ? "is" : "are"} deleted once printed.`;
    case "deleting":
      return `${name} ${isOne ? "is" : "are"} being deleted.`;
    case "deleted":
      return `Your documents were deleted on ${indianTime(files.at)}.`;
  }
}
