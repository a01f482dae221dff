import { describe, expect, test } from "vitest";
import { EXPORTED_SHOPS, exportShops } from "#db/seed/export.ts";
import { readDemoShops, seedDemoOnce, seedShops } from "#db/seed/seed.ts";
import type { SeedFile } from "#shared/schemas/seed.ts";
import { openTempDatabase } from "../setup/temporary.ts";
import { activeOptions, findOption, snapshot, withShop } from "./seed.fixtures.ts";

const NOW = new Date("2026-01-02T03:04:05.678Z");
const LATER = new Date("2026-02-03T04:05:06.789Z");

describe("seeding shops", () => {
  test("an empty store gets every shop and option of the file", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();

    const report = await seedShops(db, demo, NOW);

    const { shops, options } = await snapshot(db);
    expect(shops).toHaveLength(demo.shops.length);
    expect(report.shops).toEqual({ created: shops.length, updated: 0, unchanged: 0 });
    expect(report.options).toEqual({ created: options.length, updated: 0, unchanged: 0, deactivated: 0 });
    expect(shops.find((shop) => shop.id === "red-soil-prints")).toEqual({
      id: "red-soil-prints",
      name: "Red Soil Prints",
      location: "Prem Bazaar, Kharagpur, West Bengal",
      college: "IIT Kharagpur",
      image: "/shop-images/red-soil-prints.svg",
      rating_tenths: 46,
      rating_count: 0,
      star_sum: 0,
      per_page_paise: 125,
      email: "orders@red-soil-prints.example",
      order_email: "orders@red-soil-prints.example",
      contact_number: "+91 00000 00001",
      created_at: "2026-01-02T03:04:05.678Z",
      is_open: 1,
      closed_note: "",
      hidden: 0,
      version: 1,
      saved_by: null,
      saved_at: null,
      upi_id: "",
      offers_pickup: 0,
      separates_files: 0,
      opening_hours: "Mon–Sat 9:00–20:00; Sun 10:00–14:00",
      counter_on: 1,
      counter_version: 1,
    });
    for (const shop of demo.shops) {
      for (const kind of ["paperTypes", "printingSides", "bindingOptions"] as const) {
        expect(await activeOptions(db, shop.id, kind)).toEqual(
          shop[kind].map((option, position) => ({
            name: option.name,
            price_paise: option.price,
            basis: option.basis,
            sides: "sides" in option ? option.sides : 1,
            position,
          })),
        );
      }
    }
  });

  test("the server does something else between two shops", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    const seeding = { isDone: false };
    let turns = 0;
    const countTurn = () => {
      turns++;
      if (!seeding.isDone) setImmediate(countTurn);
    };
    setImmediate(countTurn);

    await seedShops(db, demo, NOW);

    seeding.isDone = true;
    expect(turns).toBeGreaterThan(demo.shops.length);
  });

  test("seeding the same file again changes nothing", async () => {
    const { db } = await openTempDatabase();
    await seedShops(db, readDemoShops(), NOW);
    const before = await snapshot(db);

    const report = await seedShops(db, readDemoShops(), LATER);

    expect(await snapshot(db)).toEqual(before);
    expect(report.shops).toEqual({ created: 0, updated: 0, unchanged: before.shops.length });
    expect(report.options).toEqual({
      created: 0,
      updated: 0,
      unchanged: before.options.length,
      deactivated: 0,
    });
  });

  test("a changed price is updated under the same option id", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    await seedShops(db, demo, NOW);
    const before = await findOption(db, "red-soil-prints", "bindingOptions", "Spiral Binding");

    const report = await seedShops(
      db,
      withShop(demo, "red-soil-prints", (shop) => ({
        bindingOptions: shop.bindingOptions.map((option) =>
          option.name === "Spiral Binding" ? { ...option, price: 3650 } : option,
        ),
      })),
      LATER,
    );

    const after = await findOption(db, "red-soil-prints", "bindingOptions", "Spiral Binding");
    expect(before?.price_paise).toBe(3500);
    expect(after).toEqual({ ...before, price_paise: 3650 });
    expect(report.options).toMatchObject({ created: 0, updated: 1, deactivated: 0 });
    expect(report.shops).toMatchObject({ updated: 0 });
  });

  test("a changed shop is updated and keeps its id and creation date, and people who are editing it are told", async () => {
    const { db } = await openTempDatabase();
    await seedShops(db, readDemoShops(), NOW);

    const moved = withShop(readDemoShops(), "deccan-sheets", () => ({ shopLocation: "Kothrud, Pune" }));
    const report = await seedShops(db, moved, LATER);

    const shop = (await snapshot(db)).shops.find(({ id }) => id === "deccan-sheets");
    expect(shop).toMatchObject({
      ...{ location: "Kothrud, Pune", created_at: NOW.toISOString() },
      ...{ version: 2, saved_by: "the seed command", saved_at: LATER.toISOString() },
    });
    expect(report.shops).toMatchObject({ created: 0, updated: 1 });
    expect(report.options).toMatchObject({ created: 0, updated: 0 });
  });

  test("an email that staff entered stays unconfirmed while the file does not change it", async () => {
    const { db } = await openTempDatabase();
    await seedShops(db, readDemoShops(), NOW);
    const entered = { email: "gmial@deccan.example", order_email: "orders@deccan.example" };
    await db.updateTable("shops").set(entered).where("id", "=", "deccan-sheets").execute();
    const seedEmail = async (email: string) => {
      const moved = { email, shopLocation: `Kothrud, near ${email}` };
      await seedShops(
        db,
        withShop(readDemoShops(), "deccan-sheets", () => moved),
        LATER,
      );
      const { shops } = await snapshot(db);
      return shops.find(({ id }) => id === "deccan-sheets")?.order_email;
    };

    expect(await seedEmail(entered.email)).toBe(entered.order_email);
    expect(await seedEmail("right@deccan.example")).toBe("right@deccan.example");
  });

  test("payment address and pickup stay unchanged when the file does not mention them", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    await seedShops(db, demo, NOW);
    const paid = withShop(demo, "deccan-sheets", () => ({ upiId: "deccan@okbank", offersPickup: true }));
    // As it is read from demo-shops.json, which has neither.
    const silent = readDemoShops();
    const none = withShop(demo, "deccan-sheets", () => ({ upiId: "", offersPickup: false }));
    const offered = async () => {
      const { shops } = await snapshot(db);
      return shops
        .filter(({ id }) => id === "deccan-sheets")
        .map((shop) => [shop.upi_id, shop.offers_pickup]);
    };

    await seedShops(db, paid, LATER);
    expect(await offered()).toEqual([["deccan@okbank", 1]]);
    expect((await seedShops(db, silent, LATER)).shops).toMatchObject({ updated: 0 });
    expect(await offered()).toEqual([["deccan@okbank", 1]]);
    await seedShops(db, none, LATER);
    expect(await offered()).toEqual([["", 0]]);
  });

  test("an option that left the file is switched off, and switched on with its id when it returns", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    await seedShops(db, demo, NOW);
    const before = await findOption(db, "tram-bell-copies", "printedColours", "Greyscale Photo");
    const without = withShop(demo, "tram-bell-copies", (shop) => ({
      printedColours: shop.printedColours.filter((option) => option.name !== "Greyscale Photo"),
    }));

    const versions = db.selectFrom("price_lists").select("version").where("shop_id", "=", "tram-bell-copies");
    const version = async () => (await versions.executeTakeFirst())?.version;
    expect(await version()).toBe(1);
    const removal = await seedShops(db, without, LATER);
    // People who are editing the list must be told.
    expect(await version()).toBe(2);
    const removed = await findOption(db, "tram-bell-copies", "printedColours", "Greyscale Photo");
    const elsewhere = await findOption(db, "red-soil-prints", "printedColours", "Greyscale Photo");
    const again = await seedShops(db, without, LATER);
    expect(await version()).toBe(2);
    const back = await seedShops(db, demo, LATER);
    const returned = await findOption(db, "tram-bell-copies", "printedColours", "Greyscale Photo");

    expect(before).toMatchObject({ active: 1 });
    expect(removed).toEqual({ ...before, active: 0 });
    expect(elsewhere).toMatchObject({ active: 1 });
    expect(removal.options).toMatchObject({ created: 0, updated: 0, deactivated: 1 });
    expect(again.options).toMatchObject({ updated: 0, deactivated: 0 });
    expect(returned).toEqual(before);
    expect(back.options).toMatchObject({ created: 0, updated: 1, deactivated: 0 });
  });

  test("an option whose name differs by case or spaces only is renamed and keeps its id", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    await seedShops(db, demo, NOW);
    const before = await findOption(db, "tram-bell-copies", "printedColours", "Greyscale Photo");
    const renamed = withShop(demo, "tram-bell-copies", (shop) => ({
      printedColours: shop.printedColours.map((option) =>
        option.name === "Greyscale Photo" ? { ...option, name: "greyscale  photo" } : option,
      ),
    }));

    const report = await seedShops(db, renamed, LATER);

    const after = await findOption(db, "tram-bell-copies", "printedColours", "greyscale  photo");
    expect(after).toEqual({ ...before, name: "greyscale  photo" });
    expect(report.options).toMatchObject({ created: 0, updated: 1, deactivated: 0 });
    expect((await exportShops(db)).leftOut).toEqual([]);
  });

  test("an export comes in parts, and these have every shop once with its lists", async () => {
    const { db } = await openTempDatabase();
    const [shop] = readDemoShops().shops;
    const ids = Array.from({ length: EXPORTED_SHOPS + 1 }, (_, index) => `shop-${index}`);
    const shops = ids.map((id) => ({ ...shop, id, shopName: `Prints ${id}` })) as SeedFile["shops"];
    await seedShops(db, { shops }, NOW);

    const first = await exportShops(db);
    const second = await exportShops(db, first.next ?? "");

    expect([first.file.shops.length, second.file.shops.length, second.next]).toEqual([
      EXPORTED_SHOPS,
      1,
      null,
    ]);
    const exported = [...first.file.shops, ...second.file.shops];
    expect(exported.map(({ id }) => id)).toEqual(ids.toSorted());
    expect(new Set(exported.map(({ paperTypes }) => JSON.stringify(paperTypes))).size).toBe(1);
    expect(second.file.shops[0]?.paperTypes.length).toBeGreaterThan(0);
  });

  test("shops that are not in the file stay unchanged", async () => {
    const { db } = await openTempDatabase();
    const demo = readDemoShops();
    await seedShops(db, demo, NOW);
    const before = await snapshot(db);

    await seedShops(db, { shops: demo.shops.slice(0, 1) }, LATER);

    expect(await snapshot(db)).toEqual(before);
  });

  test("a failure half-way undoes the whole file", async () => {
    const { db } = await openTempDatabase();
    const broken = withShop(readDemoShops(), "night-arch-paper-works", () => ({ ratings: 51 }));

    await expect(seedShops(db, broken, NOW)).rejects.toThrow(/CHECK constraint/);

    expect(await snapshot(db)).toEqual({ shops: [], options: [] });
    expect(await db.selectFrom("store_facts").selectAll().execute()).toEqual([]);
  });
});

