import { describe, expect, test } from "vitest";
import {
  isOwnPicture,
  MAX_PHOTO_BYTES,
  PHOTO_TOO_LARGE,
  photoHash,
  photoPath,
  photoSources,
} from "#shared/photos.ts";
import { shortNameOf } from "#shared/place-names.ts";
import { shopStars, starsText } from "#shared/ratings.ts";
import { REPORT_DAYS, reportableUntil } from "#shared/reprints.ts";
import { SAMPLE_JOB, samplePricePaise } from "#shared/sample-job.ts";
import { nameAndPictureFields } from "#shared/schemas/shop-details.ts";
import type { ShopCard } from "#shared/schemas/shops.ts";
import { findShops, sortShops, toSearchable } from "#shared/shop-search.ts";
import { isShopSort, SHOP_SORTS } from "#shared/shop-sorts.ts";
import { priceEntry, smallPriceList } from "../factories/shops.ts";

const HASH = "0123456789abcdef".repeat(2);

describe("a picture", () => {
  test("that was uploaded is named by its hash, in two sizes", () => {
    const path = `/shop-photos/${HASH}.webp`;
    expect(photoPath(HASH)).toBe(path);
    expect(photoHash(path)).toBe(HASH);
    expect(photoSources(path)).toBe(`/shop-photos/${HASH}-480.webp 480w, ${path} 960w`);
    expect(photoSources("/shop-images/lamp.svg")).toBeUndefined();
  });

  test.each([`/shop-photos/${HASH}.webp`, "/shop-images/lamp-post-2.svg", "/shop-images/9.svg"])(
    "of the store is %s",
    (image) => expect(isOwnPicture(image)).toBe(true),
  );

  test.each([
    "",
    `https://elsewhere.example/shop-photos/${HASH}.webp`,
    `/shop-photos/${HASH}.webp?x`,
    `/shop-photos/${HASH}0.webp`,
    `/shop-photos/${HASH.slice(1)}.webp`,
    `/shop-photos/${HASH.toUpperCase()}.webp`,
    `/shop-photos/${HASH}xwebp`,
    "/shop-images/.svg",
    "/shop-images/-lamp.svg",
    "/shop-images/a/b.svg",
    "/shop-images/../b.svg",
    "/shop-images/Lamp.svg",
    "/shop-images/lamp.svg/",
    "/shop-images/lampxsvg",
    "x/shop-images/lamp.svg",
  ])("of the store is not %j", (image) => expect(isOwnPicture(image)).toBe(false));

  test("has at most 15 MB", () => {
    expect(MAX_PHOTO_BYTES).toBe(15_728_640);
    expect(PHOTO_TOO_LARGE).toBe("is larger than 15 MB. Please choose a smaller one");
  });
});

describe("the rating of a shop", () => {
  const shop = (ratingCount: number, starSum: number) => shopStars({ staffTenths: 42, ratingCount, starSum });

  test("is its staff's figure until five students have rated it, and then the mean of theirs", () => {
    expect(shop(0, 0)).toBe(4.2);
    expect(shop(4, 4)).toBe(4.2);
    expect(shop(5, 5)).toBe(1);
    expect(shop(6, 20)).toBe(3.3);
    expect(starsText(4)).toBe("4 of 5 stars");
  });
});

test("an error can be reported until three days after the delivery, to the millisecond", () => {
  expect(REPORT_DAYS).toBe(3);
  expect(reportableUntil("2026-11-21T09:30:00.001Z")).toBe("2026-11-24T09:30:00.001Z");
});

