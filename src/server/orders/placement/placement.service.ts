import { randomInt } from "node:crypto";
import type { Db } from "#db/database.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { formatPaise, MAX_PAISE } from "#shared/money.ts";
import { mapKinds, OPTION_FIELDS, type OptionKind, type OrderOptionField } from "#shared/options.ts";
import {
  countSides,
  layoutProblem,
  type OrderJob,
  PLAIN_LAYOUT,
  printedSidesOfEach,
  writeJobs,
} from "#shared/order-jobs.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import { orderValueOf, type PrintJob, priceOrder, type Quote, type Selection } from "#shared/pricing.ts";
import type { FilePages } from "#shared/print-pages.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { PlacedOrder, PlaceOrderInput } from "#shared/schemas/orders.ts";
import { withLockedAccount } from "../../accounts/profile.service.ts";
import type { Context, Deps, SignedIn, Uploader, Visitor } from "../../context.ts";
import { AppError, fieldError } from "../../errors.ts";
import { attachFiles, resolveOwnFiles } from "../../files/files.service.ts";
import type { LimitUse } from "../../http/rate-limit.ts";
import { sha256, uuidv7 } from "../../lib/crypto.ts";
import type { OptionNames, OptionRecord, ShopRecord } from "../../shops/shops.queries.ts";
import { type OptionLists, resolveShop } from "../../shops/shops.service.ts";
import { countOrders } from "../../stats/stats.service.ts";
import { indexStudent, type KnownStudent, orderText } from "../board/search-words.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { queueOrderMails } from "../orders.mails.ts";
import { countedOrder } from "../orders.service.ts";
import {
  type ChosenFile,
  choosePages,
  divideIntoJobs,
  type JobWish,
  pathOfJob,
  takeFirstPages,
} from "./chosen-pages.ts";
import {
  findOrderByKey,
  insertHistory,
  insertOrder,
  insertOrderFiles,
  insertOrderLines,
} from "./placement.queries.ts";
import { promiseTime } from "./promise.service.ts";

/**
 * Places an order: finds shop and options by name and files by URL, and calculates the price from the shop's list. The
 * order, its lines, files and two mails are stored in one transaction. A repeated request under an idempotency key returns
 * the same order; a different request under that key throws CONFLICT.
 */
export async function placeOrder(ctx: Context<SignedIn>, input: PlaceOrderInput): Promise<PlacedOrder> {
  const use: LimitUse = ["orderAccount", ctx.actor.user._id];
  const order = await ctx.limits.within(use, async (trx) => {
    const own = await withLockedAccount(trx, ctx);
    return (await findEarlier(trx, own, input)) ?? storeOrder(trx, own, input);
  });
  return toPlacedOrder(order);
}

type VisitorInput = Pick<PlaceOrderInput, "orderData" | "orderValue" | "jobs" | "idempotencyKey">;

/**
 * The same for a visitor at a shop's counter, in the caller's transaction: no address, no mail, no pickup code. The caller must
 * hold the visit's lock, and have found no earlier order by `findPlacedByVisitor`.
 */
export async function placeForVisitor(
  trx: Trx,
  ctx: Context<Visitor>,
  input: VisitorInput,
): Promise<OrderTable> {
  return storeOrder(trx, ctx, { ...input, fulfilment: "counter" });
}

/** The order that such a request has placed before; null where it is new. Throws CONFLICT where it had other details. */
export async function findPlacedByVisitor(
  db: Db | Trx,
  ctx: Context<Visitor>,
  input: VisitorInput,
): Promise<OrderTable | null> {
  return findEarlier(db, ctx, { ...input, fulfilment: "counter" });
}

/** What is placed: by a student, or at the counter. */
type PlacedInput = Omit<PlaceOrderInput, "fulfilment"> & { fulfilment: Fulfilment };

async function findEarlier(
  db: Db | Trx,
  ctx: Context<Uploader>,
  input: PlacedInput,
): Promise<OrderTable | null> {
  const { idempotencyKey: key } = input;
  const order = key ? await findOrderByKey(db, ctx.actor.user._id, key) : undefined;
  if (!order) return null;
  if (order.request_hash === hashRequest(input)) return order;
  throw new AppError("CONFLICT", "This order was already placed with other details");
}

