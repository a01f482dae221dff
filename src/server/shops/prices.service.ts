import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  comparePriceLists,
  describeEntry,
  emptyLists,
  isSameEntry,
  type PriceChange,
} from "#shared/price-list.ts";
import type { SavePricesInput } from "#shared/schemas/prices.ts";
import type { SetOutInput } from "#shared/schemas/stock.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Context, requireShop, type StaffMember } from "../context.ts";
import { AppError, type LastSave, versionConflict } from "../errors.ts";
import { beginShopChange, storeHidden } from "./admin.service.ts";
import {
  deleteOptions,
  findLastSave,
  findPriceLists,
  incrementVersion,
  insertOption,
  type StoredEntry,
  type StoredLists,
  setTemporaryNames,
  updateOption,
  updateOut,
} from "./prices.queries.ts";
import { findActiveOptions } from "./shops.queries.ts";

/** A shop's price list for editing, with the version that a save must send back. */
export interface PriceList extends LastSave {
  lists: StoredLists;
}

export async function getPriceList(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<PriceList> {
  // Read before the options: a save in between then fails the version check.
  const saved = await findLastSave(ctx.readDb, shopId);
  return { ...saved, lists: await findPriceLists(ctx.readDb, shopId) };
}

/**
 * Replaces all six lists of a shop. Existing options keep their ids; options left out are deleted, which is safe
 * because orders keep their own names and prices. Throws CONFLICT, naming who and when, if somebody else has saved in
 * the meantime and other lists, INVALID_INPUT when a list has no active option, and FORBIDDEN when an owner shows a
 * shop with anything but its first list: whether any other shop is shown is for admins to decide.
 */
export async function savePriceList(ctx: Context<StaffMember>, input: SavePricesInput): Promise<PriceList> {
  return transact(ctx.db, (trx) => storePriceList(trx, ctx, input));
}

async function storePriceList(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shopId, version, lists, show }: SavePricesInput,
): Promise<PriceList> {
  const shop = await beginShopChange(trx, ctx, shopId);
  const at = ctx.now().toISOString();
  const before = await findPriceLists(trx, shopId);
  if (!(await incrementVersion(trx, { shopId, version, by: ctx.actor.user.fullName, at }))) {
    const last = await findLastSave(trx, shopId);
    if (isStored(lists, before)) return { ...last, lists: before };
    throw versionConflict("this price list", last);
  }
  const after = withIds(lists, before);
  const isFirst = version === 0 && OPTION_KINDS.every((kind) => before[kind].length === 0);
  if (show && !isFirst && ctx.actor.user.role !== "admin") {
    throw new AppError("FORBIDDEN", "Only an admin can show this shop to students");
  }
  if (show || !shop.hidden) requireActiveOptions(after);
  await writeLists(trx, shopId, before, after);
  await recordAudit(trx, ctx, {
    action: "prices.change",
    subject: { id: shop.id, name: shop.name },
    shopId,
    ...auditChanges(comparePriceLists(before, after)),
  });
  if (show && shop.hidden) await storeHidden(trx, ctx, shop, false);
  return { ...(await findLastSave(trx, shopId)), lists: after };
}

/** Whether these lists are saved already: somebody whose answer was lost sends them again. */
function isStored(lists: SavePricesInput["lists"], stored: StoredLists): boolean {
  return OPTION_KINDS.every(
    (kind) =>
      lists[kind].length === stored[kind].length &&
      lists[kind].every((entry, index) => {
        const is = stored[kind][index];
        return is && isSameEntry(entry, is) && (entry.id ?? is.id) === is.id;
      }),
  );
}

/** Gives each option an id: its own, which must be from the same list, or a new one. */
function withIds(lists: SavePricesInput["lists"], before: StoredLists): StoredLists {
  const entries = OPTION_KINDS.map((kind) => {
    const known = new Set(before[kind].map(({ id }) => id));
    const stored = lists[kind].map(({ id, ...entry }): StoredEntry => {
      if (id !== undefined && !known.has(id)) {
        throw new AppError("INVALID_INPUT", `"${entry.name}" is no longer an option of this list`);
      }
      return { ...entry, id: id ?? randomUUID() };
    });
    return [kind, stored];
  });
  return Object.fromEntries(entries) as StoredLists;
}

