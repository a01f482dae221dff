import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_OPTIONS, OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { type SeedFile, type SeedShop, seedFile } from "#shared/schemas/seed.ts";
import type { Db } from "../database.ts";
import { claimFact } from "../facts.ts";
import { lockRow } from "../sql.ts";
import { type Trx, transact } from "../transaction.ts";
import demoShops from "./demo-shops.json" with { type: "json" };
import {
  claimShopName,
  deactivateOptionsExcept,
  findTooLongList,
  type Outcome,
  raisePriceListVersion,
  renameAlike,
  type SeedAuthor,
  upsertOption,
  upsertShop,
} from "./seed.queries.ts";

type Tally = Record<Outcome, number>;
type OptionTally = Tally & { deactivated: number };

/** How many rows a seed created, updated, left unchanged, and (options that the file no longer has) deactivated. */
export interface SeedReport {
  shops: Tally;
  options: OptionTally;
  /** The same for each shop, in the order of the file. */
  byShop: SeededShop[];
}

export interface SeededShop {
  id: string;
  name: string;
  outcome: Outcome;
  options: OptionTally;
}

/** Actor recorded when the seed runs from the command line. */
const seedCommand = (now: Date): SeedAuthor => ({ name: "the seed command", now, isOperator: true });

/**
 * Creates or updates the shops of `data` and their price lists, in one transaction. A shop is found by its id, an option by
 * its shop, list and name, whatever its case and spaces. Options that are not in `data` are deactivated; shops that are not
 * in it stay as they are.
 */
export function seedShops(db: Db, data: SeedFile, now: Date): Promise<SeedReport> {
  return transact(db, (trx) => writeSeed(trx, data, seedCommand(now)));
}

/** `seedShops` within a transaction of the caller. */
export async function writeSeed(trx: Trx, data: SeedFile, author: SeedAuthor): Promise<SeedReport> {
  await claimFirstSeed(trx, author.now);
  return writeShops(trx, data, author);
}

/**
 * Seeds the demo shops into a store that has no shops and was never seeded; returns null otherwise. It happens once,
 * however many servers start at the same time and whatever is deleted later.
 */
export function seedDemoOnce(db: Db, now: Date): Promise<SeedReport | null> {
  return transact(db, async (trx) => {
    if (!(await claimFirstSeed(trx, now)) || (await hasShops(trx))) return null;
    return writeShops(trx, readDemoShops(), seedCommand(now));
  });
}

/** The demo shops in `demo-shops.json`. */
export function readDemoShops(): SeedFile {
  return seedFile.parse(demoShops);
}

/** True for the first seed of a store only, so that the demo is never added to a store that was seeded from a file. */
function claimFirstSeed(trx: Trx, now: Date): Promise<boolean> {
  return claimFact(trx, "demo-seeded", now.toISOString());
}

async function hasShops(trx: Trx): Promise<boolean> {
  return (await trx.selectFrom("shops").select("id").limit(1).executeTakeFirst()) !== undefined;
}

async function writeShops(trx: Trx, data: SeedFile, author: SeedAuthor): Promise<SeedReport> {
  const report: SeedReport = { shops: noShops(), options: noOptions(), byShop: [] };
  for (const shop of data.shops) {
    const outcome = await upsertShop(trx, shop, author);
    await claimName(trx, shop, author);
    await lockRow(trx, "shops", shop.id);
    const options = await writePriceList(trx, shop, author);
    report.shops[outcome]++;
    add(report.options, options);
    report.byShop.push({ id: shop.id, name: shop.shopName, outcome, options });
    // SQLite's driver works in this thread: a large file would keep everybody waiting for seconds.
    await nextTurn();
  }
  return report;
}

async function claimName(trx: Trx, shop: SeedShop, { now }: SeedAuthor): Promise<void> {
  const { id: shopId, shopName: name, shopLocation: location } = shop;
  if (await claimShopName(trx, { shopId, name, location, now })) return;
  throw new SeedRefused(
    `Another shop than ${shopId} is called “${name}” at “${location}”, or was until lately`,
  );
}

/** The store refuses a seed because of what it has already. */
export class SeedRefused extends Error {}

async function writePriceList(trx: Trx, shop: SeedShop, author: SeedAuthor): Promise<OptionTally> {
  const tally = noOptions();
  for (const kind of OPTION_KINDS) {
    const names = shop[kind].map((option) => option.name);
    const renamed = await renameAlike(trx, { shopId: shop.id, kind, names });
    for (const [position, option] of shop[kind].entries()) {
      const outcome = await upsertOption(trx, { shopId: shop.id, kind, position, ...option });
      tally[renamed.has(option.name) ? "updated" : outcome]++;
    }
    tally.deactivated += await deactivateOptionsExcept(trx, shop.id, kind, names);
  }
  const changed = tally.created + tally.updated + tally.deactivated > 0;
  if (changed) await raisePriceListVersion(trx, shop.id, author);
  if (tally.created > 0) await refuseTooLongList(trx, shop);
  return tally;
}

async function refuseTooLongList(trx: Trx, { id, shopName }: SeedShop): Promise<void> {
  const list = await findTooLongList(trx, id);
  if (!list) return;
  const { label } = OPTION_FIELDS[list.kind];
  throw new SeedRefused(
    `${shopName}: a list can have at most ${MAX_OPTIONS} options. ${label} would have ${list.count}, with those that this file switches off. Remove some of them from the shop's prices first`,
  );
}

function noShops(): Tally {
  return { created: 0, updated: 0, unchanged: 0 };
}

function noOptions(): OptionTally {
  return { ...noShops(), deactivated: 0 };
}

function add(total: OptionTally, part: OptionTally): void {
  for (const key of ["created", "updated", "unchanged", "deactivated"] as const) total[key] += part[key];
}
