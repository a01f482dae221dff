import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { orderValueOf, type Quote } from "#shared/pricing.ts";
import { countPrinted } from "#shared/print-pages.ts";
import type { DeliveryAddress, PlacedOrder, PlaceOrderInput } from "#shared/schemas/orders.ts";
import { requireAccount } from "../accounts/accounts.profile.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { resolveOwnFiles } from "../files/files.service.ts";
import { sha256 } from "../keyring.ts";
import type { LimitUse } from "../limits.ts";
import { orderText } from "../queue/queue.words.service.ts";
import { resolveShop, type ShopRecord } from "../shops/shops.service.ts";
import { timedId } from "../timed-id.ts";
import { keepOrder, newOrderNumber, quotedFigures } from "./orders.keeping.service.ts";
import { type ChosenFile, choosePages, takeFirstPages } from "./orders.pages.ts";
import { newFulfilment, refuseUnofferedPickup } from "./orders.pickup.ts";
import { agreePrice, chooseOptions, idsOf, namesOf } from "./orders.pricing.ts";
import { findOrderByKey } from "./orders.queries.ts";

/**
 * Places an order: shop and options by their names, files by their URLs, the price by the shop's own list.
 * The order, its lines, its files and its two mails are one transaction. Under an idempotency key the same
 * request gives the same order again, and another request under that key is refused with CONFLICT.
 */
export async function placeOrder(ctx: Context<SignedIn>, input: PlaceOrderInput): Promise<PlacedOrder> {
  const use: LimitUse = ["orderAccount", ctx.actor.user._id];
  const order = await ctx.limits.within(use, (trx) => placeOnce(trx, ctx, input));
  ctx.wakeMail();
  ctx.queueBell.ring();
  return toPlacedOrder(order);
}

async function placeOnce(trx: Trx, ctx: Context<SignedIn>, input: PlaceOrderInput): Promise<OrderTable> {
  await requireAccount(trx, ctx.actor.user._id);
  const requestHash = hashRequest(input);
  const earlier = await findEarlier(trx, ctx, input.idempotencyKey, requestHash);
  return earlier ?? storeOrder(trx, ctx, input, requestHash);
}

async function findEarlier(
  trx: Trx,
  ctx: Context<SignedIn>,
  key: string | undefined,
  requestHash: string,
): Promise<OrderTable | null> {
  const order = key ? await findOrderByKey(trx, ctx.actor.user._id, key) : undefined;
  if (!order) return null;
  if (order.request_hash === requestHash) return order;
  throw new AppError("CONFLICT", "This order was already placed with other details");
}

async function storeOrder(
  trx: Trx,
  ctx: Context<SignedIn>,
  input: PlaceOrderInput,
  requestHash: string,
): Promise<OrderTable> {
  const { orderData: data } = input;
  const reference = {
    id: data.shopId,
    name: data.shopName,
    location: data.shopLocation,
    email: data.shopEmail,
  };
  const { shop, options } = await resolveShop(trx, reference, namesOf(data));
  refuseUnofferedPickup(shop, input.fulfilment);
  const chosen = chooseOptions(options, data);
  const wished = choosePages(await resolveOwnFiles(ctx, trx, data.filesUrl), data.pageRanges);
  const files = takeFirstPages(wished, data);
  const quote = agreePrice(chosen, input, countPrinted(files));

  const order = newOrder(ctx, input, { shop, files, quote, requestHash });
  const optionIds = idsOf(chosen);
  await keepOrder(trx, ctx, { order, quote, optionIds, upiId: shop.upiId, files });
  return order;
}

interface PlacedParts {
  shop: ShopRecord;
  files: ChosenFile[];
  quote: Quote;
  requestHash: string;
}

function newOrder(
  ctx: Context<SignedIn>,
  input: PlaceOrderInput,
  { shop, files, quote, requestHash }: PlacedParts,
): OrderTable {
  const { user } = ctx.actor;
  const address = addressOf(input);
  const number = newOrderNumber();
  return {
    id: timedId(),
    number,
    user_id: user._id,
    shop_id: shop.id,
    state: "placed",
    shop_name: shop.name,
    shop_location: shop.location,
    shop_email: shop.email,
    shop_contact_number: shop.contactNumber,
    pages: countPrinted(files),
    copies: input.orderData.noOfCopies,
    message: input.orderData.message,
    user_email: user.email,
    address: address && JSON.stringify(address),
    ...quotedFigures(quote),
    idempotency_key: input.idempotencyKey ?? null,
    request_hash: requestHash,
    created_at: ctx.now().toISOString(),
    ...newFulfilment(input.fulfilment),
    paid_at: null,
    paid_by: null,
    reprint_of: null,
    stars: null,
    rated_at: null,
    files_delete_at: null,
    search_text: orderText({ number }, user),
  };
}

/** Where the order goes; an order that is picked up goes nowhere. */
function addressOf({ fulfilment, address }: PlaceOrderInput): DeliveryAddress | null {
  return fulfilment === "delivery" && address ? address : null;
}

function hashRequest(input: PlaceOrderInput): string {
  const { orderData, orderValue, fulfilment } = input;
  // A delivery is hashed as it was before there was a choice, so that a repeat of an old request is known.
  const choice = fulfilment === "delivery" ? [] : [fulfilment];
  return sha256(JSON.stringify([orderData, orderValue, input.address ?? null, ...choice]));
}

function toPlacedOrder(order: OrderTable): PlacedOrder {
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
