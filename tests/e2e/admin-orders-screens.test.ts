import type { Locator, Page, Route } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { eraseDeleted } from "#server/files/files.service.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import {
  expectAccessibleScreen,
  expectAccessibleStates,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { delayRequests, openStorefront, tryAgain } from "../setup/storefront.ts";
import { column, orderButton, visitBoard } from "./admin-orders-steps.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront({ LOG_LEVEL: "silent" });
let admin: StaffPerson;
let order: PlacedOrder;
let printed: PlacedOrder;
let waiting: PlacedOrder;
/** Lets its file be erased. */
let release: () => Promise<void>;
let quietShop: string | undefined;

beforeAll(async () => {
  const { store } = storefront;
  admin = await signedInAdmin(store);
  const [shopId, _another, quiet] = await shopIds(store);
  quietShop = quiet;
  order = await placeOrder(store, shopId);
  await admin.visitor.mutate("board.note", { orderId: order.id, body: "Wants it stapled" });
  printed = await placeAnother(order.visitor, order.student, shopId);
  release = await makeUnremovable(store, printed.fileId);
  await moveTo(admin.visitor, printed.id, "dispatched");
  waiting = await placeAnother(order.visitor, order.student, shopId);
  await moveTo(admin.visitor, waiting.id, "printed");
  const done = await placeAnother(order.visitor, order.student, shopId);
  await moveTo(admin.visitor, done.id, "delivered");
});

