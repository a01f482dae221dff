import { isDeepStrictEqual } from "node:util";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianTime } from "#shared/indian-time.ts";
import { isWorking, nextDayOpening, reopensAt } from "#shared/promised-time.ts";
import type { CloseEarlyInput, SaveScheduleInput } from "#shared/schemas/schedule.ts";
import { recordAudit, requireBase } from "../audit/audit.service.ts";
import { type Context, requireShop, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import type { ManagedShopRecord } from "./admin.queries.ts";
import { beginShopChange, storeOpening } from "./admin.service.ts";
import {
  type ClosedShop,
  findClosedShops,
  findSchedule,
  type KnownSchedule,
  type ShopSchedule,
  saveSchedule,
} from "./schedule.queries.ts";

/** What a shop's staff set of its promised times, beside its hours. */
type SavedSettings = Omit<SaveScheduleInput, "shopId" | "base">;

/** What decides a shop's promised times, beside its hours. */
interface ScheduleSettings extends SavedSettings {
  /** It closed early and opens again by itself then; null otherwise. */
  closedUntil: string | null;
  /** Whether it works now by its hours; null for a shop without hours, which promises nothing. */
  isWorking: boolean | null;
}

/** Null for a shop that has not said when it is open. */
export async function findShopSchedule(db: Db | Trx, shopId: string): Promise<ShopSchedule | null> {
  return withHours(await findSchedule(db, shopId));
}

function withHours({ week, ...schedule }: KnownSchedule): ShopSchedule | null {
  return week && { week, ...schedule };
}

export async function getScheduleSettings(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<ScheduleSettings> {
  const known = await findSchedule(ctx.readDb, shopId);
  const schedule = withHours(known);
  const { week, closedUntil, ...settings } = known;
  const isClosed = closedUntil !== null && closedUntil > ctx.now().toISOString();
  return {
    ...settings,
    closedUntil: isClosed ? (schedule ? reopensAt(schedule) : closedUntil) : null,
    isWorking: schedule && isWorking(schedule, ctx.now()),
  };
}

/**
 * Saves holidays and speed, and returns them. Orders that are placed already keep their promised time. Throws CONFLICT if
 * somebody else has saved others in the meantime.
 */
export async function saveScheduleSettings(
  ctx: Context<StaffMember>,
  input: SaveScheduleInput,
): Promise<SavedSettings> {
  return transact(ctx.db, (trx) => storeSettings(trx, ctx, input));
}

async function storeSettings(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shopId, base, ...settings }: SaveScheduleInput,
): Promise<SavedSettings> {
  const { name } = await beginShopChange(trx, ctx, shopId);
  const { week, closedUntil, ...before } = await findSchedule(trx, shopId);
  if (isDeepStrictEqual(before, settings)) return settings;
  await requireBase(trx, ctx, "the promised times", {
    saved: before,
    base,
    action: "shop.schedule",
    subjectId: shopId,
  });
  await saveSchedule(trx, shopId, {
    holidays: settings.holidays.join(","),
    pages_per_minute: settings.pagesPerMinute,
    handling_minutes: settings.handlingMinutes,
  });
  await recordAudit(trx, ctx, {
    action: "shop.schedule",
    subject: { id: shopId, name },
    shopId,
    before: auditFields(before),
    after: auditFields(settings),
  });
  return settings;
}

function auditFields({ holidays, ...speed }: SavedSettings) {
  return { holidays: holidays.join(","), ...speed };
}

/**
 * Closes a shop for the rest of its day, or takes that back. It goes on taking orders, promised for the next opening, when it
 * works again by itself. Does nothing where it is so already. Throws CONFLICT for a shop without hours, one that is not working now, and one that never opens.
 */
export async function closeEarly(
  ctx: Context<StaffMember>,
  { shopId, isClosing }: CloseEarlyInput,
): Promise<void> {
  await transact(ctx.db, async (trx) =>
    storeEarlyClosing(trx, ctx, await beginShopChange(trx, ctx, shopId), isClosing),
  );
}

async function storeEarlyClosing(
  trx: Trx,
  ctx: Context<StaffMember>,
  { id: shopId, name }: ManagedShopRecord,
  isClosing: boolean,
): Promise<void> {
  const schedule = await findSchedule(trx, shopId);
  const { closedUntil: before } = schedule;
  if (isClosing === (before !== null && before > ctx.now().toISOString())) return;
  const closedUntil = isClosing ? nextOpening(schedule, name, ctx.now()) : null;
  await saveSchedule(trx, shopId, { closed_until: closedUntil });
  await recordAudit(trx, ctx, {
    action: "shop.closeEarly",
    subject: { id: shopId, name },
    shopId,
    after: { closedUntil: closedUntil && indianTime(closedUntil) },
  });
}

function nextOpening(known: KnownSchedule, name: string, now: Date): string {
  const schedule = withHours(known);
  if (!schedule) throw new AppError("CONFLICT", `${name} has no opening hours yet. Please enter them first`);
  if (!isWorking(schedule, now)) throw new AppError("CONFLICT", `${name} is closed now by its hours`);
  const opening = nextDayOpening(schedule, now);
  if (!opening) {
    const why = `By its hours ${name} does not close and open again, so it would stay closed`;
    throw new AppError("CONFLICT", `${why}. Please close it by hand instead`);
  }
  return opening.toISOString();
}

/** Those of the caller's shops that are closed by hand or early. */
export function listClosedShops(ctx: Context<StaffMember>): Promise<ClosedShop[]> {
  return findClosedShops(ctx.readDb, { scope: ctx.actor.shops, now: ctx.now() });
}

/**
 * Lets a shop take orders again and go on working today, for all of its staff: who unlocks the door need not be the owner.
 * Does nothing for one that is open. Throws NOT_FOUND for another's shop.
 */
export async function openShop(ctx: Context<StaffMember>, { shopId }: { shopId: string }): Promise<void> {
  requireShop(ctx, shopId);
  await transact(ctx.db, async (trx) => {
    const shop = await beginShopChange(trx, ctx, shopId);
    await storeOpening(trx, ctx, shop, { isOpen: true, closedNote: "" });
    await storeEarlyClosing(trx, ctx, shop, false);
  });
}
