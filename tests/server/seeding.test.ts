import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { seedFile } from "#shared/schemas/seed.ts";
import { twoColours } from "../factories/photos.ts";
import { editedPrices, expectDone, importSeed, newShop, pricesOf } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin } from "../factories/staff.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { type TestStore, tempStore, testStore } from "../setup/test-store.ts";
import { everything } from "./seeding.fixtures.ts";

const run = promisify(execFile);

const store = testStore();
let admin: StaffPerson;
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  admin = await signedInAdmin(store);
});

const exported = async () => expectDone(await admin.visitor.query("seeding.export"));
// biome-ignore lint/suspicious/noExplicitAny: tests write faults of every kind into the file
let file: any;
beforeEach(async () => {
  file = (await exported()).file;
});

describe("a shops file", () => {
  test("is not applied to prices that were saved since its preview, and names their shop", async () => {
    file.shops[1].bindingOptions[0].price = 78;
    const { base } = expectDone(await admin.visitor.mutate("seeding.preview", { file }));
    const { id, shopName } = file.shops[1];
    const saved = await editedPrices(admin.visitor, id, ({ bindingOptions }) => ({
      bindingOptions: bindingOptions.map((entry) => ({ ...entry, pricePaise: 9100 })),
    }));
    const { lists } = expectDone(await admin.visitor.mutate("prices.save", saved));

    const refused = await admin.visitor.mutate("seeding.write", { file, base });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `Nothing was imported, because this was saved since the preview: ${shopName}. Please look again`,
    ]);
    expect((await pricesOf(admin.visitor, id)).lists).toEqual(lists);
    const again = expectDone(await admin.visitor.mutate("seeding.preview", { file }));
    for (let press = 0; press < 2; press++) {
      expectDone(await admin.visitor.mutate("seeding.write", { file, base: again.base }));
    }
    expect((await pricesOf(admin.visitor, id)).lists.bindingOptions[0]).toMatchObject({ pricePaise: 7800 });
  });

  test("is not applied to details that were saved since its preview, such as where a shop is paid", async () => {
    file.shops[1].perPageCost = 8.25;
    const { base } = expectDone(await admin.visitor.mutate("seeding.preview", { file }));
    const { id, shopName } = file.shops[1];
    const details = async () => expectDone(await admin.visitor.query("shops.admin.byId", { shopId: id }));
    const { _id, staffRatings: ratings, ...fields } = await details();
    const saved = { ...fields, ratings, shopId: id, upiId: "paper.lane@okbank" };
    expectDone(await admin.visitor.mutate("shops.admin.update", saved));

    const refused = await admin.visitor.mutate("seeding.write", { file, base });
    expect([refused.status, refused.body.error?.message]).toEqual([409, expect.stringContaining(shopName)]);
    expect(await details()).toMatchObject({ upiId: saved.upiId, perPageCost: fields.perPageCost });
  });

  test("is accepted by the command and by the console alike", async () => {
    await seedShops(store.deps.db, seedFile.parse(file), store.deps.now());
    const report = expectDone(await importSeed(admin.visitor, file));
    expect([report.shops.unchanged, report.options.updated]).toEqual([file.shops.length, 0]);
  });

  test("with a photo of another store is refused by the command, as by the console, and one with a photo of this store is not", async () => {
    const path = join(await tempFolder(), "shops.json");
    const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = store.deps.config;
    const env = { ...BARE_ENVIRONMENT, DATABASE_URL, DATA_DIR };
    const seed = async () => {
      await writeFile(path, JSON.stringify(file));
      return run(process.execPath, ["scripts/seed.ts", path], { env });
    };
    const before = await everything(store);
    const [shop] = file.shops;
    shop.perPageCost = 8.5;
    shop.shopImage = `/shop-photos/${"0123456789abcdef".repeat(2)}.webp`;
    const message = `The picture of ${shop.shopName} in this file is not in this store. Name one of its drawings in the file, and upload the photo afterwards`;
    expect(await seed().catch((error) => error)).toMatchObject({ code: 1, stderr: `${message}\n` });
    const refused = await admin.visitor.mutate("seeding.write", { file, base: {} });
    expect(refused.body.error.message).toBe(message);
    expect(await everything(store)).toEqual(before);

    const headers = { "Content-Type": "application/octet-stream" };
    const photo = new Uint8Array(await twoColours().png().toBuffer());
    const uploaded = await admin.visitor.send("POST", "/api/trpc/shops.admin.uploadPhoto", photo, headers);
    shop.shopImage = expectDone(uploaded).path;
    expect((await seed()).stdout).toContain("shops: 0 created, 1 updated");
  });

  test("is refused where a list would have more than 50 options with those that it switches off", async () => {
    const [shop] = file.shops;
    const papers = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `Art paper ${index}`, price: 1 }));
    const had = shop.paperTypes.length;
    shop.paperTypes = papers(51 - had);
    const before = await everything(store);
    const message = `${shop.shopName}: a list can have at most 50 options. Paper type would have 51, with those that this file switches off. Remove some of them from the shop's prices first`;
    for (const procedure of ["seeding.preview", "seeding.write"]) {
      const { status, body } = await admin.visitor.mutate(procedure, { file, base: {} });
      expect([status, body.error?.message]).toEqual([409, message]);
    }
    await expect(seedShops(store.deps.db, seedFile.parse(file), store.deps.now())).rejects.toThrow(message);
    expect(await everything(store)).toEqual(before);

    shop.paperTypes = papers(50 - had);
    await seedShops(store.deps.db, seedFile.parse(file), store.deps.now());
    expect((await exported()).leftOut).toEqual([]);
  });

  test("with faults is refused completely, with the path of each fault", async () => {
    const before = await everything(store);
    file.shops[0].perPageCost = 3.5;
    file.shops[1].paperTypes[0].price = "12,5";
    file.shops[1].ratings = 6;
    for (const procedure of ["seeding.preview", "seeding.write"]) {
      const answer = await admin.visitor.mutate(procedure, { file, base: {} });
      expect(answer.status).toBe(422);
      expect(answer.body.error.data.issues.map(({ path }: { path: string }) => path)).toEqual([
        "file.shops.1.ratings",
        "file.shops.1.paperTypes.0.price",
      ]);
    }
    expect(await everything(store)).toEqual(before);
  });
});

