import type { Db } from "#db/open.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { commonPages, countPages, unitePages } from "#shared/page-ranges.ts";
import { chosenPagesText, pagesText } from "#shared/page-words.ts";
import { priceJob, type Quote, type Selection } from "#shared/pricing.ts";
import { countPrinted, type FilePages, firstPages, printedPages, writePrinted } from "#shared/print-pages.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { resolveOwnFiles } from "../files/files.service.ts";
import { sha256 } from "../keyring.ts";
import { orderText } from "../queue/queue.words.service.ts";
import { timedId } from "../timed-id.ts";
import {
  findAgreedLines,
  findContents,
  findOwnFiles,
  findOwnOrder,
  type OwnFileFacts,
} from "./orders.detail-queries.ts";
import { keepOrder, newOrderNumber, quotedFigures } from "./orders.keeping.service.ts";
import { type ChosenFile, choosePages } from "./orders.pages.ts";
import { newFulfilment } from "./orders.pickup.ts";

export type ReprintFiles = Pick<OrderData, "filesUrl" | "pageRanges">;

/** The files of an order, with the pages that were printed of each. */
export async function printedFilesOf(
  db: Db | Trx,
  { id, pages }: { id: string; pages: number },
): Promise<OwnFileFacts[]> {
  return firstPages(await findOwnFiles(db, id), pages);
}

/**
 * Stores an order that prints one of the caller's own again: the same pages, options, copies, message and address, at no
 * charge, whatever the shop offers today. Throws NOT_FOUND for somebody else's order, INVALID_INPUT for pages that were
 * not ordered, and what storing any order throws. The caller calls `wakeMail` and rings `queueBell` after the commit.
 */
export async function storeReprint(
  trx: Trx,
  ctx: Context<SignedIn>,
  { originalId, filesUrl, pageRanges }: ReprintFiles & { originalId: string },
): Promise<OrderTable> {
  const original = await findOwnOrder(trx, { id: originalId, userId: ctx.actor.user._id });
  if (!original) throw new AppError("NOT_FOUND", "This order was not found");
  const { upiId, ...facts } = original;
  const files = await choosePagesAgain(trx, ctx, facts, { filesUrl, pageRanges });
  const pages = countPrinted(files);
  const lines = await findAgreedLines(trx, originalId);
  const quote = freeQuote({ ...facts, pages }, sidesOf(facts), lines);
  const order = newReprint(ctx, { ...facts, pages }, quote);
  const optionIds = optionIdsOf(lines);
  await keepOrder(trx, ctx, { order, quote, optionIds, upiId, files, reprintOf: facts.number });
  return order;
}

/**
 * Of a file that the order had, the pages that it printed, or some of them; of another, which may be the same document
 * saved anew, the pages that are wished. In all no more than the order had.
 */
async function choosePagesAgain(
  trx: Trx,
  ctx: Context<SignedIn>,
  original: OrderTable,
  { filesUrl, pageRanges }: ReprintFiles,
): Promise<ChosenFile[]> {
  const printed = await printedFilesOf(trx, original);
  const contents = await findContents(trx, original.id);
  const files = choosePages(await resolveOwnFiles(ctx, trx, filesUrl), pageRanges).map((file, index, all) => {
    const same = printed.filter(({ id }) => contents.get(id) === file.sha256);
    const isSame = ({ sha256 }: ChosenFile) => sha256 === file.sha256;
    const place = all.slice(0, index).filter(isSame).length;
    const isLast = !all.slice(index + 1).some(isSame);
    // An order may print several parts of one file: each upload of it stands for the next part, the last for the rest.
    const part = isLast ? same.slice(place) : same.slice(place, place + 1);
    const wished = pageRanges?.some(({ public_id: id }) => id === file.id);
    return wished ? among(file, same) : { ...file, ...pagesOf(file, part.length > 0 ? part : same) };
  });
  const chosen = countPrinted(files);
  if (chosen === 0) throw refusal("The order printed no page of these files");
  if (chosen <= original.pages) return files;
  throw refusal(
    `The order had ${pagesText(original.pages)}, and these are ${chosen}. Please choose no more than were ordered`,
  );
}

/** The pages that these entries of an order printed of the same file; all of a file that the order did not have. */
function pagesOf({ pages }: ChosenFile, entries: readonly FilePages[]): FilePages {
  if (entries.length === 0) return { pages, pageRanges: null };
  return { pages, pageRanges: writePrinted(unitePages(entries.map(printedPages)), pages) };
}

/** The file with its pages as they are wished. Throws INVALID_INPUT for one that the order did not print of it. */
function among(file: ChosenFile, same: readonly FilePages[]): ChosenFile {
  const before = pagesOf(file, same);
  const wished = printedPages(file);
  if (countPages(commonPages(wished, printedPages(before))) === countPages(wished)) return file;
  throw refusal(`Of “${file.originalFilename}” the order had ${chosenPagesText(before)}. Choose among those`);
}

function refusal(message: string): AppError {
  return new AppError("INVALID_INPUT", message, { issues: [{ path: "filesUrl", message }] });
}

/** Two where the order was printed on both sides of its sheets. */
function sidesOf({ sheets, pages, copies }: OrderTable): number {
  return sheets < pages * copies ? 2 : 1;
}

function freeQuote({ pages, copies }: OrderTable, sides: number, lines: OrderLineTable[]): Quote {
  const options = lines.map(({ kind, name, basis }) => [kind, { name, basis, sides, pricePaise: 0 }]);
  return priceJob({ pages, copies, options: Object.fromEntries(options) as Selection });
}

function optionIdsOf(lines: OrderLineTable[]): Record<OptionKind, string> {
  const ids = OPTION_KINDS.map((kind) => [kind, lines.find((line) => line.kind === kind)?.option_id]);
  return Object.fromEntries(ids) as Record<OptionKind, string>;
}

function newReprint(ctx: Context<SignedIn>, original: OrderTable, quote: Quote): OrderTable {
  const { user } = ctx.actor;
  const number = newOrderNumber();
  return {
    ...original,
    ...quotedFigures(quote),
    ...newFulfilment(original.fulfilment),
    id: timedId(),
    number,
    state: "placed",
    user_email: user.email,
    idempotency_key: null,
    request_hash: sha256(original.id),
    created_at: ctx.now().toISOString(),
    paid_at: null,
    paid_by: null,
    reprint_of: original.id,
    search_text: orderText({ number }, user),
  };
}