async function storeOrder(trx: Trx, ctx: Context<Uploader>, input: PlacedInput): Promise<OrderTable> {
  const { orderData: data } = input;
  const reference = {
    id: data.shopId,
    name: data.shopName,
    location: data.shopLocation,
    email: data.shopEmail,
  };
  const wishes: JobWish[] = input.jobs ?? [PLAIN_LAYOUT];
  const names = wishes.map(({ options }) => namesOf({ ...data, ...options }));
  const { shop, options } = await resolveShop(trx, reference, names);
  refuseUnofferedPickup(shop, input.fulfilment);
  const chosen = names.map((ofJob, at) => chooseOptions(options, ofJob, at));
  const wished = choosePages(await resolveOwnFiles(ctx, trx, data.filesUrl), data.pageRanges);
  const files = takeFirstPages(wished, data);
  const jobs = divideIntoJobs(files, wishes);
  const planned = jobs.map((job, at) => ({ job, options: chosen[at] as ChosenOptions }));
  const quote = agreePrice(printJobs(files, planned), input);
  return saveOrder(trx, ctx, {
    ...printedTerms(files, jobs, quote),
    shop,
    copies: data.noOfCopies,
    message: data.message,
    fulfilment: input.fulfilment,
    address: addressOf(input),
    quote,
    idempotency: { key: input.idempotencyKey ?? null, requestHash: hashRequest(input) },
    original: null,
    optionIds: chosen.map(idsOf),
    files,
  });
}

/** The jobs for pricing. Throws INVALID_INPUT for a booklet that would be printed on one side. */
export function printJobs(
  files: readonly FilePages[],
  planned: readonly { job: OrderJob; options: Selection }[],
): PrintJob[] {
  return planned.map(({ job, options }) => {
    const problem = layoutProblem(job, options.printingSides.sides);
    if (problem) throw new AppError("INVALID_INPUT", problem);
    return { pages: printedSidesOfEach(files, job), options };
  });
}

/** The printed pages of these jobs, and the jobs for storing. */
export function printedTerms(
  files: readonly FilePages[],
  jobs: readonly OrderJob[],
  quote: Quote,
): Pick<OrderTerms, "pages" | "jobs"> {
  return { pages: countSides(files, jobs), jobs: writeJobs(jobs, quote.jobs) };
}

/** The terms that student and shop agree on. */
interface OrderTerms {
  /** Copied to the order, so that later changes of the shop do not affect it. */
  shop: Pick<ShopRecord, "id" | "name" | "location" | "email" | "contactNumber">;
  /** Printed pages of one copy. */
  pages: number;
  /** As `OrderTable.jobs`. */
  jobs: string | null;
  copies: number;
  message: string;
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  quote: Quote;
  /** Identifies a repeated request: same key and same hash. */
  idempotency: { key: string | null; requestHash: string };
  /** The order that this one reprints. */
  original: Pick<OrderTable, "id" | "number"> | null;
}

/** Creates the row of an order that the caller places now, without its promised time. */
export function newOrder(ctx: Context<Uploader>, terms: OrderTerms): OrderTable {
  const { user } = ctx.actor;
  const { shop, quote, address, idempotency } = terms;
  const number = newOrderNumber();
  return {
    id: uuidv7(),
    number,
    user_id: user._id,
    shop_id: shop.id,
    state: "placed",
    shop_name: shop.name,
    shop_location: shop.location,
    shop_email: shop.email,
    shop_contact_number: shop.contactNumber,
    pages: terms.pages,
    copies: terms.copies,
    jobs: terms.jobs,
    message: terms.message,
    user_email: user.email,
    address: address && JSON.stringify(address),
    ...quoteColumns(quote),
    idempotency_key: idempotency.key,
    request_hash: idempotency.requestHash,
    created_at: ctx.now().toISOString(),
    ...newFulfilment(terms.fulfilment),
    paid_paise: 0,
    refunded_paise: 0,
    credited_paise: 0,
    paid_at: null,
    reprint_of: terms.original?.id ?? null,
    stars: null,
    files_delete_at: null,
    held_at: null,
    promised_at: null,
    search_text: orderText({ number }, user),
  };
}

