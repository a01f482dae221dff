import type { Db } from "#db/open.ts";
import type { Paise } from "#shared/money.ts";
import { samplePricePaise } from "#shared/sample-job.ts";
import { findPriceListEditions } from "./shops.directory-queries.ts";
import { listsByKind } from "./shops.fields.ts";
import { findActiveOptionsOf } from "./shops.queries.ts";

/** Of so many shops the options are read at once. */
const SHOPS_AT_ONCE = 200;

/** What the sample job costs at a shop; null where it cannot be done there. */
export interface Sample {
  /** The edition of the price list by which it was reckoned; undefined where nobody saved one. */
  edition: string | undefined;
  paise: Paise | null;
}

/** The samples of these shops: those known of the present edition as they are, the others reckoned anew. */
export async function readSamples(
  db: Db,
  shopIds: readonly string[],
  known: ReadonlyMap<string, Sample>,
): Promise<Map<string, Sample>> {
  // Before the options: a change meanwhile makes these an older edition's.
  const editions = await findPriceListEditions(db);
  const samples = new Map<string, Sample>();
  const unknown: string[] = [];
  for (const id of shopIds) {
    const sample = known.get(id);
    if (sample && sample.edition === editions.get(id)) samples.set(id, sample);
    else unknown.push(id);
  }
  for (let start = 0; start < unknown.length; start += SHOPS_AT_ONCE) {
    const ids = unknown.slice(start, start + SHOPS_AT_ONCE);
    const byShop = Map.groupBy(await findActiveOptionsOf(db, ids), ({ shopId }) => shopId);
    for (const id of ids) {
      const paise = samplePricePaise(listsByKind(byShop.get(id) ?? []));
      samples.set(id, { edition: editions.get(id), paise });
    }
  }
  return samples;
}
