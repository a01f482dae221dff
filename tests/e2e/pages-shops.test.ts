import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { formatPaise, toPaise } from "#shared/money.ts";
import type { SeedShop } from "#shared/schemas/seed.ts";
import { SHOPS_PER_PAGE, type ShopCard } from "#shared/schemas/shops.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { answersCome, delayRequests, delayScript, openStorefront, tryAgain } from "../setup/storefront.ts";
import { hurryUntil, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();
const PAGE_CALLS = "**/api/trpc/*shops.page*";
const UNREACHABLE = "The shops cannot be shown";

async function allShops(): Promise<ShopCard[]> {
  return (await storefront.store.visitor().get("/api/v1/prints/shopslocation")).body.data;
}

async function hide(id: string, hidden: 0 | 1): Promise<void> {
  await storefront.store.deps.db.updateTable("shops").set({ hidden }).where("id", "=", id).execute();
}

function names(page: Page): Promise<string[]> {
  return page.locator("article h2").allInnerTexts();
}

describe("the shops", () => {
  test("each show image, name, location, rating, cost per page, the badge and the price of the sample job", async () => {
    const page = await storefront.visit("/shops");
    const shops = await allShops();
    await expect.poll(() => page.locator("article").count()).toBe(shops.length);
    for (const shop of shops) {
      const card = page.locator("article", { hasText: shop.shopName });
      await card.scrollIntoViewIfNeeded();
      const text = await card.innerText();
      expect(text).toContain(shop.shopLocation);
      expect(text).toContain(shop.ratings.toFixed(1));
      expect(text).toContain(`${formatPaise(toPaise(shop.perPageCost))} per page`);
      expect(text).toContain(shop.openingHours);
      expect(text).toContain(`Rated ${shop.ratings.toFixed(1)} out of 5`);
      expect(text).toContain("10% OFF up to ₹100");
      expect(text).toContain(
        `20 pages, black and white, both sides: ${formatPaise(shop.samplePaise ?? Number.NaN)}`,
      );
      const image = card.locator("img");
      await expect.poll(() => image.getAttribute("src")).toBe(shop.shopImage);
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    }
  });

  test("show only pictures served by the store, whatever an owner has saved", async () => {
    for (const path of ["/", "/shops", "/admin/login"]) {
      const { headers } = await storefront.store.visitor().get(path);
      const policy = (headers.get("content-security-policy") ?? "").split("; ");
      expect([path, policy.filter((rule) => rule.startsWith("img-src"))]).toEqual([
        path,
        ["img-src 'self' data:"],
      ]);
    }
  });

  test("can be searched by name, place and college, and the URL keeps the search", async () => {
    const page = await storefront.visit("/shops");
    const search = page.getByLabel("Find a shop");
    for (const words of ["red soil", "kharagpur", "IIT Kharagpur"]) {
      await search.fill(words);
      await expect.poll(() => names(page)).toEqual(["Red Soil Prints"]);
    }
    await page.reload();
    await expect.poll(() => names(page)).toEqual(["Red Soil Prints"]);
    await search.fill("nowhere at all");
    await page.getByRole("heading", { name: "No shop matches “nowhere at all”" }).waitFor();
    await page.waitForURL("**/shops?q=nowhere+at+all");
    await page.getByRole("banner").getByRole("link", { name: "Shops" }).click();
    await expect.poll(async () => (await names(page)).length).toBe((await allShops()).length);
    await page.goBack();
    await page.getByRole("heading", { name: "No shop matches “nowhere at all”" }).waitFor();
    await search.fill(`https://print.example/${"noshop".repeat(30)}`);
    await page.getByRole("heading", { name: "No shop matches “https://print.example/noshop" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    // As somebody may write an address, in which the words are a number.
    await page.goto("/shops?q=2026&sort=rating");
    await page.getByRole("heading", { name: "No shop matches “2026”" }).waitFor();
    await page.getByRole("button", { name: "Show all shops" }).click();
    const byRating = (await allShops()).toSorted((one, other) => other.ratings - one.ratings);
    await expect.poll(() => names(page)).toEqual(byRating.map(({ shopName }) => shopName));
  });

  test("can be sorted by price, rating and the price of the sample job", async () => {
    const page = await storefront.visit("/shops");
    const read = () => page.getByRole("search").ariaSnapshot();
    await expect.poll(read).toContain('combobox "Sort by"');
    expect(await read(), "the arrow of the choice").not.toContain("img");
    const shops = await allShops();
    const sorted = (compare: (one: ShopCard, other: ShopCard) => number) =>
      shops.toSorted(compare).map((shop) => shop.shopName);
    const orders = {
      "Lowest cost per page": sorted((one, other) => one.perPageCost - other.perPageCost),
      "Lowest price of the sample job": sorted(
        (one, other) => (one.samplePaise ?? 0) - (other.samplePaise ?? 0),
      ),
      "Best rating": sorted((one, other) => other.ratings - one.ratings),
    };
    for (const [label, expected] of Object.entries(orders)) {
      await page.getByLabel("Sort by").selectOption({ label });
      await expect.poll(() => names(page)).toEqual(expected);
    }
  });

  test("use a sort order selected and words typed before the page's script ran", async () => {
    const page = await storefront.visit("/robots.txt");
    const release = await delayScript(page);
    await page.goto("/shops", { waitUntil: "commit" });
    await page.getByLabel("Sort by").selectOption({ label: "Best rating" });
    const byRating = (await allShops()).toSorted((one, other) => other.ratings - one.ratings);
    const expected = byRating.map((shop) => shop.shopName);
    expect(await names(page)).not.toEqual(expected);
    await page.getByLabel("Find a shop").fill("red soil");
    release();
    await page.waitForURL("**/shops?q=red+soil&sort=rating");
    await expect.poll(() => names(page)).toEqual(["Red Soil Prints"]);
    await page.getByLabel("Find a shop").fill("");
    await expect.poll(() => names(page)).toEqual(expected);
  });

  test("that cannot be loaded say so, and are loaded by another press", async () => {
    const page = await storefront.visit("/about-us", { refused: ["shops.page"] });
    await page.clock.install();
    await page.route(PAGE_CALLS, (route) => route.abort());
    await page.getByRole("banner").getByRole("link", { name: "Shops" }).click();
    await hurryUntil(page, () => page.getByRole("heading", { name: UNREACHABLE }).isVisible());
    await tryAgain(page, PAGE_CALLS);
    await expect.poll(async () => (await names(page)).length).toBe((await allShops()).length);
  });

  test("say on their card that they are closed today or tomorrow, by the day at which the card is looked at", async () => {
    const admin = await signedInAdmin(storefront.store);
    const { id, shopName } = await shownShop(admin.visitor);
    const at = (days: number) => addDays(indianDay(new Date()), days);
    const speed = { shopId: id, pagesPerMinute: 20, handlingMinutes: 5 };
    expectDone(await admin.visitor.mutate("schedule.save", { ...speed, holidays: [at(2)] }));
    const page = await storefront.visit("/robots.txt");
    await page.clock.install({ time: new Date(`${at(0)}T12:00:00+05:30`) });
    await page.goto("/shops");
    const card = page.locator("article", { hasText: shopName });
    await card.locator("img").waitFor();
    const told = card.getByText(/^Closed /);
    for (const texts of [[], ["Closed tomorrow"], ["Closed today"], []]) {
      await expect.poll(() => told.allInnerTexts()).toEqual(texts);
      await page.clock.fastForward("24:00:00");
    }
  });

  test("have the script of the page that opens next, before one is chosen", async () => {
    const page = await storefront.visit("/shops");
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
    await expect.poll(loaded).toContainEqual(expect.stringMatching(/^\/assets\/printnow-/));
  });

  test("open after their data was checked", async () => {
    const { page } = await visitAsStudent(storefront, {}, "/shops");
    const release = await delayRequests(page, "**/api/trpc/shops.byId?*");
    const check = page.waitForRequest("**/api/trpc/shops.byId?*");
    // The whole card is the link, not its name only.
    await page
      .getByRole("article")
      .filter({ hasText: "Red Soil Prints" })
      .click({ position: { x: 40, y: 40 } });
    await check;
    await page.getByText("Please wait", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/shops");
    release();
    await page.waitForURL("**/printnow?id=red-soil-prints");
    // In a tab of its own, as the browser opens any link.
    await page.goBack();
    const tab = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Red Soil Prints" }).click({ modifiers: ["ControlOrMeta"] });
    await (await tab).waitForURL("**/printnow?id=red-soil-prints");
    expect(new URL(page.url()).pathname).toBe("/shops");
  });

  test("do not open late, over another that was opened after Back", async () => {
    const { page } = await visitAsStudent(storefront, {}, "/about-us");
    const shops = page.getByRole("banner").getByRole("link", { name: "Shops" });
    await shops.click();
    const release = await delayRequests(page, "**/api/trpc/shops.byId?*red-soil-prints*");
    const check = page.waitForRequest("**/api/trpc/shops.byId?*red-soil-prints*");
    await page.getByRole("link", { name: "Red Soil Prints" }).click();
    await check;
    await page.goBack();
    await shops.click();
    await page.getByRole("link", { name: "Tram Bell Copies" }).click();
    await page.waitForURL("**/printnow?id=tram-bell-copies");
    release();
    await answersCome(page);
    expect(page.url()).toContain("tram-bell-copies");
  });

  test("do not open if the check fails, which is only logged", async () => {
    const logged: string[] = [];
    const page = await storefront.visit("/shops", { refused: ["shops.byId"] });
    page.removeAllListeners("console");
    page.on("console", (message) => logged.push(message.text()));
    await hide("tram-bell-copies", 1);
    onTestFinished(() => hide("tram-bell-copies", 0));
    await page.getByRole("link", { name: "Tram Bell Copies" }).click();
    await expect.poll(() => logged.join("\n")).toContain("The shop could not be checked");
    await page.getByText("Please wait", { exact: true }).waitFor({ state: "detached" });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByLabel("Find a shop").fill("red soil");
    await expect.poll(() => names(page)).toEqual(["Red Soil Prints"]);
    expect(new URL(page.url()).pathname).toBe("/shops");
  });

  test("are paged if there are many, and can be searched across pages", async () => {
    const [model] = readDemoShops().shops;
    const many = Array.from({ length: SHOPS_PER_PAGE }, (_, index) => ({
      ...model,
      id: `another-${index}`,
      shopName: `Another Press ${index}`,
      ratings: index === 7 ? 50 : 30,
    })) as SeedShop[];
    await seedShops(storefront.store.deps.db, { shops: many }, new Date());
    const shops = await allShops();

    const page = await storefront.visit("/shops", { refused: ["shops.page"] });
    await page.getByText(`${shops.length} shops`).waitFor();
    const firstPage = shops.slice(0, SHOPS_PER_PAGE);
    await expect.poll(() => names(page)).toEqual(firstPage.map(({ shopName }) => shopName));

    const more = page.getByRole("button", { name: "Show more shops" });
    // The next page begins after the last shop, which students see no more.
    const gone = firstPage.at(-1);
    const { visitor: admin } = await signedInAdmin(storefront.store);
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId: gone?._id, hidden: true }));
    await more.click();
    await page.getByRole("alert").getByText("The other shops could not be loaded. Try again.").waitFor();
    await more.click();
    const left = shops.filter((shop) => shop !== gone);
    await expect.poll(() => names(page)).toEqual(left.map(({ shopName }) => shopName));
    expect(await more.count()).toBe(0);

    await page.reload();
    const last = shops.at(-1)?.shopName ?? "";
    await page.getByLabel("Find a shop").fill(last.slice(0, -3));
    await page.getByLabel("Find a shop").pressSequentially(last.slice(-3));
    await expect.poll(() => names(page)).toEqual([last]);
    await page.getByText("1 shop", { exact: true }).waitFor();

    await page.getByLabel("Find a shop").fill("");
    await page.getByLabel("Sort by").selectOption({ label: "Best rating" });
    await expect.poll(async () => (await names(page))[0]).toBe("Another Press 7");

    await page.getByLabel("Find a shop").fill("nowhere at all");
    await page.getByRole("heading", { name: "No shop matches “nowhere at all”" }).waitFor();

    await page.clock.install();
    await page.route(PAGE_CALLS, (route) => route.abort());
    await page.getByLabel("Find a shop").fill(last);
    await hurryUntil(page, () => page.getByRole("heading", { name: UNREACHABLE }).isVisible());
    await tryAgain(page, PAGE_CALLS);
    await expect.poll(() => names(page)).toEqual([last]);
  });
});
