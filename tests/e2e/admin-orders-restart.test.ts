import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeOrder } from "../factories/placed-orders.ts";
import { type StaffPerson, shopIds, signedInAdmin } from "../factories/staff.ts";
import { launchBrowser } from "../setup/browser.ts";
import { sessionOf } from "../setup/staff-console.ts";
import { tempFolder } from "../setup/temp-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { column, orderButton, status } from "./admin-orders-steps.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openQueue(store: TestStore, { visitor }: StaffPerson): Promise<Page> {
  const context = await browser.newContext({ baseURL: store.url, ...sessionOf(visitor) });
  const page = await context.newPage();
  await page.goto("/admin/orders");
  await status(page, "Live").waitFor();
  return page;
}

test("the console says that the server is down, and shows what happened meanwhile when it is back", async () => {
  const env = { DATA_DIR: await tempFolder() };
  const before = await startTestStore(env);
  const admin = await signedInAdmin(before);
  const [shopId] = await shopIds(before);
  const early = await placeOrder(before, shopId);
  const page = await openQueue(before, admin);
  await column(page, "Placed").getByText(early.number).waitFor();
  const { port } = new URL(before.url);

  await before.stop();
  await status(page, "Connection lost").waitFor();
  await expect.poll(() => column(page, "Placed").getByText(early.number).isVisible()).toBe(true);

  // The screen is not connected to this server, so it gets no live event for this order.
  const elsewhere = await startTestStore(env);
  const late = await placeOrder(elsewhere, shopId);
  await elsewhere.stop();
  const after = await startTestStore({ ...env, PORT: port });
  await status(page, "Live").waitFor();
  await orderButton(page, late.number).waitFor();

  await page.context().close();
  await after.stop();
});
