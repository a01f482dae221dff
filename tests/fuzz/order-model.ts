import assert from "node:assert/strict";
import { toRupees } from "#shared/money.ts";
import { namesByField, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { type ChosenFulfilment, canMove, type OrderState } from "#shared/order-states.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { orderValueOf, priceJob, type Quote, type Selection } from "#shared/pricing.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";

interface ModelFile {
  id: string;
  url: string;
  pages: number;
  state: "free" | "ordered" | "removed";
}

export interface ModelOrder {
  id: string;
  state: OrderState;
  fulfilment: ChosenFulfilment;
  request: PlaceOrderRequest;
  quote: Quote;
  files: ModelFile[];
}

/** What the store should hold about one student. */
export interface Model {
  /** The shop's prices now, and before the last change. */
  lists: PriceLists;
  oldLists: PriceLists;
  version: number;
  files: ModelFile[];
  orders: ModelOrder[];
  /** The number of keys used. */
  keys: number;
}

/** The store, with a student and an admin logged in. */
export interface World {
  store: TestStore;
  shopId: string;
  email: string;
  student: ApiClient;
  staff: ApiClient;
}

/** A shop with both kinds of fulfilment, and staff, for any number of runs. */
export async function openShop(store: TestStore): Promise<Pick<World, "store" | "shopId" | "staff">> {
  const [shopId] = await shopIds(store);
  await store.deps.db.updateTable("shops").set({ offers_pickup: 1 }).where("id", "=", shopId).execute();
  return { store, shopId, staff: (await signedInAdmin(store)).visitor };
}

/** A new student, and the model of them. */
export async function startModel(
  shop: Awaited<ReturnType<typeof openShop>>,
): Promise<{ model: Model; real: World }> {
  const { visitor, student } = await signedInStudent(shop.store);
  const prices = (await shop.staff.query("prices.get", { shopId: shop.shopId })).body.result.data;
  const { lists, version } = prices;
  const model = { lists, oldLists: lists, version, files: [], orders: [], keys: 0 };
  return { model, real: { ...shop, email: student.email, student: visitor } };
}

interface OrderChoices {
  files: ModelFile[];
  copies: number;
  /** The index of the option in each list; wraps around. */
  choices: number[];
  fulfilment: ChosenFulfilment;
  key: string | undefined;
}

function selectionFrom(lists: PriceLists, choices: number[]): Selection {
  const chosen = OPTION_KINDS.map((kind, index) => [kind, pick(lists[kind], choices[index] ?? 0)]);
  return Object.fromEntries(chosen) as Record<OptionKind, PriceEntry>;
}

function pick(entries: readonly PriceEntry[], at: number): PriceEntry {
  const active = entries.filter((entry) => entry.active);
  const entry = active[at % active.length];
  if (!entry) throw new Error("The list is empty");
  return entry;
}

/** The quote for these wishes from a price list. */
export function quoteFor(lists: PriceLists, { files, copies, choices, fulfilment }: OrderChoices): Quote {
  const pages = files.map((file) => file.pages);
  return priceJob({ pages, copies, options: selectionFrom(lists, choices), fulfilment });
}

/** The request of a client that expects this quote. */
export function requestFor(
  shopId: string,
  lists: PriceLists,
  wishes: OrderChoices,
  quote: Quote,
): PlaceOrderRequest {
  const selection = selectionFrom(lists, wishes.choices);
  return {
    orderData: {
      shopId,
      shopName: "Any",
      shopLocation: "Any",
      shopEmail: "any@shop.example",
      noOfPages: wishes.files.reduce((sum, file) => sum + file.pages, 0),
      noOfCopies: wishes.copies,
      ...namesByField(selection),
      filesUrl: wishes.files.map(({ url }) => url),
      subTotal: toRupees(quote.subTotalPaise),
    },
    orderValue: orderValueOf(quote),
    fulfilment: wishes.fulfilment,
    ...(wishes.key && { idempotencyKey: wishes.key }),
  };
}

/** The result of a call: `OK`, or its error code. */
export function outcomeOf({ status, body }: ApiAnswer): string {
  return status === 200 ? "OK" : (body.code ?? body.error?.data.appCode ?? String(status));
}

/** Compares everything stored about the student's orders with what was agreed and done. */
export async function checkOrders(model: Model, world: World): Promise<void> {
  const { readDb } = world.store.deps;
  const rows = await readDb.selectFrom("orders").selectAll().where("user_email", "=", world.email).execute();
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(model.orders.map(({ id }) => id)));
  const keys = rows.flatMap(({ idempotency_key: key }) => key ?? []);
  assert.equal(new Set(keys).size, keys.length, "two orders under one key");
  for (const order of model.orders) {
    const row = rows.find(({ id }) => id === order.id);
    assert.ok(row);
    assert.equal(row.state, order.state);
    await checkPrice(order, row, world);
    await checkStates(order, world);
  }
  await checkFiles(model, world);
}

