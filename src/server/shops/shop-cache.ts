import type { Database, Db } from "#db/database.ts";
import { closingsOf } from "#shared/closed-days.ts";
import { loadOnce } from "#shared/load-once.ts";
import type { Paise } from "#shared/money.ts";
import { samplePricePaise } from "#shared/sample-job.ts";
import type { ShopCard } from "#shared/schemas/shops.ts";
import { findShops, type SearchableShop, sortShops, toSearchable } from "#shared/shop-search.ts";
import type { ShopSort } from "#shared/shop-sorts.ts";
import { findPauses, NO_PAUSE } from "./schedule.queries.ts";
import {
  findActiveOptionsOf,
  findCatalogueVersion,
  findOptionsOut,
  findPriceListVersions,
  findShownShops,
} from "./shops.queries.ts";
import { listsByKind, wireShop } from "./shops.service.ts";

/** All shops that students see, cached in memory until one of them changes. */
export interface ShopCache {
  /** The shops that match every word of the search, sorted. */
  find(wanted: { search: string; sort: ShopSort }): Promise<ShopCard[]>;
}

interface ShopCacheParts {
  readDb: Db;
  catalogue: Catalogue;
  now: () => Date;
}

/** Reloads the shops when the catalogue has changed, and prices only those whose price list was saved since. */
export function createShopCache({ readDb, catalogue, now }: ShopCacheParts): ShopCache {
  let samples = new Map<string, SamplePrice>();
  let known: { version: number; snapshot: () => Promise<ShopSnapshot> } | undefined;

  async function read(): Promise<ShopSnapshot> {
    const shops = await findShownShops(readDb);
    const ids = shops.map(({ id }) => id);
    const read = await readSamplePrices(readDb, ids, samples);
    samples = read;
    const pauses = await findPauses(readDb);
    return new ShopSnapshot(
      shops.map((shop) => ({
        ...wireShop(shop),
        samplePaise: read.get(shop.id)?.paise ?? null,
        ...closingsOf({ openingHours: shop.openingHours, ...NO_PAUSE, ...pauses.get(shop.id) }, now()),
      })),
    );
  }

  async function current(): Promise<ShopSnapshot> {
    // Read before the shops: a change in between only makes this snapshot count as outdated.
    const version = await catalogue.version();
    if (known?.version !== version) known = { version, snapshot: loadOnce(read) };
    return known.snapshot();
  }

  return {
    async find({ search, sort }) {
      return findShops((await current()).in(sort), search);
    },
  };
}

/** Bounds the size of one query. */
const SHOPS_PER_QUERY = 200;

/** The price of the sample job at a shop; null when the shop cannot do it. */
interface SamplePrice {
  /** The price list version it was computed from; undefined when nobody has saved the list. */
  version: string | undefined;
  /** The options that were out of stock when it was computed. */
  out: ReadonlySet<string>;
  paise: Paise | null;
}

/** The sample prices of these shops; those with the same price list version and the same options in stock are reused. */
async function readSamplePrices(
  db: Db,
  shopIds: readonly string[],
  known: ReadonlyMap<string, SamplePrice>,
): Promise<Map<string, SamplePrice>> {
  // Read before the options: a change in between only makes these prices count as outdated.
  const versions = await findPriceListVersions(db);
  const out = await findOptionsOut(db);
  const samples = new Map<string, SamplePrice>();
  const unknown: string[] = [];
  for (const id of shopIds) {
    const sample = known.get(id);
    const isCurrent =
      sample && sample.version === versions.get(id) && isSameSet(sample.out, out.get(id) ?? []);
    if (isCurrent) samples.set(id, sample);
    else unknown.push(id);
  }
  for (let start = 0; start < unknown.length; start += SHOPS_PER_QUERY) {
    const ids = unknown.slice(start, start + SHOPS_PER_QUERY);
    const byShop = Map.groupBy(await findActiveOptionsOf(db, ids), ({ shopId }) => shopId);
    for (const id of ids) {
      const options = byShop.get(id) ?? [];
      samples.set(id, {
        version: versions.get(id),
        // Computed from these options, and not from the query before them: in between an option could run out and come back.
        out: new Set(options.filter(({ isOut }) => isOut).map((option) => option.id)),
        paise: samplePricePaise(listsByKind(options)),
      });
    }
  }
  return samples;
}

function isSameSet(known: ReadonlySet<string>, ids: readonly string[]): boolean {
  return known.size === ids.length && ids.every((id) => known.has(id));
}

/** The shops of one catalogue version, sorted once for each order that is asked for. */
class ShopSnapshot {
  readonly #listed: SearchableShop[];
  readonly #orders = new Map<ShopSort, SearchableShop[]>();

  constructor(shops: ShopCard[]) {
    this.#listed = shops.map(toSearchable);
  }

  in(order: ShopSort): SearchableShop[] {
    const known = this.#orders.get(order);
    if (known) return known;
    const sorted = sortShops(this.#listed, order);
    this.#orders.set(order, sorted);
    return sorted;
  }
}

/** How long a change made by another server may stay unseen where the database does not report commits. */
const MAX_AGE_MS = 400;

/** The version of everything that students see of shops and prices. */
export interface Catalogue {
  /**
   * A number that changes with the catalogue: at once for a change by this server, within a second for one by another.
   */
  version(): number | Promise<number>;
}

/** Queries the database only if something was committed since the last query, or after MAX_AGE_MS. */
export function createCatalogue({ readDb, commitMark }: Pick<Database, "readDb" | "commitMark">): Catalogue {
  let known = { version: 0, mark: -1, at: Number.NEGATIVE_INFINITY };
  let asking: { mark: number; version: Promise<number> } | undefined;

  async function ask(mark: number): Promise<number> {
    const at = performance.now();
    const version = await findCatalogueVersion(readDb);
    known = { version, mark, at };
    return version;
  }

  return {
    version() {
      const mark = commitMark();
      if (known.mark === mark && performance.now() - known.at < MAX_AGE_MS) return known.version;
      if (asking?.mark === mark) return asking.version;
      const question = { mark, version: ask(mark) };
      asking = question;
      const forget = () => {
        if (asking === question) asking = undefined;
      };
      question.version.then(forget, forget);
      return question.version;
    },
  };
}
