import { randomUUID } from "node:crypto";
import type { PriceList } from "#server/shops/prices.service.ts";
import { mapKinds } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import type { SavePricesInput } from "#shared/schemas/prices.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";

/** The form for a new shop with a unique name. */
export function newShop(): ShopForm {
  const id = `shop-${randomUUID().slice(0, 8)}`;
  return {
    id,
    shopName: `Lamp Post Prints ${id}`,
    shopLocation: "Hazratganj, Lucknow",
    college: "IIT Kanpur",
    shopImage: "/shop-images/ridge-road-copies.svg",
    ratings: 4.2,
    perPageCost: 1.5,
    email: `${id}@shops.example`,
    contactNumber: "+91 00000 00042",
  };
}

export function priceEntry(name: string, pricePaise: number, fields: Partial<PriceEntry> = {}): PriceEntry {
  return { name, pricePaise, basis: "page", sides: 1, inColour: false, active: true, ...fields };
}

/** One option in each list. */
export function smallPriceList(): PriceLists {
  return {
    printedColours: [priceEntry("Black & White", 50)],
    printingSides: [priceEntry("Both sides", 20, { sides: 2 })],
    paperTypes: [priceEntry("70 GSM", 30, { basis: "sheet" })],
    paperSizes: [priceEntry("A4", 0)],
    coverOptions: [priceEntry("No Cover", 0, { basis: "copy" })],
    bindingOptions: [priceEntry("Spiral", 3500, { basis: "copy" })],
  };
}

/** A visible shop with a small price list. */
export async function shownShop(
  admin: ApiClient,
  lists = smallPriceList(),
  fields: Partial<ShopForm> = {},
): Promise<ShopForm> {
  const shop = { ...newShop(), ...fields };
  expectDone(await admin.mutate("shops.admin.create", shop));
  expectDone(await admin.mutate("prices.save", { shopId: shop.id, version: 0, lists }));
  expectDone(await admin.mutate("shops.admin.setHidden", { shopId: shop.id, hidden: false }));
  return shop;
}

export async function pricesOf(staff: ApiClient, shopId: string): Promise<PriceList> {
  return expectDone(await staff.query("prices.get", { shopId }));
}

/** A shop's price list after `change`, as the editor would send it. */
export async function editedPrices(
  staff: ApiClient,
  shopId: string,
  change: (lists: PriceList["lists"]) => Partial<Record<keyof PriceLists, readonly PriceEntry[]>>,
): Promise<Record<Exclude<keyof SavePricesInput, "show">, unknown>> {
  const { version, lists } = await pricesOf(staff, shopId);
  return { shopId, version, lists: { ...lists, ...change(lists) } };
}

/** The option names of each list, in order. */
export function namesOf(lists: PriceLists): Record<string, string[]> {
  return mapKinds((kind) => lists[kind].map(({ name }) => name));
}

/** Imports a seed file after its preview. */
export async function importSeed(admin: ApiClient, file: object): Promise<ApiAnswer> {
  const { base } = expectDone(await admin.mutate("seeding.preview", { file }));
  return admin.mutate("seeding.write", { file, base });
}

/** The data of a successful answer; throws the answer of a failed call. */
export function expectDone({ status, body }: ApiAnswer) {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body.result.data;
}

/** The code of a refusal, from either transport; "done" of a successful answer. Throws a failure without a code. */
export function codeOf({ status, body }: ApiAnswer): string {
  const code = body.error?.data.appCode ?? body.code;
  if (!code && status >= 400) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return code ?? "done";
}
