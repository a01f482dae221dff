import { readDemoShops, writeSeed } from "#db/seed/seed.ts";
import type { Trx } from "#db/transaction.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { SeedFile, SeedShop } from "#shared/schemas/seed.ts";
import type { Dice } from "./dice.ts";
import type { LoadShop } from "./orders.ts";
import type { People, Person } from "./people.ts";
import { insertRows } from "./rows.ts";

const FIRST_WORDS =
  "Campus Gate Hostel Library Banyan River Hilltop Station Market Neem Lotus Saffron Monsoon Copper Marigold Peacock".split(
    " ",
  );
const SECOND_WORDS =
  "Prints Copies Xerox Press Sheets Graphics Stationers Reprographics Paper House Photostat".split(" ");

interface Founding {
  count: number;
  people: People;
  since: Date;
}

/** Creates shops with their price lists, each with an owner; some owners have two. */
export async function writeShops(
  trx: Trx,
  dice: Dice,
  { count, people, since }: Founding,
): Promise<LoadShop[]> {
  const seed = makeShops(dice, count);
  await writeSeed(trx, seed, { name: "the load script", now: since, isOperator: true });
  const ownerOf = new Map(
    seed.shops.map(({ id }, index) => [id, people.owners[index % people.owners.length] as Person]),
  );
  const duties = [...ownerOf].map(([shop_id, { id }]) => ({ user_id: id, shop_id }));
  await insertRows(
    trx,
    "shop_staff",
    duties.map((duty) => ({ ...duty, created_at: since.toISOString() })),
  );
  return readShops(trx, ownerOf);
}

async function readShops(trx: Trx, ownerOf: Map<string, Person>): Promise<LoadShop[]> {
  const shops = await trx
    .selectFrom("shops")
    .select(["id", "name", "location", "email", "contact_number"])
    .where("id", "in", [...ownerOf.keys()])
    .orderBy("id")
    .execute();
  const options = await trx.selectFrom("shop_options").selectAll().orderBy("position").execute();
  const byShop = Map.groupBy(options, ({ shop_id }) => shop_id);
  return shops.map((shop) => {
    const byKind = Object.groupBy(byShop.get(shop.id) ?? [], ({ kind }) => kind);
    const lists = byKind as Record<OptionKind, typeof options>;
    return { ...shop, owner: ownerOf.get(shop.id) as Person, options: lists };
  });
}

/** Shops like those of the demo, with unique names and prices. */
function makeShops(dice: Dice, count: number): SeedFile {
  const models = readDemoShops().shops;
  const shops = Array.from({ length: count }, (_, index) => vary(dice, dice.pick(models), index + 1));
  return { shops };
}

function vary(dice: Dice, model: SeedShop, number: number): SeedShop {
  const id = `load-shop-${String(number).padStart(4, "0")}`;
  const percent = dice.int(80, 130);
  const priced = <T extends { price: number }>(option: T): T => ({
    ...option,
    price: Math.round((option.price * percent) / 100),
  });
  const lists = Object.fromEntries(OPTION_KINDS.map((kind) => [kind, model[kind].map(priced)]));
  return {
    ...model,
    ...lists,
    id,
    shopName: `${dice.pick(FIRST_WORDS)} ${dice.pick(SECOND_WORDS)} ${number}`,
    ratings: dice.int(36, 50),
    perPageCost: Math.round((model.perPageCost * percent) / 100),
    email: `orders@${id}.example`,
  };
}