/** Every stable state of the order screens, each reached from the one before. */
const STATES: ScreenStates = [
  [
    "the board with a selected order",
    async (page) => {
      await page.getByText("Recently delivered").click();
      await page.getByLabel(`Select order ${order.number}`).check();
    },
  ],
  [
    "an order beside the board",
    async (page) => {
      await page.getByLabel(`Select order ${order.number}`).uncheck();
      await openOrder(page);
    },
  ],
  [
    "the request for a reason",
    async (page) => {
      await page.getByRole("button", { name: "Cancel order" }).click();
      await page.getByRole("dialog").getByLabel("Reason").waitFor();
    },
  ],
  [
    "the pages of a file",
    async (page) => {
      await closeDialog(page);
      await page.getByRole("button", { name: "notes.pdf", exact: true }).click();
      await page.getByText("Page 1 of 3").waitFor();
    },
  ],
  [
    "a printed order whose files are kept",
    async (page) => {
      await closeDialog(page);
      await orderButton(page, waiting.number).click();
      await page.getByText("Will be deleted at").waitFor();
    },
    panel,
  ],
  [
    "a file that cannot be removed",
    async (page) => {
      await orderButton(page, printed.number).click();
      await page.getByText("Could not be deleted since").waitFor();
    },
    panel,
  ],
  [
    "the table",
    async (page) => {
      await release();
      await eraseDeleted(storefront.store.deps);
      await panel(page)
        .getByText(/^Deleted \d/)
        .waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("complementary", { name: /^Order / }).waitFor({ state: "detached" });
      await page.keyboard.press("t");
      const table = page.getByRole("table", { name: "Orders" });
      await table.waitFor();
      // Headings for screen readers only.
      for (const unseen of ["Choose", "Next step"])
        expect(await table.getByText(unseen).boundingBox()).toMatchObject({ width: 1, height: 1 });
    },
  ],
  ["an order beside the table", openOrder, panel],
  [
    "the shortcuts",
    async (page) => {
      await page.keyboard.press("Shift+?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
    (page) => page.getByRole("dialog"),
  ],
  [
    "a search without a result",
    async (page) => {
      await closeDialog(page);
      await page.getByRole("searchbox", { name: "Search orders" }).fill("zebra");
      await page.getByText("No orders here").waitFor();
    },
    (page) => page.getByRole("main"),
  ],
  [
    "an empty board",
    async (page) => {
      await openScreen(page, `/admin/orders?shop=${quietShop}`);
      await page.getByText("No open orders").waitFor();
    },
    (page) => page.getByRole("main"),
  ],
];

function panel(page: Page): Locator {
  return page.getByRole("complementary", { name: /^Order / });
}

async function openOrder(page: Page) {
  await orderButton(page, order.number).click();
  await page.getByText("Wants it stapled").waitFor();
}

async function closeDialog(page: Page) {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("the board, the table and all that opens in them fit every width and pass axe in light and dark", async () => {
  const page = await visitBoard(storefront, admin);
  await column(page, "Placed").waitFor();
  await expectAccessibleStates(page, STATES);
});

test("all filters, and the button that clears them, are on one line of a shop PC", async () => {
  const path = "/admin/orders?shop=deccan-sheets&unpaid=true&paper=A4&colour=Colour&due=today";
  const page = await storefront.visit(path, sessionOf(admin.visitor));
  const topOf = async (name: string) =>
    (await page.getByRole("button", { name, exact: true }).boundingBox())?.y;
  expect(await topOf("Clear filters")).toBe(await topOf("Unpaid"));
});

test("the payments of somebody with one shop leave its name out, and on a phone break no name within a word", async () => {
  const { store } = storefront;
  const { id } = await shownShop(admin.visitor);
  const { visitor, student } = await signedInStudent(store);
  const users = store.deps.db.updateTable("users").where("email", "=", student.email);
  await users.set({ full_name: "Muthukumaraswamy Iyer" }).execute();
  await placeAnother(visitor, student, id);
  const owner = await signedInOwner(store, [id]);
  const page = await storefront.visit("/admin/payments", sessionOf(owner.visitor));
  const name = page.getByText("Muthukumaraswamy Iyer");
  await name.waitFor();
  expect(await page.getByRole("columnheader", { name: "Shop" }).count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 800 });
  const linesOfFirstWord = () =>
    name.evaluate((element) => {
      const range = document.createRange();
      range.setStart(element.firstChild ?? element, 0);
      range.setEnd(element.firstChild ?? element, "Muthukumaraswamy".length);
      return range.getClientRects().length;
    });
  // The navigation slides out first.
  await expect.poll(linesOfFirstWord).toBe(1);
});

test("staff without a shop see an empty board", async () => {
  const page = await visitBoard(storefront, await signedInOwner(storefront.store, []));
  await page.getByText("No open orders").waitFor();
});

test("a full column keeps its title and links to the orders it leaves out", async () => {
  const { store } = storefront;
  const [, shopId] = await shopIds(store);
  const first = await placeOrder(store, shopId);
  // Placed after the orders of the other tests, which remain on the board of all shops.
  const placedAt = new Date(store.clock.now().getTime() + 60_000).toISOString();
  await copyOrder(
    store,
    first,
    Array.from({ length: 30 }, () => ({ placedAt })),
  );
  const page = await visitBoard(storefront, await signedInOwner(store, [shopId]));
  await page.setViewportSize({ width: 1280, height: 450 });
  const placed = column(page, "Placed");

  await expect.poll(() => placed.getByRole("checkbox").count()).toBe(20);
  expect(await topmostOver(placed.getByRole("checkbox").nth(9), placed.getByRole("heading"))).toBe("H2");
  const further = placed.getByRole("link", { name: "11 newer orders in the table" });
  await further.click();
  // An order is moved while further ones are on their way.
  const release = await delayRequests(page, "**/api/trpc/board.page*cursor*");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("button", { name: `Start printing: order ${first.number}` }).click();
  await orderButton(page, first.number).waitFor({ state: "detached" });
  release();
  await expect.poll(() => page.locator("[data-order-id]").count()).toBe(30);

  await page.goBack();
  await placed.getByRole("button", { name: "Show more: Placed" }).dblclick();
  await expect.poll(() => placed.getByRole("checkbox").count()).toBe(30);
  await further.waitFor({ state: "detached" });
  expect(await placed.getByRole("button", { name: /^Show more/ }).count()).toBe(0);
  const again = await placeAnother(first.visitor, first.student, shopId);
  await placed.getByText(again.number).waitFor();
  expect(await placed.getByRole("checkbox").count()).toBe(31);
});

/** The topmost element at the centre of `passing` after it was scrolled to the centre of `still`. */
async function topmostOver(passing: Locator, still: Locator): Promise<string | undefined> {
  await passing.scrollIntoViewIfNeeded();
  const middle = (element: Locator) =>
    element.evaluate((node) => {
      const { y, height } = node.getBoundingClientRect();
      return y + height / 2;
    });
  const distance = async () => (await middle(passing)) - (await middle(still));
  // What stays at the top moves itself until it is there.
  await expect
    .poll(async () => {
      await passing.page().mouse.wheel(0, await distance());
      return Math.abs(await distance());
    })
    .toBeLessThan(1);
  return passing.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("h2, li")?.tagName;
  });
}

test("a board that fails to load says so and can be retried, and so do the shops and their prices", async () => {
  const page = await storefront.visit("/admin/audit", {
    ...sessionOf(admin.visitor),
    refused: ["board.read", "shops.admin.list", "prices.get"],
  });
  const orders = "**/api/trpc/*board.read*";
  await page.route(orders, (route) => route.abort());
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByText("The orders could not be loaded").waitFor();
  await expectAccessibleScreen(page);
  await tryAgain(page, orders);
  await column(page, "Placed").waitFor();
  await expect.poll(() => orderButton(page, order.number).count()).toBe(1);

  const refuse = (route: Route) => {
    const calls = new URL(route.request().url()).pathname.split(",");
    const error = { code: -32029, message: "Too many requests", data: { appCode: "RATE_LIMITED" } };
    return route.fulfill({ status: 429, json: calls.map(() => ({ error })) });
  };
  for (const [link, call, loaded] of [
    [/^Shops$/, "shops.admin.list", page.getByRole("list", { name: "Shops" })],
    [/^Prices of /, "prices.get", page.getByRole("list", { name: "Binding", exact: true })],
  ] as const) {
    const calls = `**/api/trpc/*${call}*`;
    await page.route(calls, refuse);
    await page.getByRole("link", { name: link }).first().click();
    await page.getByText("Too many requests").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await tryAgain(page, calls);
    await loaded.waitFor();
  }
});
