import type { Selectable } from "kysely";
import { toRupees } from "#shared/money.ts";
import { mapKinds, type OptionKind } from "#shared/options.ts";
import { placeIn, type SeedFileText, seedFile } from "#shared/schemas/seed.ts";
import type { Db } from "../database.ts";
import type { ShopOptionTable, ShopTable } from "../schema.ts";
import { isOneOf } from "../sql.ts";

type ShopText = SeedFileText["shops"][number];
type OptionLists = Pick<ShopText, OptionKind>;

/** Some shops as a seed file. */
export interface SeedExport {
  file: SeedFileText;
  /** The shops that are not in the file, because it could not be imported with them, each with the reason. */
  leftOut: string[];
  /** The last of these shops; null if no other comes after it. */
  next: string | null;
}

/** Bounds the work of one call: with tens of thousands of shops a file of all takes seconds. */
export const EXPORTED_SHOPS = 200;

/** The shops after the one with this id, in the order of their ids. */
export async function exportShops(db: Db, after = ""): Promise<SeedExport> {
  const shops = await db
    .selectFrom("shops")
    .selectAll()
    .where("id", ">", after)
    .orderBy("id")
    .limit(EXPORTED_SHOPS)
    .execute();
  const ids = shops.map(({ id }) => id);
  const options = await db
    .selectFrom("shop_options")
    .selectAll()
    .where(isOneOf("shop_id", ids))
    .orderBy("position")
    .orderBy("id")
    .execute();
  const optionsByShop = Map.groupBy(options, (option) => option.shop_id);
  const texts = shops.map((shop) => toShopText(shop, optionsByShop.get(shop.id) ?? []));
  const checked = texts.map((text) => ({ text, fault: faultOf(text) }));
  return {
    file: { shops: checked.filter(({ fault }) => fault === null).map(({ text }) => text) },
    leftOut: checked.flatMap(({ text, fault }) => (fault === null ? [] : `${text.shopName} (${fault})`)),
    next: shops.length === EXPORTED_SHOPS ? (ids.at(-1) ?? null) : null,
  };
}

/** Why an import would refuse the shop, such as `paperTypes: must have at least one option`; null if it would not. */
function faultOf(text: ShopText): string | null {
  const [issue] = seedFile.safeParse({ shops: [text] }).error?.issues ?? [];
  return issue ? `${placeIn(text, issue.path.slice(2))}: ${issue.message}` : null;
}

/** Every field, also those that a file may leave out: an import would then not change them. */
function toShopText(shop: Selectable<ShopTable>, options: Selectable<ShopOptionTable>[]): Required<ShopText> {
  return {
    id: shop.id,
    shopName: shop.name,
    shopLocation: shop.location,
    college: shop.college,
    shopImage: shop.image,
    ratings: shop.rating_tenths / 10,
    perPageCost: toRupees(shop.per_page_paise),
    email: shop.email,
    contactNumber: shop.contact_number,
    upiId: shop.upi_id,
    offersPickup: shop.offers_pickup === 1,
    separatesFiles: shop.separates_files === 1,
    openingHours: shop.opening_hours,
    ...toLists(options),
  };
}

/** Leaves out what a seed file assumes by default: priced by the page, and active. */
function toLists(options: Selectable<ShopOptionTable>[]): OptionLists {
  const groups = Map.groupBy(options, (option) => option.kind);
  return mapKinds((kind) =>
    (groups.get(kind) ?? []).map(({ name, price_paise, basis, sides, in_colour, active }) => ({
      name,
      price: toRupees(price_paise),
      ...(basis !== "page" && { basis }),
      ...(kind === "printingSides" && { sides }),
      ...(kind === "printedColours" && { inColour: in_colour === 1 }),
      ...(!active && { active: false }),
    })),
  ) as OptionLists;
}
