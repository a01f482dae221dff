import { foldForSearch, otherNames } from "./place-names.ts";
import type { ShopCard } from "./schemas/shops.ts";
import type { ShopSort } from "./shop-sorts.ts";

/** A shop with its searchable text. */
export interface SearchableShop {
  shop: ShopCard;
  text: string;
  /** How its text sounds; computed by the first search that needs it. */
  sound?: string;
}

/** Prepares a shop for repeated searches. */
export function toSearchable(shop: ShopCard): SearchableShop {
  const text = foldForSearch(`${shop.shopName} ${shop.shopLocation} ${shop.college}`);
  return { shop, text: [text, ...otherNames(text)].join(" ") };
}

/**
 * The shops whose name, place or college, or another name of these, contains every word of the search, in the given order. A word in
 * a script of India is compared by its sound, as the names are in Latin letters.
 */
export function findShops(shops: readonly SearchableShop[], search: string): ShopCard[] {
  const words = search.split(/\s+/).map((word) => ({
    text: foldForSearch(word),
    sound: INDIC.test(word) ? soundPattern(word) : null,
  }));
  const isFound = (shop: SearchableShop) => (word: (typeof words)[number]) =>
    shop.text.includes(word.text) || word.sound?.test(soundOfShop(shop));
  return shops.filter((shop) => words.every(isFound(shop))).map(({ shop }) => shop);
}

function soundOfShop(shop: SearchableShop): string {
  shop.sound ??= ` ${soundOf(shop.text)} `;
  return shop.sound;
}

/** Matches the sound of shops with this word. */
function soundPattern(word: string): RegExp {
  const isTamil = /[\u0b80-\u0bff]/.test(word);
  const sound = ` ${soundOf(word)}`
    // Of short ones too many words begin alike.
    .replace(/^.{0,3}$/, "$& ")
    .replace(isTamil ? /[kctp]/g : /b/g, (letter) => ALIKE[letter as keyof typeof ALIKE]);
  return new RegExp(sound);
}

/** Tamil has one letter for several sounds; in other scripts people take b and v for the same. */
const ALIKE = { k: "[kg]", c: "[cjs]", t: "[td]", p: "[pb]", b: "[bv]" };
const INDIC = /[\u0900-\u0d7f]/;
/**
 * The dot for n, vowels, and from ka to ha: the scripts of India have the same letters in the same order, each in a block of 128.
 */
const LETTERS = "naaaaaaaaaaaaaaaaaakkggnccjjnttddnttddnnppbbnyrrlllvsssh";
const SAME_SOUND = { w: "v", m: "n", f: "p", q: "k", z: "j", "ੰ": "n", ৰ: "r", ৱ: "v" };

/**
 * The consonants of words, without what is written in several ways: जालंधर and Jalandhar are both "jlndr". In Bengali, ya is a ja
 * unless it has a dot below or follows a consonant.
 */
function soundOf(words: string): string {
  return words
    .normalize("NFD")
    .toLowerCase()
    .replace(/c(?!h)/g, "k")
    .replace(/[wmfqzੰৰৱ]/g, (letter) => SAME_SOUND[letter as keyof typeof SAME_SOUND])
    .replace(/[\u0921\u0922\u09a1\u09a2][\u093c\u09bc]|\u0a5c/g, "r")
    .replace(/(?<!\u09cd)\u09af(?!\u09bc)/g, "j")
    .replace(/[\u0900-\u0d7f\u200c\u200d]/g, (letter) => LETTERS[(letter.charCodeAt(0) % 128) - 2] ?? "")
    .replace(/[aeiouhy]/g, "")
    .replace(/[^a-z]+/g, " ")
    .replace(/(.)\1+/g, "$1")
    .trim();
}

/** The shops in another order. */
export function sortShops(shops: readonly SearchableShop[], order: ShopSort): SearchableShop[] {
  return shops.toSorted((one, other) => COMPARE[order](one.shop, other.shop));
}

const COMPARE: Record<ShopSort, (one: ShopCard, other: ShopCard) => number> = {
  listed: () => 0,
  price: (one, other) => one.perPageCost - other.perPageCost,
  sample: (one, other) => samplePaise(one) - samplePaise(other),
  rating: (one, other) => other.ratings - one.ratings,
};

/** Shops that cannot do the sample job come last. */
function samplePaise(shop: ShopCard): number {
  return shop.samplePaise ?? Number.MAX_SAFE_INTEGER;
}
