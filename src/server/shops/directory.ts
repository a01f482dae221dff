import type { Database, Db } from "#db/open.ts";
import type { ShopCard } from "#shared/schemas/shops.ts";
import type { ShopOrder } from "#shared/shop-orders.ts";
import { type FindableShop, findShops, inOrder, toFindable } from "#shared/shop-search.ts";
import { findCatalogueVersion, findShownShops } from "./shops.queries.ts";
import { readSamples, type Sample, shopFields } from "./shops.service.ts";

/** All shops that students see, at hand in memory until one of them changes. */
export interface ShopDirectory {
  /** The shops that have every word of the search, in this order. */
  find(wanted: { search: string; sort: ShopOrder }): Promise<ShopCard[]>;
}

interface DirectoryParts {
  readDb: Db;
  catalogue: Catalogue;
}

/**
 * Reads the shops anew once the catalogue has changed, but of all their prices only those of lists that were saved since.
 */
export function createShopDirectory({ readDb, catalogue }: DirectoryParts): ShopDirectory {
  let samples = new Map<string, Sample>();
  let known: { version: number; edition: Promise<Edition> } | undefined;

  async function read(): Promise<Edition> {
    const shops = await findShownShops(readDb);
    const ids = shops.map(({ id }) => id);
    const read = await readSamples(readDb, ids, samples);
    samples = read;
    return new Edition(
      shops.map((shop) => ({ ...shopFields(shop), samplePaise: read.get(shop.id)?.paise ?? null })),
    );
  }

  async function current(): Promise<Edition> {
    // Before the shops are read: a change meanwhile makes them an older version's.
    const version = await catalogue.version();
    if (known?.version === version) return known.edition;
    const made = { version, edition: read() };
    known = made;
    made.edition.catch(() => {
      if (known === made) known = undefined;
    });
    return made.edition;
  }

  return {
    async find({ search, sort }) {
      return findShops((await current()).in(sort), search);
    },
  };
}

/** The shops of one version of the catalogue, in each order that somebody has asked for. */
class Edition {
  readonly #listed: FindableShop[];
  readonly #orders = new Map<ShopOrder, FindableShop[]>();

  constructor(shops: ShopCard[]) {
    this.#listed = shops.map(toFindable);
  }

  in(order: ShopOrder): FindableShop[] {
    const known = this.#orders.get(order);
    if (known) return known;
    const sorted = inOrder(this.#listed, order);
    this.#orders.set(order, sorted);
    return sorted;
  }
}

/** For so long another server's change may go unseen, where the database does not tell of it. */
const MAX_AGE_MS = 400;

/** All that students see of shops and prices, as one thing that changes. */
export interface Catalogue {
  /**
   * A number that differs from an earlier one once anything in it has changed: at once where this server changed it, and
   * within a second where another did.
   */
  version(): number | Promise<number>;
}

/** Asks the database only when something was committed since it was asked last, or after a while. */
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
