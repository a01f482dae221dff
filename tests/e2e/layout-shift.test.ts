import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { signedInCounter } from "../factories/staff.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import { delayScript, scriptRuns } from "../setup/delayed-requests.ts";
import { sessionOf } from "../setup/staff-console.ts";
import { openStorefront } from "../setup/storefront.ts";
import { pdfFile, prepareOrder, SHOP_ID, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();
const MAX_SHIFT = 0.02;
const PRINT_PATH = `/printnow?id=${SHOP_ID}`;

/** What moves by itself while the page is loaded and hydrated, and what moved it; its scripts wait for the first paint. */
async function shiftsOf(page: Page, path: string, isComplete: (page: Page) => Promise<unknown>) {
  const release = await delayScript(page);
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("main h1").waitFor();
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
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  release();
  await scriptRuns(page);
  await isComplete(page);
  await page.unrouteAll();
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return (window as unknown as { shifts: string[] }).shifts;
  });
}

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

function expectStill(path: string, shifts: string[]): void {
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, `${path} moved: ${shifts.join("; ")}`).toBeLessThanOrEqual(MAX_SHIFT);
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

describe.each([
  ["a phone", { width: 390, height: 844 }],
  ["a computer", { width: 1280, height: 900 }],
])("on %s nothing moves by itself", (_device, viewport) => {
  test("on the pages of a guest", async () => {
    const page = await storefront.visit("/faq", { viewport });
    for (const path of ["/", "/shops", "/login", "/signup", "/contact-us", "/faq"])
      expectStill(path, await shiftsOf(page, path, loaded));
  });

  test("on the page of somebody at the counter", async () => {
    const clerk = await signedInCounter(storefront.store, [SHOP_ID]);
    const visitor = await visitorAt(storefront.store, SHOP_ID, await codeAt(clerk.visitor, SHOP_ID));
    const page = await storefront.visit("/faq", { viewport, ...sessionOf(visitor, "visit") });
    const files = (own: Page) => own.getByRole("button", { name: "Choose PDF files" }).waitFor();
    expectStill("/at/SHOP", await shiftsOf(page, `/at/${SHOP_ID}`, files));
  });

  test("on the pages of a student, nor when the draft, its thumbnail and the address are filled in", async () => {
    const { page, visitor, student } = await visitAsStudent(storefront, { viewport });
    const order = await placeAnother(visitor, student, SHOP_ID);
    for (const path of ["/", "/shops", PRINT_PATH, "/printorder", "/orders", "/profile", "/settings"])
      expectStill(path, await shiftsOf(page, path, loaded));
    const live = (own: Page) => own.getByText("Live: updates automatically").waitFor();
    expectStill("/orders/ID", await shiftsOf(page, `/orders/${order.id}`, live));
    await page.goto(PRINT_PATH);
    await prepareOrder(page, pdfFile("Notes.pdf", await pdfOfPages(3)));
    const thumbnail = (own: Page) => own.locator("main li[data-file] img").waitFor();
    expectStill("/printnow with a draft", await shiftsOf(page, PRINT_PATH, thumbnail));
    const address = (own: Page) => own.getByRole("button", { name: "Change address" }).waitFor();
    expectStill("/printorder with an order", await shiftsOf(page, "/printorder", address));
  });
});