function requireActiveOptions(lists: StoredLists): void {
  const issues = emptyLists(lists).map((kind) => ({
    path: `lists.${kind}`,
    message: `${OPTION_FIELDS[kind].label} must have at least one option that is on`,
  }));
  const [first] = issues;
  if (first) throw new AppError("INVALID_INPUT", first.message, { issues });
}

async function writeLists(trx: Trx, shopId: string, before: StoredLists, after: StoredLists): Promise<void> {
  for (const kind of OPTION_KINDS) {
    const old = new Map(before[kind].map((entry) => [entry.id, entry]));
    const kept = new Set(after[kind].map(({ id }) => id));
    await deleteOptions(
      trx,
      [...old.keys()].filter((id) => !kept.has(id)),
    );
    const renamed = after[kind].filter(({ id, name }) => old.has(id) && old.get(id)?.name !== name);
    await setTemporaryNames(
      trx,
      renamed.map(({ id }) => id),
    );
    for (const [position, entry] of after[kind].entries()) {
      if (old.has(entry.id)) await updateOption(trx, { entry, position });
      else await insertOption(trx, shopId, { entry, kind, position });
    }
  }
}

/** The changes as `before` and `after` of an audit entry. */
function auditChanges(changes: PriceChange[]) {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const change of changes) {
    if (change.type === "reordered") {
      const subject = `${label(change.kind)} in order`;
      before[subject] = change.before.map(({ name }) => name).join(", ");
      after[subject] = change.after.map(({ name }) => name).join(", ");
      continue;
    }
    const was = change.type === "added" ? undefined : change.before;
    const is = change.type === "removed" ? undefined : change.after;
    const subject = `${label(change.kind)}: ${(was ?? is)?.name}`;
    if (was) before[subject] = describeEntry(was);
    if (is)
      after[subject] = was && was.name !== is.name ? `${is.name}, ${describeEntry(is)}` : describeEntry(is);
  }
  return { before, after };
}

function label(kind: OptionKind): string {
  return OPTION_FIELDS[kind].label;
}

/**
 * Marks an option of one of the caller's shops as out of stock, or as back. Throws NOT_FOUND for an option of another shop,
 * and CONFLICT with `data.isLast` for the last one of its list, unless the caller accepts that nobody can order then.
 */
export async function setOptionOut(ctx: Context<StaffMember>, input: SetOutInput): Promise<void> {
  requireShop(ctx, input.shopId);
  await transact(ctx.db, (trx) => storeOut(trx, ctx, input));
}

/** Locks the shop first, so that two clerks cannot mark the last two options at the same moment unwarned. */
async function storeOut(trx: Trx, ctx: Context<StaffMember>, input: SetOutInput): Promise<void> {
  const { shopId, optionId, isOut, isLastAccepted } = input;
  await beginShopChange(trx, ctx, shopId);
  const options = await findActiveOptions(trx, shopId);
  const option = options.find(({ id }) => id === optionId);
  if (!option) throw new AppError("NOT_FOUND", "This option was not found");
  if (option.isOut === isOut) return;
  const others = options.filter(({ id, kind, isOut }) => id !== optionId && kind === option.kind && !isOut);
  if (isOut && others.length === 0 && !isLastAccepted) {
    const list = OPTION_FIELDS[option.kind].label.toLowerCase();
    throw new AppError(
      "CONFLICT",
      `“${option.name}” is the last ${list} in stock. Without it students cannot order here until something is back in stock`,
      { data: { isLast: true } },
    );
  }
  await updateOut(trx, { id: optionId, outSince: isOut ? ctx.now().toISOString() : null });
  await recordAudit(trx, ctx, {
    action: isOut ? "stock.out" : "stock.back",
    subject: { id: optionId, name: option.name },
    shopId,
  });
}
