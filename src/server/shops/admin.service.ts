import { z } from "zod";
import { claimShopName } from "#db/seed/seed.queries.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { AuditAction } from "#shared/audit-actions.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { hasRight } from "#shared/permissions.ts";
import { samplePricePaise } from "#shared/sample-job.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import type {
  CreateShopInput,
  ManagedShopsInput,
  OpenShopInput,
  UpdateShopInput,
} from "#shared/schemas/shop-admin.ts";
import { nameAndPictureFields, type ShopDetails } from "#shared/schemas/shop-details.ts";
import { requireRecentAuth } from "../accounts/second-factor.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Admin, type Context, chosenShops, type StaffMember, shopNotFound } from "../context.ts";
import { AppError, fieldError, versionConflict } from "../errors.ts";
import {
  deleteShopWithoutOrders,
  findManagedShop,
  findManagedShops,
  hasDetails,
  insertShop,
  type ManagedShopRecord,
  type SaveStamp,
  updateHidden,
  updateOpening,
  updateShopDetails,
} from "./admin.queries.ts";
import { notifyEmailChange } from "./order-email.service.ts";
import { notifyAddressChange } from "./payment-address.service.ts";
import { requirePhoto } from "./photos.service.ts";
import {
  findActiveOptions,
  findActiveOptionsOf,
  type OptionRecord,
  searchShopNames,
} from "./shops.queries.ts";
import { listsByKind, wireShop } from "./shops.service.ts";

/**
 * One page of the caller's shops that match the search, by name, including hidden ones; `total` is how many match, `next` the
 * cursor of the next page. Throws NOT_FOUND when the shop is not one of theirs.
 */
export async function listManagedShops(
  ctx: Context<StaffMember>,
  { search, shopId, cursor }: ManagedShopsInput,
) {
  const { readDb } = ctx;
  const found = await searchShopNames(readDb, chosenShops(ctx, shopId), search);
  const start = cursor ?? 0;
  const end = start + LIST_ROWS;
  const ids = found.slice(start, end).map(({ id }) => id);
  const [shops, options] = await Promise.all([
    findManagedShops(readDb, ids),
    findActiveOptionsOf(readDb, ids),
  ]);
  const optionsByShop = Map.groupBy(options, (option) => option.shopId);
  return {
    rows: shops.map((shop) => toManagedShop(shop, optionsByShop.get(shop.id) ?? [])),
    total: found.length,
    next: found.length > end ? end : null,
  };
}

export async function getManagedShop(ctx: Context<StaffMember>, { shopId }: { shopId: string }) {
  const [shop, options] = await Promise.all([
    findManagedShop(ctx.readDb, shopId),
    findActiveOptions(ctx.readDb, shopId),
  ]);
  if (!shop) throw shopNotFound();
  return toManagedShop(shop, options);
}

/**
 * Creates a shop. It has no prices yet, so students do not see it until it is shown. Throws CONFLICT when its id is
 * taken by another shop.
 */
export async function createShop(ctx: Context<Admin>, input: CreateShopInput): Promise<{ id: string }> {
  if (input.upiId) requireRecentAuth(ctx);
  await requirePhoto(ctx, input.shopImage);
  await transact(ctx.db, (trx) => storeNewShop(trx, ctx, input));
  return { id: input.id };
}

async function storeNewShop(trx: Trx, ctx: Context<Admin>, { id, ...details }: CreateShopInput) {
  if (!(await insertShop(trx, { id, details, hidden: true, saved: stamp(ctx) }))) {
    // Sent again, because the answer was lost.
    if (await hasDetails(trx, id, details)) return;
    throw fieldError("id", `There is already a shop at "${id}". Please choose another address`, "CONFLICT");
  }
  await claimName(trx, ctx, id, details);
  const after = await requireManagedShop(trx, id);
  await notifyEmailChange(trx, ctx, after);
  await audit(trx, ctx, "shop.create", { after });
}

/**
 * Saves a shop's fields and returns their version. Throws CONFLICT, naming who and when, if somebody else has saved others in
 * the meantime. Only an admin changes the rating, which is the store's own; that of anybody else's form is not stored.
 */