/** The columns of the agreed price. */
export function quoteColumns(quote: Quote) {
  return {
    sides: quote.jobs[0]?.sides ?? 1,
    sheets: quote.sheets,
    sub_total_paise: quote.subTotalPaise,
    tax_paise: quote.taxPaise,
    delivery_fee_paise: quote.deliveryFeePaise,
    total_paise: quote.totalPaise,
  };
}

/** Null for anything but a delivery. */
function addressOf({ fulfilment, address }: PlacedInput): DeliveryAddress | null {
  return fulfilment === "delivery" && address ? address : null;
}

function hashRequest({ orderData, orderValue, address, fulfilment, jobs }: PlacedInput): string {
  return sha256(JSON.stringify([orderData, orderValue, address ?? null, fulfilment, jobs ?? null]));
}

export function toPlacedOrder(order: OrderTable): PlacedOrder {
  return {
    _id: order.id,
    orderNumber: order.number,
    status: order.state,
    orderValue: orderValueOf({
      subTotalPaise: order.sub_total_paise,
      taxPaise: order.tax_paise,
      deliveryFeePaise: order.delivery_fee_paise,
      totalPaise: order.total_paise,
    }),
    createdAt: order.created_at,
  };
}

/** Number of tries for a pickup code; after that the order is handed over with a note why. */
const TRIES = 5;
const CODES = 10_000;

/** Throws INVALID_INPUT for pickup at a shop that does not offer it. */
function refuseUnofferedPickup({ name, offersPickup }: ShopRecord, fulfilment: Fulfilment): void {
  if (fulfilment !== "pickup" || offersPickup) return;
  throw fieldError("fulfilment", `${name} does not offer pickup. Please have the order delivered`);
}

/** The columns of the fulfilment. An order for pickup gets a code of four digits. */
function newFulfilment(
  fulfilment: Fulfilment,
): Pick<OrderTable, "fulfilment" | "pickup_code" | "pickup_tries_left"> {
  if (fulfilment !== "pickup") return { fulfilment, pickup_code: null, pickup_tries_left: 0 };
  const code = String(randomInt(CODES)).padStart(4, "0");
  return { fulfilment, pickup_code: code, pickup_tries_left: TRIES };
}

type ChosenOptions = Record<OptionKind, OptionRecord>;

/** The name of the ordered option of each kind. */
function namesOf(data: Record<OrderOptionField, string>): OptionNames {
  return mapKinds((kind) => data[OPTION_FIELDS[kind].orderField]);
}

/**
 * Finds the options that a job names in its shop's lists; those of the first job are the order's. Throws INVALID_INPUT for one
 * that is not offered, and CONFLICT for one that has run out.
 */
function chooseOptions(lists: OptionLists, names: OptionNames, job: number): ChosenOptions {
  const place = job === 0 ? "orderData" : `${pathOfJob(job)}.options`;
  return mapKinds((kind) => {
    const { orderField, label } = OPTION_FIELDS[kind];
    const path = `${place}.${orderField}`;
    const name = names[kind];
    const option = lists[kind].find((candidate) => candidate.name === name);
    if (!option) {
      const message = `This shop does not offer “${name}” as ${label.toLowerCase()}. Please choose again`;
      throw fieldError(path, message);
    }
    if (option.isOut) {
      const message = `This shop has run out of “${name}” for now. Please choose another ${label.toLowerCase()}`;
      throw fieldError(path, message, "CONFLICT");
    }
    return option;
  });
}

export function idsOf(options: Record<OptionKind, { id: string }>): Record<OptionKind, string> {
  return mapKinds((kind) => options[kind].id);
}

