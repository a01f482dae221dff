import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { expectDone, importSeed } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin } from "../factories/staff.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempStore, testStore } from "../setup/test-store.ts";
import { everything } from "./seeding.fixtures.ts";

const run = promisify(execFile);

const store = testStore();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(store);
});

const exported = async () => expectDone(await admin.visitor.query("seeding.export"));

describe("a shops file", () => {
  test("is first previewed, without changing anything", async () => {
    const { file } = await exported();
    const before = await everything(store);
    file.shops[0].perPageCost = 9.5;
    file.shops[1].bindingOptions[0].price = 77;
    file.shops.push({ ...file.shops[2], id: "brand-new", shopName: "Brand New Prints" });

    const report = expectDone(await admin.visitor.mutate("seeding.preview", { file }));

    expect(report.shops).toEqual({ created: 1, updated: 1, unchanged: file.shops.length - 2 });
    expect(report.byShop.at(-1)).toMatchObject({ id: "brand-new", outcome: "created" });
    expect(report.byShop[1].options).toMatchObject({ created: 0, updated: 1, deactivated: 0 });
    expect(await everything(store)).toEqual(before);
  });

  test("does what the preview showed, reports it, tells a shop's former email, and does nothing a second time", async () => {
    const { file } = await exported();
    const { email } = file.shops[0];
    file.shops[0].upiId = "asha.rao@okbank";
    file.shops[0].email = "elsewhere@shop.example";
    file.shops[0].paperTypes.push({ name: "90 GSM", price: 1.1, basis: "sheet" });
    const shown = expectDone(await admin.visitor.mutate("seeding.preview", { file }));

    const done = expectDone(await admin.visitor.mutate("seeding.write", { file, base: shown.base }));
    const after = await everything(store);
    const again = expectDone(await importSeed(admin.visitor, file));

    expect({ ...done, base: shown.base }).toEqual(shown);
    expect(done.options).toMatchObject({ created: 1, updated: 0, deactivated: 0 });
    expect(again.options).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
    expect(await everything(store)).toEqual(after);
    const entries = await store.deps.readDb
      .selectFrom("audit_log")
      .select(["subject_id", "shop_id", "by_name", "after"])
      .where("action", "=", "seed.apply")
      .execute();
    const [{ id }] = file.shops;
    const changed = { shop: "updated", options: done.byShop[0].options };
    expect(entries.map((entry) => ({ ...entry, after: JSON.parse(entry.after ?? "null") }))).toEqual([
      { subject_id: id, shop_id: id, by_name: admin.person.fullName, after: changed },
    ]);
    expect((await mailsTo(store, email)).map(({ kind }) => kind)).toEqual(["shop-email"]);
    const asked = await mailsTo(store, "elsewhere@shop.example");
    expect(asked.map(({ kind }) => kind)).toEqual(["shop-email-confirm"]);
    const toAdmin = (await mailsTo(store, admin.person.email)).map(({ subject }) => subject);
    expect(toAdmin.filter((subject) => subject.includes("UPI ID"))).toEqual([
      `New UPI ID of ${file.shops[0].shopName}`,
    ]);
  });

  test("of the demo is not loaded by the command once the store has an order, whatever NODE_ENV says", async () => {
    const shop = await tempStore();
    const env = { ...BARE_ENVIRONMENT, DATABASE_URL: shop.deps.config.databaseUrl };
    const seed = () => run(process.execPath, ["scripts/seed.ts"], { env });
    expect((await seed()).stdout).toContain("Seeded the demo shops");
    await placeOrder(shop, (await shopIds(shop))[0]);
    expect(await seed().catch((error) => error)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The demo shops were not loaded: [^\n]+\n$/),
    });
  });
});