describe("the price of the sample job", () => {
  const lists = { ...smallPriceList(), bindingOptions: [priceEntry("None", 0, { basis: "copy" })] };

  test("is for twenty pages on both sides, with the cheapest option of each list", () => {
    expect([SAMPLE_JOB.pages, SAMPLE_JOB.copies]).toEqual([20, 1]);
    // 20 pages x (50 + 20) paise + 10 sheets x 30 paise = 17 rupees; tax 2, delivery 17.
    expect(samplePricePaise(lists)).toBe(3600);
    const dearer = [priceEntry("Colour", 500), priceEntry("Black", 50), priceEntry("Grey", 60)];
    expect(samplePricePaise({ ...lists, printedColours: dearer })).toBe(3600);
  });

  test("is for both sides wherever a shop offers them, even if one side costs less", () => {
    const sides = [priceEntry("One side", 0), priceEntry("Both sides", 20, { sides: 2 })];
    expect(samplePricePaise({ ...lists, printingSides: sides })).toBe(3600);
    // 20 pages x 50 paise + 20 sheets x 30 paise = 16 rupees; tax 1, delivery 16.
    expect(samplePricePaise({ ...lists, printingSides: [priceEntry("One side", 0)] })).toBe(3300);
  });

  test("compares what each option costs for the job, not bare numbers", () => {
    const covers = [priceEntry("Film", 50), priceEntry("Card", 500, { basis: "order" })];
    // As above, and 5 rupees for the cover: 22 rupees, tax 2, delivery 2.
    expect(samplePricePaise({ ...lists, coverOptions: covers })).toBe(2600);
    const papers = [priceEntry("Thin", 20), priceEntry("Thick", 30, { basis: "sheet" })];
    const oneSide = [priceEntry("One side", 0)];
    // 10 sheets on both sides cost 3 rupees, 20 pages 4; on one side 20 sheets cost 6 rupees, 20 pages 4.
    expect(samplePricePaise({ ...lists, paperTypes: papers })).toBe(3600);
    // 10 rupees for the colour and 4 for the paper; tax 4, delivery 14.
    expect(samplePricePaise({ ...lists, paperTypes: papers, printingSides: oneSide })).toBe(3200);
  });

  test("leaves out what is out of stock", () => {
    const out = { isOut: true };
    const colours = [{ ...priceEntry("Free", 0), ...out }, priceEntry("Black", 50)];
    expect(samplePricePaise({ ...lists, printedColours: colours })).toBe(3600);
    const sides = [{ ...priceEntry("Both sides", 0, { sides: 2 }), ...out }, priceEntry("One side", 0)];
    expect(samplePricePaise({ ...lists, printingSides: sides }), "on one side it is another job").toBeNull();
    const black = { ...priceEntry("Black", 50), inColour: false };
    const inks = [{ ...priceEntry("Colour", 10), inColour: true }, black];
    expect(samplePricePaise({ ...lists, printedColours: inks }), "in colour it is another job").toBe(3600);
    expect(
      samplePricePaise({ ...lists, printedColours: [inks[0] ?? black, { ...black, ...out }] }),
    ).toBeNull();
    expect(samplePricePaise({ ...lists, printedColours: colours.slice(0, 1) })).toBeNull();
  });

  test("is unknown while a list is empty", () => {
    expect(samplePricePaise({ ...lists, paperSizes: [] })).toBeNull();
  });
});