/** Calculates the price of these jobs. Throws PRICE_CHANGED, with the correct amounts in rupees, if the client's differ. */
function agreePrice(jobs: PrintJob[], input: PlacedInput): Quote {
  const { noOfCopies: copies } = input.orderData;
  const quote = priceOrder({ jobs, copies, fulfilment: input.fulfilment });
  if (quote.totalPaise > MAX_PAISE) {
    throw new AppError("INVALID_INPUT", "This order is too large. Please split it into smaller ones");
  }
  const { subTotal, tax, deliveryFee, orderTotal } = input.orderValue;
  const agrees =
    input.orderData.subTotal === quote.subTotalPaise &&
    subTotal === quote.subTotalPaise &&
    tax === quote.taxPaise &&
    deliveryFee === quote.deliveryFeePaise &&
    orderTotal === quote.totalPaise;
  if (!agrees) {
    throw new AppError("PRICE_CHANGED", `The price of this order is ${formatPaise(quote.totalPaise)}`, {
      data: { orderValue: orderValueOf(quote) },
    });
  }
  return quote;
}

/** The terms of a new order with everything that is stored with it. */
interface NewOrder extends OrderTerms {
  shop: OrderTerms["shop"] & Pick<ShopRecord, "upiId" | "orderEmail">;
  /** Ids of the chosen options of each job. */
  optionIds: Record<OptionKind, string>[];
  files: ChosenFile[];
}

/**
 * Stores a new order with its promised time, lines and files, queues its mails and publishes it to search, stats and live
 * screens. Returns its row. Throws CONFLICT if its idempotency key was used meanwhile or a file no longer exists.
 */
export async function saveOrder(trx: Trx, ctx: Context<Uploader>, terms: NewOrder): Promise<OrderTable> {
  const { shop, pages, copies, quote, optionIds, files, original } = terms;
  const promised_at = await promiseTime(trx, ctx, { shopId: shop.id, pages: pages * copies });
  const order = { ...newOrder(ctx, terms), promised_at };
  if (!(await insertOrder(trx, order))) {
    throw new AppError("CONFLICT", "This order is being placed already. Please wait a moment");
  }
  const fileIds = files.map((file) => file.id);
  await attachFiles(trx, { orderId: order.id, ownerId: order.user_id, fileIds });
  await insertOrderFiles(trx, order.id, files);
  await insertOrderLines(trx, linesOf(order.id, quote, optionIds));
  await insertHistory(trx, {
    order_id: order.id,
    state: order.state,
    by_user_id: order.user_id,
    reason: null,
    created_at: order.created_at,
  });
  const { upiId, orderEmail: shopMailbox } = shop;
  await queueOrderMails(trx, ctx, { order, quote, upiId, shopMailbox, files, reprintOf: original?.number });
  await announceOrder(trx, ctx, { order, quote }, ctx.actor.user);
  return order;
}

/** The lines of an order for storing. */
export function linesOf(
  orderId: string,
  { jobs }: Quote,
  optionIds: readonly Record<OptionKind, string>[],
): OrderLineTable[] {
  return jobs.flatMap(({ lines }, job) =>
    lines.map((line) => ({
      order_id: orderId,
      job,
      kind: line.kind,
      option_id: optionIds[job]?.[line.kind] ?? "",
      name: line.name,
      unit_paise: line.unitPaise,
      basis: line.basis,
      quantity: line.quantity,
      amount_paise: line.amountPaise,
    })),
  );
}

/** Letters and digits that are not confused with each other when read aloud or copied by hand. */
const NUMBER_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Eight random characters in two groups, which do not reveal the number of orders. */
function newOrderNumber(): string {
  const pick = () => NUMBER_ALPHABET.charAt(randomInt(NUMBER_ALPHABET.length));
  const group = () => Array.from({ length: 4 }, pick).join("");
  return `${group()}-${group()}`;
}

/**
 * Makes a new order searchable, counts it in the stats and shows it on live screens. Call it as the last step of the
 * transaction that stores the order.
 */
export async function announceOrder(
  trx: Trx,
  deps: Pick<Deps, "now">,
  { order, quote }: { order: OrderTable; quote: Quote },
  student: KnownStudent & { _id: string },
): Promise<void> {
  await indexStudent(trx, student);
  await countOrders(trx, [countedOrder(order, quote)]);
  await recordLiveEvent(trx, deps, "placed", order);
}