export async function updateShop(
  ctx: Context<StaffMember>,
  input: UpdateShopInput,
): Promise<{ version: number }> {
  const shop = await findManagedShop(ctx.readDb, input.shopId);
  if (shop) await limitMoves(ctx, shop, input);
  // One who edited an older version is told of that first.
  if (shop?.version === input.version && shop.image !== input.shopImage)
    await requirePhoto(ctx, input.shopImage);
  return transact(ctx.db, (trx) => storeShop(trx, ctx, input));
}

/**
 * A shop's old names stay reserved for a while, and its old e-mail is told, so an owner could otherwise reserve the names that
 * others want, and mail strangers.
 */
async function limitMoves(
  ctx: Context<StaffMember>,
  { id, name, location, email }: ManagedShopRecord,
  input: UpdateShopInput,
): Promise<void> {
  if (ctx.actor.user.role === "admin") return;
  if (name === input.shopName && location === input.shopLocation && email === input.email) return;
  await ctx.limits.use("shopMove", id);
}

async function storeShop(
  trx: Trx,
  ctx: Context<StaffMember>,
  input: UpdateShopInput,
): Promise<{ version: number }> {
  const { shopId: id, version, ...typed } = input;
  const before = await beginShopChange(trx, ctx, id);
  // The form of an owner has the rating as it was when it was opened.
  const mayRate = hasRight("rateShop", ctx.actor.user.role);
  const details = { ...typed, ratings: mayRate ? typed.ratings : before.staffTenths };
  if (!(await updateShopDetails(trx, { id, version, details, saved: stamp(ctx) }))) {
    // Sent again, because the answer was lost.
    if (await hasDetails(trx, id, details)) return { version: before.version };
    throw versionConflict("this shop", before);
  }
  const isMoved = details.email !== before.email;
  if (details.upiId !== before.upiId || isMoved) requireRecentAuth(ctx);
  z.object(nameAndPictureFields(wireShop(before))).parse(details);
  await claimName(trx, ctx, id, details);
  if (details.upiId !== before.upiId) {
    const shop = { id, name: details.shopName };
    await notifyAddressChange(trx, ctx, { shop, from: before.upiId, to: details.upiId });
  }
  const after = await requireManagedShop(trx, id);
  if (isMoved) await notifyEmailChange(trx, ctx, after);
  await audit(trx, ctx, "shop.change", { before, after });
  return { version: after.version };
}

/** Throws CONFLICT about the field when the name could be confused with another shop's. */
async function claimName(
  trx: Trx,
  { now }: Context<StaffMember>,
  shopId: string,
  { shopName: name, shopLocation: location }: ShopDetails,
): Promise<void> {
  if (await claimShopName(trx, { shopId, name, location, now: now() })) return;
  const message = `Students could confuse this shop with another one: “${name}” at “${location}” is in use, or was until recently. Please choose another name`;
  throw fieldError("shopName", message, "CONFLICT");
}

/** Opens a shop for orders, or closes it with a note for students. */
export async function setShopOpen(
  ctx: Context<StaffMember>,
  { shopId, ...opening }: OpenShopInput,
): Promise<void> {
  await transact(ctx.db, async (trx) =>
    storeOpening(trx, ctx, await beginShopChange(trx, ctx, shopId), opening),
  );
}

/** Opens or closes a shop that the caller's transaction has locked, and records it. */
export async function storeOpening(
  trx: Trx,
  ctx: Context<StaffMember>,
  before: ManagedShopRecord,
  { isOpen, closedNote }: Omit<OpenShopInput, "shopId">,
): Promise<void> {
  const { id } = before;
  const note = isOpen ? "" : closedNote;
  if (before.isOpen === isOpen && before.closedNote === note) return;
  await updateOpening(trx, { id, isOpen, closedNote: note });
  const after = await requireManagedShop(trx, id);
  await audit(trx, ctx, isOpen ? "shop.open" : "shop.close", { before, after });
}

/** Hides a shop from students or shows it. Throws CONFLICT when its price list has an empty list. */
export async function setShopHidden(
  ctx: Context<Admin>,
  { shopId, hidden }: { shopId: string; hidden: boolean },
): Promise<void> {
  await transact(ctx.db, async (trx) =>
    storeHidden(trx, ctx, await beginShopChange(trx, ctx, shopId), hidden),
  );
}

