import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { moveTo, type PlacedOrder, placeOrder } from "./placed-orders.ts";
import { expectDone } from "./shops.ts";

/** An order by a new student that the shop has just delivered. */
export async function deliveredOrder(
  store: TestStore,
  staff: ApiClient,
  shopId: string,
): Promise<PlacedOrder> {
  const order = await placeOrder(store, shopId);
  await moveTo(staff, order.id, "delivered");
  return order;
}

/** Reports a printing error with these photos. */
export function reportError({ id, visitor }: Pick<PlacedOrder, "id" | "visitor">, photos: string[] = []) {
  return visitor.mutate("reprints.report", { orderId: id, reason: "Page 2 is smudged", photos });
}

/** Accepts or declines the report, as staff do. */
export function answerReport(staff: ApiClient, orderId: string, accepted: boolean) {
  return staff.mutate("reprints.answer", { orderId, accepted, answer: accepted ? "Sorry!" : "It is fine" });
}

/** A delivered order with an accepted reprint. */
export async function acceptedReprint(
  store: TestStore,
  staff: ApiClient,
  shopId: string,
): Promise<PlacedOrder> {
  const order = await deliveredOrder(store, staff, shopId);
  expectDone(await reportError(order));
  expectDone(await answerReport(staff, order.id, true));
  return order;
}

/** Uploads a photo as the storefront does. */
export function sendPhoto(visitor: ApiClient, picture: Uint8Array<ArrayBuffer>) {
  const headers = { "Content-Type": "application/octet-stream" };
  return visitor.send("POST", "/api/trpc/reprints.uploadPhoto", picture, headers);
}
