import { transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { type Day, indianDay } from "#shared/indian-time.ts";
import type { SwitchCounterInput } from "#shared/schemas/visits.ts";
import { CODE_GRACE_MINUTES, CODE_LENGTH, counterPath } from "#shared/visits.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Context, type Deps, requireShop, type StaffMember, shopNotFound } from "../context.ts";
import { sameHash } from "../lib/crypto.ts";
import {
  findManagedShop,
  type ManagedShopRecord,
  raiseCounterVersion,
  updateCounter,
} from "./admin.queries.ts";
import { beginShopChange } from "./admin.service.ts";
import type { ShopRecord } from "./shops.queries.ts";
import { closedMessage } from "./shops.service.ts";

type CodedShop = Pick<ShopRecord, "id" | "counterVersion">;

/**
 * The code that opens visits at this shop on this day. Nothing of it is stored. It begins with a letter, because the
 * storefront's router would read `1e234567` in an address as a number.
 */
function codeOf({ keyring }: Pick<Deps, "keyring">, { id, counterVersion }: CodedShop, day: Day): string {
  return `c${keyring.mac("counter", `code ${id} ${day} ${counterVersion}`).slice(0, CODE_LENGTH)}`;
}

/**
 * The day and version of a right code, such as `2026-11-23.1`; null for a wrong one. Yesterday's code is right until
 * CODE_GRACE_MINUTES after midnight in India.
 */
export function checkCode(deps: Pick<Deps, "keyring" | "now">, shop: CodedShop, code: string): string | null {
  const now = deps.now();
  const graceStart = new Date(now.getTime() - CODE_GRACE_MINUTES * MINUTE_MS);
  const days = new Set([indianDay(now), indianDay(graceStart)]);
  for (const day of days) if (sameHash(code, codeOf(deps, shop, day))) return `${day}.${shop.counterVersion}`;
  return null;
}

/** Why nobody can order at the counter now; null where they can. */
export function closedReason(shop: ShopRecord): string | null {
  if (!shop.isOpen) return closedMessage(shop);
  if (!shop.counterOn)
    return `${shop.name} takes no orders by this code at the moment. Please ask at the counter`;
  return null;
}

/** What the console shows of a shop's counter. */
interface CounterToday {
  shop: { id: string; name: string; location: string };
  /** Whether people may order at the counter; `isOpen` and `isShown` must hold too. */
  isOn: boolean;
  isOpen: boolean;
  isShown: boolean;
  /** The address in the QR code. */
  url: string;
  day: Day;
}

/** The counter of a shop of the caller's, with the code of today. Throws NOT_FOUND. */
export async function getCounter(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<CounterToday> {
  requireShop(ctx, shopId);
  const shop = await findManagedShop(ctx.readDb, shopId);
  if (!shop) throw shopNotFound();
  return toCounter(ctx, shop);
}

function toCounter(ctx: Context, shop: ManagedShopRecord): CounterToday {
  const day = indianDay(ctx.now());
  return {
    shop: { id: shop.id, name: shop.name, location: shop.location },
    isOn: shop.counterOn,
    isOpen: shop.isOpen,
    isShown: !shop.hidden,
    url: `${ctx.publicUrl()}${counterPath(shop.id)}?code=${codeOf(ctx, shop, day)}`,
    day,
  };
}

/** Makes the present code of the shop's counter invalid, after it got around. Open visits go on. */
export async function renewCode(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<CounterToday> {
  requireShop(ctx, shopId);
  return transact(ctx.db, async (trx) => {
    const shop = await beginShopChange(trx, ctx, shopId);
    await raiseCounterVersion(trx, shopId);
    await recordAudit(trx, ctx, { action: "counter.newCode", subject: shop, shopId });
    return toCounter(ctx, { ...shop, counterVersion: shop.counterVersion + 1 });
  });
}

/** Lets people order at the shop's counter, or no longer. */
export async function switchCounter(
  ctx: Context<StaffMember>,
  { shopId, isOn }: SwitchCounterInput,
): Promise<CounterToday> {
  requireShop(ctx, shopId);
  return transact(ctx.db, async (trx) => {
    const shop = await beginShopChange(trx, ctx, shopId);
    if (await updateCounter(trx, shopId, isOn))
      await recordAudit(trx, ctx, { action: isOn ? "counter.on" : "counter.off", subject: shop, shopId });
    return toCounter(ctx, { ...shop, counterOn: isOn });
  });
}
