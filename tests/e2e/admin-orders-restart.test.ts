import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { copyOrder, moveTo, placeOrder } from "../factories/placed-orders.ts";
import { type StaffPerson, shopIds, signedInAdmin } from "../factories/staff.ts";
import { sessionOf } from "../setup/browser.ts";
import { runningBrowser } from "../setup/storefront.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, type TestStore, tempStore } from "../setup/test-store.ts";
import { column, orderButton, status } from "./admin-orders-steps.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await runningBrowser();
});

async function openQueue(store: TestStore, { visitor }: StaffPerson): Promise<Page> {
  const context = await browser.newContext({ baseURL: store.url, ...sessionOf(visitor) });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto("/admin/orders");
  await status(page, "Live").waitFor();
  return page;
}

test("a line that goes dead without a word is shown as lost within ten seconds, and the board is told what it missed", async () => {
  const store = await tempStore();
  const admin = await signedInAdmin(store);
  const [shopId] = await shopIds(store);
  const line = await startLine(Number(new URL(store.url).port));
  onTestFinished(() => line.stop());
  const context = await browser.newContext({ baseURL: line.url, ...sessionOf(admin.visitor) });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // Its time stands still, so that only what is due within these ten seconds happens.
  await page.clock.install();
  await page.goto("/admin/orders");
  await status(page, "Live").waitFor();
  await page.getByText("This browser blocks notifications").waitFor();
  const searchTop = async (width: number) => {
    await page.setViewportSize({ width, height: 768 });
    return (await page.getByLabel("Search orders").boundingBox())?.y;
  };
  const tops = [await searchTop(1366), await searchTop(1280)];
  // The first try fails where more than the second has passed meanwhile, and stops the time nevertheless.
  const pause = async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await pause().catch(pause);
  line.cut();
  expect(await status(page, "Live").count()).toBe(1);
  await page.clock.runFor(9000);
  await status(page, "Connection lost").waitFor();
  await page.getByRole("button", { name: "Turn sound on" }).waitFor();
  expect([await searchTop(1366), await searchTop(1280)], "the header stays one line").toEqual(tops);

  const missed = await placeOrder(store, shopId);
  line.mend();
  await page.clock.resume();
  await status(page, "Live").waitFor();
  await orderButton(page, missed.number).waitFor();
});

test("what could not be loaded while the connection was lost is loaded by itself once it is back", async () => {
  const store = await tempStore();
  const admin = await signedInAdmin(store);
  const [shopId] = await shopIds(store);
  const order = await placeOrder(store, shopId);
  const page = await openQueue(store, admin);
  const card = orderButton(page, order.number);
  await card.waitFor();
  await page.context().setOffline(true);
  await card.click();
  await page.getByText("This order could not be loaded").waitFor();
  await status(page, "Connection lost").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("complementary", { name: `Order ${order.number}` }).waitFor();
});

test("on a computer whose clock is three hours ahead, in another time zone, promised times, ages and what can be undone follow the server's", async () => {
  const store = await tempStore();
  const admin = await signedInAdmin(store);
  const [shopId] = await shopIds(store);
  const placed = await placeOrder(store, shopId);
  const printed = await placeOrder(store, shopId);
  await moveTo(admin.visitor, printed.id, "printed");
  const unpromised = await copyOrder(
    store,
    placed,
    [61, 16, 5].map((minutes) => ({
      placedAt: new Date(store.clock.now().getTime() - minutes * 60_000).toISOString(),
    })),
  );
  await store.deps.db
    .updateTable("orders")
    .set({ promised_at: null })
    .where("id", "in", unpromised)
    .execute();
  const zone = { timezoneId: "America/New_York" };
  const context = await browser.newContext({ baseURL: store.url, ...zone, ...sessionOf(admin.visitor) });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const ahead = 3 * 60 * 60 * 1000;
  await page.clock.install({ time: Date.now() + ahead });
  await page.goto("/admin/orders");
  const card = column(page, "Placed").getByRole("listitem").filter({ hasText: placed.number });
  expect(await card.innerText()).toMatch(/^due \d/m);
  const ages = await column(page, "Placed")
    .locator("[data-age]")
    .evaluateAll((all) => all.map((age) => age.getAttribute("data-age")));
  expect(ages).toEqual(["late", "due", "fresh"]);
  await page.getByRole("button", { name: `Back to printing: order ${printed.number}` }).click();
  await column(page, "Printing").getByText(printed.number).waitFor();

  // The server's time goes on with the page's. Nothing on the screen of the shops follows it.
  await page.route(/\/api\/trpc\/(?!board\.live)/, async (route) => {
    const response = await route.fetch();
    const time = (await page.evaluate(() => Date.now())) - ahead;
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(time).toUTCString() } });
  });
  await page.getByRole("link", { name: "Shops" }).click();
  await page.getByRole("list", { name: "Shops", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.clock.fastForward(3 * 24 * 60 * 60 * 1000);
  await page.getByRole("link", { name: "Orders" }).click();
  await card.getByText(/^late: /).waitFor();
});

/** A line to a server that can be cut: nothing passes, and neither side is told. */
async function startLine(port: number) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => isCut || to.write(bytes));
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
      drop();
    },
    async stop() {
      drop();
      await new Promise((closed) => server.close(closed));
    },
  };
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
  await tempStore({ ...env, PORT: port });
  await status(page, "Live").waitFor();
  await orderButton(page, late.number).waitFor();

  await page.context().close();
});
