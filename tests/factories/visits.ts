import { eraseDeleted } from "#server/files/files.service.ts";
import { endDueVisits } from "#server/privacy/privacy.service.ts";
import { toRupees } from "#shared/money.ts";
import { mapKinds } from "#shared/options.ts";
import { orderValueOf, priceJob, type Selection } from "#shared/pricing.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { getShop, orderAt, uploadPages } from "./orders.ts";

/** The code of today at this shop, as its staff see it. */
export async function codeAt(staff: ApiClient, shopId: string): Promise<string> {
  const { body } = await staff.query("counter.today", { shopId });
  return new URL(body.result.data.url).searchParams.get("code") ?? "";
}

/** Takes the hours from a shop: by them an order at night is promised for the morning, and the counter takes none. */
export async function removeHours({ deps }: TestStore, ...shopIds: string[]): Promise<void> {
  await deps.db.updateTable("shops").set({ opening_hours: "" }).where("id", "in", shopIds).execute();
}

/** Somebody at the counter of this shop, whose phone has opened the code of today, from this address if it matters. */
export async function visitorAt(
  store: TestStore,
  shopId: string,
  code: string,
  address?: string,
): Promise<ApiClient> {
  const visitor = store.visitor();
  const headers = address ? { "X-Forwarded-For": address } : undefined;
  const { status, body } = await visitor.post("/api/trpc/visits.open", { shopId, code }, headers);
  if (status !== 200) throw new Error(`Opening the visit answered ${status}: ${JSON.stringify(body)}`);
  return visitor;
}

interface VisitOrderWishes {
  shopId: string;
  name?: string;
  pages?: number;
  copies?: number;
  key?: string;
}

/** The input of `visits.place` for one new file of this visitor. */
export async function visitOrderFor(
  visitor: ApiClient,
  { shopId, name = "Meera", pages = 3, copies = 1, key = crypto.randomUUID() }: VisitOrderWishes,
) {
  const shop = await getShop(visitor, shopId);
  const filesUrl = [await uploadPages(visitor, pages)];
  const { orderData } = orderAt(shop, { pages, copies, filesUrl, fulfilment: "pickup" });
  const options = mapKinds((kind) => shop[kind][0]) as Selection;
  const quote = priceJob({ pages, copies, options, fulfilment: "counter" });
  return {
    name,
    idempotencyKey: key,
    orderData: { ...orderData, shopId, subTotal: toRupees(quote.subTotalPaise) },
    orderValue: orderValueOf(quote),
  };
}

/** An order of this visitor, with the id of its file. */
export async function placeAtCounter(
  visitor: ApiClient,
  wishes: VisitOrderWishes,
): Promise<{ id: string; number: string; fileId: string }> {
  const input = await visitOrderFor(visitor, wishes);
  const { status, body } = await visitor.mutate("visits.place", input);
  if (status !== 200) throw new Error(`Placing at the counter answered ${status}: ${JSON.stringify(body)}`);
  const { _id: id, orderNumber: number } = body.result.data;
  return { id, number, fileId: input.orderData.filesUrl[0]?.split("/").at(-1) ?? "" };
}

/** The input of `visits.walkIn` for one new file of this clerk, paid in cash. */
export async function walkInOrder(clerk: ApiClient, shopId: string) {
  const { idempotencyKey: key, ...order } = await visitOrderFor(clerk, { shopId });
  const amountPaise = Math.round(order.orderValue.orderTotal * 100);
  return { ...order, key, shopId, payment: { method: "cash", amountPaise } };
}

/** Ends the visits that are over, and erases their files. */
export async function endVisits({ deps }: TestStore): Promise<void> {
  await endDueVisits(deps);
  await eraseDeleted(deps);
  await endDueVisits(deps);
}
