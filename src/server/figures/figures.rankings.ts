import type { Db } from "#db/open.ts";
import type { FigureMeasure } from "#shared/schemas/figures.ts";
import { findLogHead, findShopsAfter } from "../queue/queue.log.service.ts";
import { type FiguresRange, findShopValues, type ShopValue } from "./figures.queries.ts";

/** The shops in their order. */
export interface ShopRankings {
  /** The shops at which something was ordered, the best first. */
  of(range: FiguresRange, by: FigureMeasure): Promise<readonly ShopValue[]>;
}

interface Ranking {
  /** The newest entry of the queue's log before it was made. */
  seq: number;
  shops: readonly ShopValue[];
}

/** So many are kept at most. */
const KEPT = 8;
/** After more changes than these all shops are summed up again. */
const MOST_CHANGES = 1000;

/**
 * To rank all shops, the days of every one have to be summed up. That is kept, and of the shops that the queue's log has
 * spoken of since done again; the log is the database's, so that no server needs to hear of what another does.
 */
export function createShopRankings(readDb: Db): ShopRankings {
  const kept = new Map<string, Ranking>();

  async function rank(range: FiguresRange, by: FigureMeasure, known?: Ranking): Promise<ShopValue[]> {
    const changed = known && (await findShopsAfter(readDb, known.seq, MOST_CHANGES));
    const again = changed ? { ...range, shops: [...changed] } : range;
    const ranked = (await findShopValues(readDb, again, by)).sort(byValue);
    return changed ? merge(known.shops, changed, ranked) : ranked;
  }

  return {
    async of(range, by) {
      if (range.shops !== "all") return rank(range, by);
      const name = `${by} ${range.from} ${range.until}`;
      // Before anything is summed up: what is ordered meanwhile is looked at again the next time.
      const seq = await findLogHead(readDb);
      const known = kept.get(name);
      if (known?.seq === seq) return known.shops;
      const shops = await rank(range, by, known);
      kept.delete(name);
      kept.set(name, { seq, shops });
      for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
      return shops;
    },
  };
}

/**
 * A ranking with what is said of some shops now. Not one of ten thousand is looked at twice, as it would be to sort
 * them all anew.
 */
function merge(known: readonly ShopValue[], changed: Set<string>, now: ShopValue[]): ShopValue[] {
  const merged: ShopValue[] = [];
  const waiting = [...now];
  let best = waiting.shift();
  for (const shop of known) {
    if (changed.has(shop.id)) continue;
    while (best && byValue(best, shop) < 0) {
      merged.push(best);
      best = waiting.shift();
    }
    merged.push(shop);
  }
  return best ? [...merged, best, ...waiting] : merged;
}

/** The most first; of two with as much always the same. */
function byValue(one: ShopValue, other: ShopValue): number {
  return other.value - one.value || (one.id < other.id ? -1 : 1);
}
