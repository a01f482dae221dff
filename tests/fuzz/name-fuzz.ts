import fc from "fast-check";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin, signedInOwner } from "../factories/staff.ts";
import type { TestStore } from "../setup/test-store.ts";
import { countAnswer, startTally, type Tally } from "./tally.ts";

/** Characters that look alike, in both directions. */
const LOOK_ALIKES: Record<string, readonly string[]> = {
  a: ["A", "á", "ａ", "а", "α", "𝐚", "ⓐ", "ạ"],
  e: ["E", "é", "ｅ", "е", "ё", "ℯ"],
  i: ["I", "l", "1", "í", "і", "ι", "ı", "ｉ"],
  l: ["L", "I", "1", "ⅼ", "ｌ", "ӏ"],
  m: ["M", "rn", "ｍ", "ⅿ"],
  o: ["O", "0", "ö", "ο", "о", "०", "౦", "ｏ"],
  p: ["P", "р", "ρ", "ｐ"],
  r: ["R", "ｒ", "г"],
  s: ["S", "ѕ", "ś", "ſ"],
  t: ["T", "ｔ", "т"],
  " ": ["  ", "\u00a0", "\u200b ", "-", "", "\u2003", "\u00ad"],
};
const UNSEEN = ["\u200b", "\u202e", "\u2060", "\ufeff", "\u0301", "\u034f", "\u180e", "\u3164", "\u0007"];

type Forgery = (name: string) => string;

const swaps = fc.array(fc.tuple(fc.noBias(fc.nat(999)), fc.nat(20)), { minLength: 1, maxLength: 8 }).map(
  (list): Forgery =>
    (name) =>
      list.reduce((forged, [where, which]) => {
        const at = Math.floor((where / 1000) * forged.length);
        const letter = forged.charAt(at);
        const alike = LOOK_ALIKES[letter.toLowerCase()];
        return alike ? forged.slice(0, at) + alike[which % alike.length] + forged.slice(at + 1) : forged;
      }, name),
);
const insertions = fc.tuple(fc.noBias(fc.nat(999)), fc.constantFrom(...UNSEEN)).map(
  ([where, unseen]): Forgery =>
    (name) => {
      const at = Math.floor((where / 1000) * name.length);
      return name.slice(0, at) + unseen + name.slice(at);
    },
);
const forgeries = fc.tuple(fc.oneof(swaps, insertions, swaps), fc.constantFrom("name", "place", "both"));

/** Has an owner try names and places that people could confuse with another shop's; none may be accepted. */
export async function fuzzShopNames(
  store: TestStore,
  { seed, names }: { seed: number; names: number },
): Promise<Tally[]> {
  const admin = (await signedInAdmin(store)).visitor;
  const place = "Hazratganj, Lucknow";
  const victim = await shownShop(admin, undefined, { shopName: "Lamp Post Prints", shopLocation: place });
  const thief = await shownShop(admin, undefined, { shopName: "Meera Copies", shopLocation: place });
  const { visitor } = await signedInOwner(store, [thief.id]);
  const tally = startTally("names of shops");
  const property = fc.asyncProperty(forgeries, async ([forge, where]) => {
    const { id: shopId, ...details } = thief;
    const { version } = expectDone(await visitor.query("shops.admin.byId", { shopId }));
    const forged = {
      shopName: where === "place" ? victim.shopName : forge(victim.shopName),
      shopLocation: where === "name" ? victim.shopLocation : forge(victim.shopLocation),
    };
    const { status, body } = await visitor.mutate("shops.admin.update", {
      ...details,
      ...forged,
      shopId,
      version,
    });
    tally.requests++;
    countAnswer(tally, status);
    if (status === 409 || status === 422) return;
    throw new Error(`${JSON.stringify(forged)} was answered ${status}: ${JSON.stringify(body)}`);
  });
  const details = await fc.check(property, { seed, numRuns: names });
  if (details.failed) tally.failure = String(details.errorInstance);
  return [tally];
}