/** The same for a shop that the caller's transaction has locked. The caller must have checked that this person may do it. */
export async function storeHidden(
  trx: Trx,
  ctx: Context<StaffMember>,
  before: ManagedShopRecord,
  hidden: boolean,
): Promise<void> {
  const { id } = before;
  if (!hidden) refuseEmptyLists(await findActiveOptions(trx, id));
  if (before.hidden === hidden) return;
  await updateHidden(trx, id, hidden);
  const after = await requireManagedShop(trx, id);
  await audit(trx, ctx, hidden ? "shop.hide" : "shop.show", { before, after });
}

function refuseEmptyLists(options: OptionRecord[]): void {
  const gaps = gapsIn(options).map((kind) => OPTION_FIELDS[kind].label);
  if (gaps.length === 0) return;
  throw new AppError("CONFLICT", `Students cannot order here yet. Add prices to: ${gaps.join(", ")}`);
}

/** Deletes a shop that has never had an order. Throws CONFLICT for any other. */
export async function removeShop(ctx: Context<Admin>, input: { shopId: string }): Promise<void> {
  await transact(ctx.db, (trx) => deleteShop(trx, ctx, input.shopId));
}

async function deleteShop(trx: Trx, ctx: Context<Admin>, id: string): Promise<void> {
  const before = await beginShopChange(trx, ctx, id);
  if (!(await deleteShopWithoutOrders(trx, id))) {
    throw new AppError("CONFLICT", "This shop has orders, so it cannot be deleted. Hide it instead");
  }
  await audit(trx, ctx, "shop.delete", { before });
}

/**
 * Begins a change of the shop, which counts once for the caller: locks the shop until the transaction ends, and returns it.
 * Throws NOT_FOUND, and RATE_LIMITED after too many changes.
 */
export async function beginShopChange(
  trx: Trx,
  { limits, actor }: Pick<Context<StaffMember>, "limits" | "actor">,
  id: string,
): Promise<ManagedShopRecord> {
  await limits.take(trx, ["shopChangeStaff", actor.user._id]);
  await lockRow(trx, "shops", id);
  return requireManagedShop(trx, id);
}

async function requireManagedShop(trx: Trx, id: string): Promise<ManagedShopRecord> {
  const shop = await findManagedShop(trx, id);
  if (!shop) throw shopNotFound();
  return shop;
}

function audit(
  trx: Trx,
  ctx: Context<StaffMember>,
  action: AuditAction,
  { before, after }: { before?: ManagedShopRecord; after?: ManagedShopRecord },
): Promise<void> {
  const { id = "", name = "" } = after ?? before ?? {};
  return recordAudit(trx, ctx, {
    action,
    subject: { id, name },
    shopId: id,
    ...(before && { before: auditFields(before) }),
    ...(after && { after: auditFields(after) }),
  });
}

function auditFields(shop: ManagedShopRecord) {
  const { _id, takesUpi, ...fields } = wireShop(shop);
  return {
    ...fields,
    ratings: staffStars(shop),
    upiId: shop.upiId,
    separatesFiles: shop.separatesFiles,
    hidden: shop.hidden,
  };
}

function toManagedShop(shop: ManagedShopRecord, options: OptionRecord[]) {
  const { upiId, orderEmail, hidden, separatesFiles, hasOrders, version, savedBy, savedAt } = shop;
  return {
    ...wireShop(shop),
    /** The rating set by staff, shown until enough students have rated. */
    staffRatings: staffStars(shop),
    ratingCount: shop.ratingCount,
    samplePaise: samplePricePaise(listsByKind(options)),
    upiId,
    /** The confirmed e-mail, to which orders are mailed; empty before there is one. */
    orderEmail,
    hidden,
    separatesFiles,
    hasOrders,
    version,
    savedBy,
    savedAt,
    /** The option lists without an active option. */
    gaps: gapsIn(options),
  };
}

function staffStars({ staffTenths }: ManagedShopRecord): number {
  return staffTenths / 10;
}

function gapsIn(options: OptionRecord[]): OptionKind[] {
  const lists = listsByKind(options);
  return OPTION_KINDS.filter((kind) => lists[kind].length === 0);
}

function stamp({ actor, now }: Context<StaffMember>): SaveStamp {
  return { by: actor.user.fullName, at: now().toISOString() };
}