describe("the search for shops", () => {
  const card = (shopName: string, fields: Partial<ShopCard> = {}) =>
    toSearchable({
      _id: shopName,
      shopName,
      shopLocation: "Hazratganj, Lucknow",
      college: "IIT Kanpur",
      shopImage: "",
      ratings: 4,
      perPageCost: 1,
      email: "",
      contactNumber: "",
      isOpen: true,
      closedNote: "",
      takesUpi: false,
      offersPickup: false,
      openingHours: "",
      samplePaise: 1000,
      closedOn: [],
      closedUntil: null,
      ...fields,
    });
  const names = (shops: ShopCard[]) => shops.map(({ shopName }) => shopName);
  const shops = [
    card("Nāndyāl Prints", { ratings: 3, perPageCost: 3, samplePaise: 900 }),
    card("Lamp Post", { ratings: 5, perPageCost: 1, samplePaise: null }),
    card("Ridge Road", { ratings: 4, perPageCost: 2, samplePaise: 800, college: "COEP Pune" }),
  ];

  test.each([
    ["", ["Nāndyāl Prints", "Lamp Post", "Ridge Road"]],
    ["  ", ["Nāndyāl Prints", "Lamp Post", "Ridge Road"]],
    ["nandyal", ["Nāndyāl Prints"]],
    ["PRÏNTS", ["Nāndyāl Prints"]],
    ["road pune", ["Ridge Road"]],
    ["hazratganj  post", ["Lamp Post"]],
    ["kanpur", ["Nāndyāl Prints", "Lamp Post"]],
    ["lamp pune", []],
    ["indian institute of technology", ["Nāndyāl Prints", "Lamp Post"]],
    ["coep poona", ["Ridge Road"]],
    ["poon", ["Ridge Road"]],
  ])("for %j finds those with every word in name, place or college: %j", (search, found) => {
    expect(names(findShops(shops, search))).toEqual(found);
  });

  test.each([
    [{ college: "Lovely Professional University" }, ["LPU", "lovely"]],
    [{ college: "IIT Kharagpur" }, ["IIT KGP", "indian institute of technology kharagpur"]],
    [{ college: "Indian Institute of Technology, Kharagpur" }, ["iit kgp"]],
    [{ shopLocation: "Malleswaram, Bengaluru" }, ["Bangalore"]],
    [{ shopLocation: "Malleswaram, Bangalore" }, ["Bengaluru"]],
  ])("finds %j by every name that people use: %j", (fields, searches) => {
    for (const search of searches) expect(findShops([card("Any", fields)], search)).toHaveLength(1);
  });

  test.each([
    ["Vijay Nagar, Delhi", ["दिल्ली", "विजय नगर दिल्ली", "দিল্লি"]],
    ["Model Town, Jalandhar", ["जालंधर", "जालन्धर", "ਜਲੰਧਰ"]],
    ["Law Gate, Phagwara, Punjab", ["फगवाड़ा", "पंजाब"]],
    ["Prem Bazaar, Kharagpur", ["खड़गपुर", "খড়গপুর", "प्रेम बाज़ार"]],
    ["Jadavpur, Kolkata", ["कोलकाता", "जादवपुर", "কলকাতা", "যাদবপুর"]],
    ["Malleswaram, Bengaluru", ["बेंगलुरु", "ಬೆಂಗಳೂರು"]],
    ["Gachibowli, Hyderabad", ["हैदराबाद", "హైదరాబాద్", "हैदराब"]],
    ["Kotturpuram, Chennai", ["चेन्नई", "சென்னை"]],
    ["Vidya Vihar, Pilani", ["पिलानी"]],
    ["Shivajinagar, Pune", ["पुणे", "पुना", "शिवाजीनगर"]],
    ["Katpadi, Vellore", ["वेल्लोर", "வேலூர்"]],
    ["Hazratganj, Lucknow", ["लखनऊ"]],
    ["Sector 17, Chandigarh", ["चंडीगढ़", "ਚੰਡੀਗੜ੍ਹ"]],
    ["Andheri, Mumbai", ["मुंबई", "મુંબઈ", "Bombay मुंबई"]],
    ["Fort, Kochi", ["कोच्चि", "കൊച്ചി"]],
    ["SM Street, Calicut", ["कालीकट"]],
    ["Anna Nagar, Madurai", ["மதுரை", "மதுரை அண்ணா நகர்", "मदुरै"]],
    ["Fairlands, Salem", ["சேலம்"]],
    ["Peelamedu, Coimbatore", ["கோயம்புத்தூர்"]],
    ["White Town, Puducherry", ["புதுச்சேரி"]],
    ["Mukundapur, Vidyasagar", ["বিদ্যাসাগর", "মুকুন্দপুর"]],
    ["Jorhat, Guwahati", ["যোৰহাট", "গুৱাহাটী"]],
    ["Lanka, Varanasi", ["वाराणसी", "बनारस"]],
  ])("finds %j by its name in the scripts of India: %j", (shopLocation, searches) => {
    const found = searches.map((search) => findShops([card("Any", { shopLocation })], search).length);
    expect(found).toEqual(searches.map(() => 1));
    const elsewhere = card("Deluxe Prints", { shopLocation: "Civil Lines, Surat", college: "SVNIT" });
    expect(searches.filter((search) => findShops([elsewhere], search).length > 0)).toEqual([]);
  });

  test("finds a name that is in another script by it, and nothing by a word without consonants", () => {
    const shop = card("दिल्ली प्रिंट", { shopLocation: "Surat", college: "" });
    expect(findShops([shop], "दिल्ली")).toHaveLength(1);
    expect(findShops([shop, ...shops.slice(1)], "आई")).toEqual([]);
  });

  test("tells the sounds apart for which other scripts have letters of their own", () => {
    const at = (shopLocation: string) => [card("Any", { shopLocation, college: "" })];
    expect(findShops(at("Badnawar"), "पटना")).toEqual([]);
    expect(findShops(at("Vijapur"), "बीजापुर")).toHaveLength(1);
    expect(findShops(at("Bijapur"), "विजापुर")).toEqual([]);
    expect(findShops(at("Vijapur"), "விஜயபுரி")).toHaveLength(1);
    expect(findShops(at("Bijapur"), "விஜயபுரி")).toEqual([]);
    expect(findShops(at("Patna"), "বদনা")).toEqual([]);
  });

  test("takes no part of a word for a short name", () => {
    expect(findShops([card("Judu Prints", { college: "Bitspur Polytechnic" })], "delhi university")).toEqual(
      [],
    );
    expect(shortNameOf("Lovely Professional University")).toBe("LPU");
    expect(shortNameOf("LPU, Lovely Professional University")).toBeNull();
    expect(shortNameOf("IIT Kharagpur")).toBeNull();
  });

  test.each([
    ["listed", ["Nāndyāl Prints", "Lamp Post", "Ridge Road"]],
    ["price", ["Lamp Post", "Ridge Road", "Nāndyāl Prints"]],
    ["sample", ["Ridge Road", "Nāndyāl Prints", "Lamp Post"]],
    ["rating", ["Lamp Post", "Ridge Road", "Nāndyāl Prints"]],
  ] as const)("sorts by %s", (order, sorted) => {
    expect(sortShops(shops, order).map(({ shop }) => shop.shopName)).toEqual(sorted);
  });

  test("knows its ways to sort", () => {
    expect(SHOP_SORTS).toEqual(["listed", "price", "sample", "rating"]);
    expect(SHOP_SORTS.every(isShopSort)).toBe(true);
    expect([isShopSort("age"), isShopSort(undefined)]).toEqual([false, false]);
  });
});

