import type { Db } from "#db/database.ts";
import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { isUnprinted } from "#shared/order-states.ts";
import { promisedTime, workMinutes } from "#shared/promised-time.ts";
import type { PromiseInput } from "#shared/schemas/schedule.ts";
import type { Deps } from "../../context.ts";
import { findShopSchedule } from "../../shops/schedule.service.ts";
import { requireShownShop } from "../../shops/shops.service.ts";
import { findWaitingWork } from "./placement.queries.ts";

/**
 * By when this shop has printed so many pages that are ordered now, after what it has to print already; ISO 8601 in UTC. Null
 * for a shop without hours: nothing is promised that nobody knows.
 */
export async function promiseTime(
  db: Db | Trx,
  { now }: Pick<Deps, "now">,
  { shopId, pages }: PromiseInput,
): Promise<string | null> {
  const schedule = await findShopSchedule(db, shopId);
  if (!schedule) return null;
  const waiting = await findWaitingWork(db, shopId);
  const work = { pages: waiting.pages + pages, orders: waiting.orders + 1 };
  return promisedTime(schedule, workMinutes(work, schedule), now())?.toISOString() ?? null;
}

/**
 * The time that an order on hold is promised as it goes on: by what printing it takes from now, as what was before it is printed
 * meanwhile, and not before the time that it had.
 */
export async function promiseAgain(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  { shop_id, pages, copies, state, promised_at }: OrderTable,
): Promise<string | null> {
  if (promised_at === null || !isUnprinted(state)) return promised_at;
  const schedule = await findShopSchedule(trx, shop_id);
  if (!schedule) return promised_at;
  const minutes = workMinutes({ pages: pages * copies, orders: 1 }, schedule);
  const again = promisedTime(schedule, minutes, now())?.toISOString() ?? promised_at;
  return again > promised_at ? again : promised_at;
}

/** The time that an order would be promised now, for somebody who chooses. Throws NOT_FOUND for a hidden shop. */
export async function getPromise(
  ctx: Pick<Deps, "readDb" | "now">,
  input: PromiseInput,
): Promise<{ promisedAt: string | null }> {
  const shop = await requireShownShop(ctx.readDb, input.shopId);
  return { promisedAt: shop.isOpen ? await promiseTime(ctx.readDb, ctx, input) : null };
}
