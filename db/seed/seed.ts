import { OPTION_KINDS } from "#shared/options.ts";
import { type SeedFile, seedFile } from "#shared/schemas/seed.ts";
import type { Db } from "../open.ts";
import { type Trx, transact } from "../transaction.ts";
import demoShops from "./demo-shops.json" with { type: "json" };
import { deactivateOptionsExcept, type Outcome, upsertOption, upsertShop } from "./seed.queries.ts";

type Tally = Record<Outcome, number>;

/** How many rows a seed made, changed, found right, and (options that the file no longer has) switched off. */
export interface SeedReport {
  shops: Tally;
  options: Tally & { deactivated: number };
}

/**
 * Brings the shops of `data` and their price lists to what `data` says, in one transaction. A shop is found by
 * its id, an option by its shop, list and name, so that ids and orders stay; options that `data` lacks are
 * switched off. Shops that `data` lacks are left alone.
 */
export function seedShops(db: Db, data: SeedFile, now: Date): Promise<SeedReport> {
  return transact(db, async (trx) => {
    await claimFirstSeed(trx, now);
    return writeShops(trx, data, now);
  });
}

/**
 * Seeds the demo shops on a store that has no shops and was never seeded, by the demo or by a file. Null: it was
 * left alone. However many servers start at once, and whatever is deleted later, this happens once.
 */
export function seedDemoOnce(db: Db, now: Date): Promise<SeedReport | null> {
  return transact(db, async (trx) => {
    if (!(await claimFirstSeed(trx, now)) || (await hasShops(trx))) return null;
    return writeShops(trx, readDemoShops(), now);
  });
}

/** The demo shops that the store ships. */
export function readDemoShops(): SeedFile {
  return seedFile.parse(demoShops);
}

/** True for the first seed of a store only; a store seeded by hand never gets the demo on top. */
async function claimFirstSeed(trx: Trx, now: Date): Promise<boolean> {
  const claimed = await trx
    .insertInto("store_facts")
    .values({ name: "demo-seeded", value: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();
  return claimed !== undefined;
}

async function hasShops(trx: Trx): Promise<boolean> {
  return (await trx.selectFrom("shops").select("id").limit(1).executeTakeFirst()) !== undefined;
}

async function writeShops(trx: Trx, data: SeedFile, now: Date): Promise<SeedReport> {
  const report: SeedReport = {
    shops: { created: 0, updated: 0, unchanged: 0 },
    options: { created: 0, updated: 0, unchanged: 0, deactivated: 0 },
  };
  for (const shop of data.shops) {
    report.shops[await upsertShop(trx, shop, now)]++;
    for (const kind of OPTION_KINDS) {
      for (const [position, option] of shop[kind].entries()) {
        report.options[await upsertOption(trx, { shopId: shop.id, kind, position, ...option })]++;
      }
      const names = shop[kind].map((option) => option.name);
      report.options.deactivated += await deactivateOptionsExcept(trx, shop.id, kind, names);
    }
  }
  return report;
}