interface Amounts {
  sheets: number;
  sub_total_paise: number;
  tax_paise: number;
  delivery_fee_paise: number;
  total_paise: number;
}

/** The price is the agreed one, whatever staff changed since, and its parts add up. */
async function checkPrice({ id, quote }: ModelOrder, row: Amounts, { store }: World): Promise<void> {
  const { sheets, sub_total_paise: subTotalPaise, tax_paise: taxPaise } = row;
  const { delivery_fee_paise: deliveryFeePaise, total_paise: totalPaise } = row;
  const lines = await store.deps.readDb
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "=", id)
    .execute();
  assert.deepEqual(
    new Set(
      lines.map((line) => `${line.kind} ${line.name} ${line.unit_paise} ${line.basis} ${line.quantity}`),
    ),
    new Set(
      quote.jobs[0]?.lines.map(
        (line) => `${line.kind} ${line.name} ${line.unitPaise} ${line.basis} ${line.quantity}`,
      ),
    ),
  );
  const exactPaise = lines.reduce((sum, line) => sum + line.unit_paise * line.quantity, 0);
  assert.equal(
    exactPaise,
    lines.reduce((sum, line) => sum + line.amount_paise, 0),
  );
  assert.equal(subTotalPaise, Math.ceil(exactPaise / 100) * 100);
  assert.equal(totalPaise, subTotalPaise + taxPaise + deliveryFeePaise);
  const { jobs: _jobs, roundingPaise: _rounding, ...figures } = quote;
  assert.deepEqual({ sheets, subTotalPaise, taxPaise, deliveryFeePaise, totalPaise }, figures);
}

/** Every state was reached by an allowed move from the one before. */
async function checkStates({ id, fulfilment }: ModelOrder, { store }: World): Promise<void> {
  const log = store.deps.readDb
    .selectFrom("live_events")
    .select("state")
    .where("order_id", "=", id)
    .where("kind", "in", ["placed", "moved"]);
  const states = (await log.orderBy("seq").execute()).map(({ state }) => state);
  const events = store.deps.readDb.selectFrom("order_events").select("state").where("order_id", "=", id);
  assert.deepEqual((await events.execute()).map(({ state }) => state).sort(), states.toSorted());
  assert.equal(states[0], "placed");
  for (const [index, to] of states.slice(1).entries()) {
    const from = states[index] ?? "placed";
    assert.ok(canMove({ fulfilment, state: from }, to), `went from ${from} to ${to}`);
  }
}

/** A file can be read until it is removed or its order leaves the shop or is cancelled, and never again. */
async function checkFiles({ files }: Model, { student }: World): Promise<void> {
  for (const { id, state } of files) {
    const { status } = await student.fetch(`/files/${id}`, { method: "HEAD" });
    assert.equal(status === 200, state !== "removed", `a file that is ${state} answers ${status}`);
  }
}