describe("the shops export", () => {
  test("creates the same shops in another store, also where a name does not say that an option is in colour", async () => {
    const input = await editedPrices(admin.visitor, shopId, ({ printedColours: [first, ...rest] }) => ({
      printedColours: first ? [{ ...first, inColour: !first.inColour }, ...rest] : [],
    }));
    expectDone(await admin.visitor.mutate("prices.save", input));
    const other = await tempStore({ SEED_DEMO: "false" });
    await seedShops(other.deps.db, seedFile.parse((await exported()).file), other.deps.now());
    const colours = async ({ deps }: TestStore) => {
      const options = deps.readDb.selectFrom("shop_options").select(["shop_id", "kind", "name", "in_colour"]);
      return options.orderBy("shop_id").orderBy("kind").orderBy("position").execute();
    };
    expect(await colours(other)).toEqual(await colours(store));
    const seen = async (of: TestStore) => (await of.visitor().get("/api/v1/prints/shopslocation")).body.data;
    expect(await seen(other)).toEqual(await seen(store));
  });

  test("changes nothing in its own store, neither a payment address nor how a shop works", async () => {
    const [shop] = file.shops;
    Object.assign(shop, { upiId: "asha.rao@okbank", offersPickup: true, separatesFiles: false });
    await seedShops(store.deps.db, seedFile.parse(file), store.deps.now());
    const again = (await exported()).file;
    const { shops, options } = expectDone(await admin.visitor.mutate("seeding.preview", { file: again }));
    expect(shops).toEqual({ created: 0, updated: 0, unchanged: file.shops.length });
    expect(options).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
  });

  test("keeps options that are switched off", async () => {
    const input = await editedPrices(admin.visitor, shopId, ({ coverOptions: [first, ...rest] }) => ({
      coverOptions: first ? [...rest, { ...first, active: false }] : rest,
    }));
    expectDone(await admin.visitor.mutate("prices.save", input));
    const before = await pricesOf(admin.visitor, shopId);

    const report = expectDone(await importSeed(admin.visitor, (await exported()).file));

    expect(report.options).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
    expect(await pricesOf(admin.visitor, shopId)).toEqual(before);
  });

  test("names the shops it leaves out, and why", async () => {
    const shop = newShop();
    expectDone(await admin.visitor.mutate("shops.admin.create", shop));
    const { file: whole, leftOut } = await exported();
    expect(leftOut).toEqual([`${shop.shopName} (paperTypes: must have at least one option)`]);
    expect(whole.shops).toHaveLength(readDemoShops().shops.length);
    expectDone(await admin.visitor.mutate("shops.admin.remove", { shopId: shop.id }));
  });
});
