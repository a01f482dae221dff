import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { seenByStudent } from "../factories/orders.ts";
import { payInFull, refundCash, takeCash } from "../factories/payments.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { shopIds, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import { sessionOf } from "../setup/browser.ts";
import { startEditingProxy } from "../setup/editing-proxy.ts";
import { openStorefront, scriptRuns } from "../setup/storefront.ts";
import { openPreparedOrder, SHOP_ID, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();
const MAX_SHIFT = 0.02;
const PRINT_PATH = `/printnow?id=${SHOP_ID}`;

type EditingProxy = Awaited<ReturnType<typeof startEditingProxy>>;

/** What moves by itself while the page is loaded and hydrated, and what moved it; its script waits for the first paint. */
async function shiftsOf(
  { page, proxy }: Visit,
  path: string,
  isComplete: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  // Not by a route, which would take all other scripts from the network as well.
  const { release } = proxy.hold(await scriptPath());
  await page.goto(proxy.url + path, { waitUntil: "commit" });
  await page.locator("main h1").waitFor();
  await watchShifts(page);
  release();
  await scriptRuns(page);
  await isComplete(page);
  return seenShifts(page);
}

async function scriptPath(): Promise<string> {
  const { body } = await storefront.store.visitor().get("/faq");
  return /<script type="module"[^>]* src="([^"]+)"/.exec(body)?.[1] ?? "";
}

async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { shifts: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[]) {
        if (entry.hadRecentInput) continue;
        const nodes = entry.sources.map(({ node }) => (node as Element | null)?.className ?? "");
        seen.push(`${entry.value.toFixed(4)} ${nodes.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await painted(page);
}

async function seenShifts(page: Page): Promise<string[]> {
  await painted(page);
  return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

function painted(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

function expectStill(page: Page, path: string, shifts: string[]): void {
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  const { width } = page.viewportSize() ?? {};
  expect(sum, `${path} moved at ${width} px: ${shifts.join("; ")}`).toBeLessThanOrEqual(MAX_SHIFT);
}

const DEVICES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

interface Visit {
  page: Page;
  proxy: EditingProxy;
}

/** Looks at this page in both sizes. */
async function expectStillPage(
  visit: Visit,
  path: string,
  isComplete: (page: Page) => Promise<unknown>,
  name = path,
): Promise<void> {
  for (const device of DEVICES) {
    await visit.page.setViewportSize(device);
    expectStill(visit.page, name, await shiftsOf(visit, path, isComplete));
  }
}

/** Also the pictures further down, which are loaded when they are near. */
async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(async () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>("main li img")) {
      picture.scrollIntoView();
      await picture.decode();
    }
  });
}

describe("on a phone and on a computer nothing moves by itself", () => {
  test("on the pages of a guest", async () => {
    const visit = {
      page: await storefront.visit("/robots.txt"),
      proxy: await startEditingProxy(storefront.store.url),
    };
    for (const path of ["/", "/shops", "/login", "/signup", "/contact-us", "/faq"])
      await expectStillPage(visit, path, loaded);
  });

  test("while the last bytes of a short page are on their way", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const { page, visitor, student } = await visitAsStudent(storefront, {}, "/robots.txt");
    await placeAnother(visitor, student, SHOP_ID);
    const visits = DEVICES.flatMap((device) =>
      ["/orders", "/settings", "/printorder"].map((path) => ({ device, path })),
    );
    for (const { device, path } of visits) {
      await page.setViewportSize(device);
      const send = proxy.cut(path, '<nav aria-label="Useful Links"');
      await page.goto(proxy.url + path, { waitUntil: "commit" });
      await page.locator("footer p").first().waitFor({ state: "attached" });
      await watchShifts(page);
      send();
      await page.getByText("All rights reserved").waitFor();
      expectStill(page, path, await seenShifts(page));
    }
  });

  test("on the page of somebody at the counter", async () => {
    const clerk = await signedInCounter(storefront.store, [SHOP_ID]);
    const visitor = await visitorAt(storefront.store, SHOP_ID, await codeAt(clerk.visitor, SHOP_ID));
    const page = await storefront.visit("/robots.txt", sessionOf(visitor, "visit"));
    const files = (own: Page) => own.getByRole("button", { name: "Choose PDF files" }).waitFor();
    await expectStillPage(
      { page, proxy: await startEditingProxy(storefront.store.url) },
      `/at/${SHOP_ID}`,
      files,
    );
  });

  test("on the pages of a student, nor when the draft, its thumbnail and the address are filled in", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const student = await visitAsStudent(storefront, { baseURL: proxy.url }, "/robots.txt");
    const visit = { ...student, proxy };
    const order = await placeAnother(visit.visitor, visit.student, SHOP_ID);
    for (const path of ["/", PRINT_PATH, "/printorder", "/orders", "/profile", "/settings"])
      await expectStillPage(visit, path, loaded);
    const live = (own: Page) => own.getByText("Live: updates automatically").waitFor();
    await expectStillPage(visit, `/orders/${order.id}`, live, "/orders/ID");
    await openPreparedOrder(student);
    const thumbnail = (own: Page) => own.locator("main li[data-file] img").waitFor();
    await expectStillPage(visit, PRINT_PATH, thumbnail, "/printnow with a draft");
    const offer = (own: Page) => own.getByRole("region", { name: "Files at another shop" }).waitFor();
    const elsewhere = `/printnow?id=${(await shopIds(storefront.store)).find((id) => id !== SHOP_ID)}`;
    await expectStillPage(visit, elsewhere, offer, "/printnow of another shop");
    const address = (own: Page) => own.getByRole("button", { name: "Change address" }).waitFor();
    await expectStillPage(visit, "/printorder", address, "/printorder with an order");
  });

  test("on the pages of orders that are paid or to be paid, on hold, to be picked up or to be rated", async () => {
    const { visitor: staff } = await signedInAdmin(storefront.store);
    const shop = await shownShop(staff, undefined, { upiId: "lamppost@okaxis", offersPickup: true });
    const { page, visitor, student } = await visitAsStudent(storefront, {}, "/robots.txt");
    const visit = { page, proxy: await startEditingProxy(storefront.store.url) };
    const orderAfter = async (
      act: (orderId: string) => Promise<unknown>,
      fulfilment: ChosenFulfilment = "pickup",
    ) => {
      const { id } = await placeAnother(visitor, student, shop.id, fulfilment);
      await act(id);
      return id;
    };
    const hold = async (orderId: string) =>
      expectDone(
        await staff.mutate("holds.hold", { orderId, reason: "Page 2 is cut off at its right edge" }),
      );
    const answer = async (orderId: string) => {
      await hold(orderId);
      const order = await seenByStudent(visitor, orderId);
      expectDone(
        await visitor.mutate("holds.answer", { orderId, holdId: order.hold.id, answer: "Print it" }),
      );
    };
    const refund = async (orderId: string) => {
      expectDone(await takeCash(staff, orderId, 500));
      expectDone(await refundCash(staff, orderId, 200));
    };
    const deliver = async (orderId: string) => {
      expectDone(await payInFull(staff, orderId));
      await moveTo(staff, orderId, "delivered");
    };
    const orders = {
      unpaid: await orderAfter(async () => {}),
      "paid in part": await orderAfter(refund),
      "on hold": await orderAfter(hold),
      "on hold, answered": await orderAfter(answer),
      "to be picked up": await orderAfter((id) => moveTo(staff, id, "printed")),
      delivered: await orderAfter(deliver, "delivery"),
    };
    for (const [name, id] of Object.entries(orders))
      await expectStillPage(visit, `/orders/${id}`, loaded, name);
  });
});
