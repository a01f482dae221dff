import type { Db } from "#db/open.ts";
import type { FigureMeasure } from "#shared/schemas/figures.ts";
import { findLogHead, findShopsAfter } from "../queue/queue.log.service.ts";
import { findShopValues, type Period, type ShopValue } from "./figures.queries.ts";

/** All shops in their order. */
export interface ShopRankings {
  /** Ids of the shops at which something was ordered in a period, the best first. */
  of(period: Period, by: FigureMeasure): Promise<readonly string[]>;
}

interface Ranking {
  /** The newest entry of the queue's log before it was made. */
  seq: number;
  shops: ShopValue[];
  ids: readonly string[];
}

/** So many are kept at most. */
const KEPT = 8;
/** After more changes than these all shops are summed up again. */
const MOST_CHANGES = 1000;

/**
 * To rank the shops, the days of every one have to be summed up. That is kept, and of the shops that the queue's log has
 * spoken of since done again; the log is the database's, so that no server needs to hear of what another does.
 */
export function createShopRankings(readDb: Db): ShopRankings {
  const kept = new Map<string, Ranking>();

  async function rank(period: Period, by: FigureMeasure, known: Ranking | undefined): Promise<ShopValue[]> {
    const changed = known && (await findShopsAfter(readDb, known.seq, MOST_CHANGES));
    if (!changed) return findShopValues(readDb, { ...period, shops: "all" }, by);
    const others = known.shops.filter(({ id }) => !changed.has(id));
    return [...others, ...(await findShopValues(readDb, { ...period, shops: [...changed] }, by))];
  }

  return {
    async of(period, by) {
      const name = `${by} ${period.from} ${period.until}`;
      // Before anything is summed up: what is ordered meanwhile is looked at again the next time.
      const seq = await findLogHead(readDb);
      const known = kept.get(name);
      if (known?.seq === seq) return known.ids;
      const shops = (await rank(period, by, known)).sort(byValue);
      const ids = shops.map(({ id }) => id);
      kept.delete(name);
      kept.set(name, { seq, shops, ids });
      for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
      return ids;
    },
  };
}

/** The most first; of two with as much always the same. */
export function byValue(one: ShopValue, other: ShopValue): number {
  return other.value - one.value || (one.id < other.id ? -1 : 1);
}