describe("a shop that is older than the rules for names and pictures", () => {
  const kept = { shopName: "Сорау", shopLocation: "★", shopImage: "https://elsewhere.example/a.png" };
  const fields = nameAndPictureFields(kept);
  const ok = (field: keyof typeof kept, value: string, of = fields) => of[field].safeParse(value).success;

  test("keeps what it has, and takes nothing new that breaks them", () => {
    expect([ok("shopName", kept.shopName), ok("shopName", "Сору")]).toEqual([true, false]);
    expect([ok("shopLocation", kept.shopLocation), ok("shopLocation", "★★")]).toEqual([true, false]);
    expect([ok("shopImage", kept.shopImage), ok("shopImage", `${kept.shopImage}?`)]).toEqual([true, false]);
    expect([ok("shopName", "Lamp Post"), ok("shopImage", "/shop-images/lamp.svg")]).toEqual([true, true]);
  });

  test("may stay without a picture, where others need one", () => {
    const bare = nameAndPictureFields({ ...kept, shopImage: "" });
    expect([ok("shopImage", "", bare), ok("shopImage", "")]).toEqual([true, false]);
    expect(ok("shopImage", "", nameAndPictureFields())).toBe(false);
  });

  test("has a picture's address of at most 500 characters", () => {
    const path = (length: number) => `/shop-images/${"a".repeat(length - 17)}.svg`;
    for (const of of [fields, nameAndPictureFields({ ...kept, shopImage: "" })]) {
      expect([ok("shopImage", path(500), of), ok("shopImage", path(501), of)]).toEqual([true, false]);
    }
  });
});