describe("seeding the demo at the start", () => {
  test("happens once, even if every shop has been deleted since", async () => {
    const { db } = await openTempDatabase();

    const first = await seedDemoOnce(db, NOW);
    const second = await seedDemoOnce(db, LATER);
    await db.deleteFrom("shops").execute();
    const third = await seedDemoOnce(db, LATER);

    expect(first?.shops.created).toBe(readDemoShops().shops.length);
    expect(second).toBeNull();
    expect(third).toBeNull();
    expect(await snapshot(db)).toEqual({ shops: [], options: [] });
  });

  test("does not happen in a store that was seeded from a file", async () => {
    const { db } = await openTempDatabase();
    await seedShops(db, { shops: readDemoShops().shops.slice(0, 1) }, NOW);

    expect(await seedDemoOnce(db, LATER)).toBeNull();

    expect((await snapshot(db)).shops).toHaveLength(1);
  });

  test("does not happen in a store with shops created by hand", async () => {
    const { db } = await openTempDatabase();
    await seedShops(db, { shops: readDemoShops().shops.slice(0, 1) }, NOW);
    await db.deleteFrom("store_facts").execute();

    expect(await seedDemoOnce(db, LATER)).toBeNull();

    expect((await snapshot(db)).shops).toHaveLength(1);
  });
});
