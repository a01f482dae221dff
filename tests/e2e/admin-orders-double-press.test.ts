import type { Locator, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { openStorefront } from "../setup/storefront.ts";
import { column, orderButton, visitBoard } from "./admin-orders-steps.ts";

// Counter staff double-press everything on a 1366 × 768 screen: the second press must not hit something they have not seen.

const storefront = openStorefront();
let admin: StaffPerson;
let first: PlacedOrder;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
});

/** Opens the board of a new shop with this many orders, oldest first. */
async function shopWith(count: number, { openFirst = false } = {}) {
  const shop = await shownShop(admin.visitor);
  const owner = await signedInOwner(storefront.store, [shop.id]);
  first = await placeOrder(storefront.store, shop.id);
  const orders = [first];
  while (orders.length < count) {
    storefront.store.clock.advance({ seconds: 1 });
    orders.push(await placeAnother(first.visitor, first.student, shop.id));
  }
  const path = openFirst ? `/admin/orders?order=${first.id}` : "/admin/orders";
  const page = await visitBoard(storefront, owner, { path });
  watchChanges(page);
  await page.setViewportSize({ width: 1366, height: 768 });
  await orderButton(page, first.number).waitFor();
  return { page, orders };
}

const step = (page: Page, name: string, { number }: PlacedOrder) =>
  page.getByRole("button", { name: `${name}: order ${number}` });
const panelOf = (page: Page, { number }: PlacedOrder) =>
  page.getByRole("complementary", { name: `Order ${number}` });

/** Clicks twice at the same position, whatever is there the second time. */
async function doubleClick(button: Locator): Promise<void> {
  const page = button.page();
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    // Between the clicks the screen shows the effect of the first.
    if (clickCount === 1) await settled(page);
  }
}

/** The changes that were requested and not yet answered. */
const underWay = new WeakMap<Page, Set<Request>>();

function watchChanges(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => request.method() === "POST" && requests.add(request));
  page.on("response", (response) => requests.delete(response.request()));
}

/** Waits until all requested changes are answered and shown. */
async function settled(page: Page): Promise<void> {
  await drawn(page);
  await expect.poll(() => underWay.get(page)?.size).toBe(0);
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** The states of these orders after all buttons accept presses again. */
async function statesOf(page: Page, orders: PlacedOrder[]): Promise<string[]> {
  await page.mouse.move(0, 0);
  await page.locator("[data-press-guard]").first().waitFor({ state: "detached" });
  await page.locator("button[aria-disabled=true]").first().waitFor({ state: "detached" });
  await settled(page);
  const rows = await storefront.store.deps.readDb
    .selectFrom("orders")
    .select(["id", "state"])
    .where(
      "id",
      "in",
      orders.map(({ id }) => id),
    )
    .execute();
  return orders.map(({ id }) => rows.find((row) => row.id === id)?.state ?? "");
}

describe("a double click moves one order by one step", () => {
  test("on the board", async () => {
    const { page, orders } = await shopWith(3);
    await doubleClick(step(page, "Start printing", first));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed", "placed"]);
    await doubleClick(step(page, "Mark printed", first));
    expect(await statesOf(page, orders)).toEqual(["printed", "placed", "placed"]);
  });

  test("in the table", async () => {
    const { page, orders } = await shopWith(2);
    await page.keyboard.press("t");
    await doubleClick(step(page, "Start printing", first));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Placed" }).click();
    await orderButton(page, first.number).waitFor({ state: "detached" });
    await doubleClick(step(page, "Start printing", orders[1] as PlacedOrder));
    expect(await statesOf(page, orders)).toEqual(["printing", "printing"]);
  });

  test("in the open order", async () => {
    const { page, orders } = await shopWith(2, { openFirst: true });
    await doubleClick(panelOf(page, first).getByRole("button", { name: "Start printing" }));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await doubleClick(panelOf(page, first).getByRole("button", { name: "Mark printed" }));
    expect(await statesOf(page, orders)).toEqual(["printed", "placed"]);
    expect(await isOnDisk(storefront.store, first.fileId)).toBe(true);
  });

  test("with several orders selected", async () => {
    const { page, orders } = await shopWith(3);
    for (const { number } of orders.slice(0, 2)) await page.getByLabel(`Select order ${number}`).check();
    await doubleClick(page.getByRole("button", { name: "Start printing (2)" }));
    expect(await statesOf(page, orders)).toEqual(["printing", "printing", "placed"]);
  });
});

test("a button that changes under the mouse ignores clicks until the mouse has moved", async () => {
  const { page, orders } = await shopWith(1, { openFirst: true });
  const panel = panelOf(page, first);
  await doubleClick(panel.getByRole("button", { name: "Start printing" }));
  await expect.poll(() => page.locator("button[aria-disabled=true]").count()).toBe(0);
  await page.mouse.down();
  await page.mouse.up();
  await settled(page);
  expect(await statesOf(page, orders)).toEqual(["printing"]);
  await panel.getByRole("button", { name: "Mark printed" }).click();
  await panel.getByRole("button", { name: "Back to printing" }).waitFor();
  expect(await statesOf(page, orders)).toEqual(["printed"]);
});

test("holding Enter moves an order by one step", async () => {
  const { page, orders } = await shopWith(2, { openFirst: true });
  await panelOf(page, first).getByRole("button", { name: "Start printing" }).focus();
  await page.keyboard.down("Enter");
  await page.locator("button[aria-disabled=true]").first().waitFor();
  const isFree = () => page.locator("button[aria-disabled=true]").count();
  // The key repeats while the button ignores presses, and beyond.
  await expect
    .poll(async () => {
      await page.keyboard.down("Enter");
      return isFree();
    })
    .toBe(0);
  for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
});

describe("pressing a key twice moves one order by one step", () => {
  test("Enter on its next step", async () => {
    const { page, orders } = await shopWith(2, { openFirst: true });
    await panelOf(page, first).getByRole("button", { name: "Start printing" }).focus();
    await page.keyboard.press("Enter");
    await panelOf(page, first).getByRole("button", { name: "Mark printed" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
  });

  test("M on an open order", async () => {
    const { page, orders } = await shopWith(2, { openFirst: true });
    await orderButton(page, first.number).focus();
    await page.keyboard.press("m");
    await column(page, "Printing").getByText(first.number).waitFor();
    await page.keyboard.press("m");
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
  });

  test("M when the focus moves on to the next order", async () => {
    const { page, orders } = await shopWith(3);
    await orderButton(page, first.number).focus();
    await page.keyboard.press("m");
    await column(page, "Printing").getByText(first.number).waitFor();
    await page.keyboard.press("m");
    expect(await statesOf(page, orders)).toEqual(["printing", "placed", "placed"]);
  });
});

describe("marking as printed by mistake can be undone", () => {
  async function printedBy(act: (page: Page) => Promise<void>): Promise<Page> {
    const { page } = await shopWith(1);
    await moveTo(admin.visitor, first.id, "printing");
    await column(page, "Printing").getByText(first.number).waitFor();
    await step(page, "Mark printed", first).click();
    await column(page, "Printed").getByText(first.number).waitFor();
    await act(page);
    await column(page, "Printing").getByText(first.number).waitFor();
    expect(await statesOf(page, [first])).toEqual(["printing"]);
    expect(await isOnDisk(storefront.store, first.fileId)).toBe(true);
    return page;
  }

  test("from the notification, which says how long the files are kept, even by a double click", async () => {
    await printedBy(async (page) => {
      const notice = page.getByRole("alert").filter({ hasText: `Order ${first.number} is printed` });
      await notice.getByText(/Its files will be deleted at \d/).waitFor();
      await doubleClick(notice.getByRole("button", { name: "Undo" }));
    });
  });

  test("from its card", async () => {
    await printedBy((page) => step(page, "Back to printing", first).click());
  });

  test("from the open order, which says when its files are deleted", async () => {
    await printedBy(async (page) => {
      await orderButton(page, first.number).click();
      const panel = panelOf(page, first);
      await panel.getByText(/^Will be deleted at \d/).waitFor();
      await panel.getByRole("button", { name: "Back to printing" }).click();
      await panel.getByText(/^Will be deleted at \d/).waitFor({ state: "detached" });
    });
  });

  test("by keyboard", async () => {
    await printedBy(async (page) => {
      await step(page, "Back to printing", first).waitFor();
      await orderButton(page, first.number).focus();
      await page.keyboard.press("u");
    });
  });

  test("for several orders at once", async () => {
    const { page, orders } = await shopWith(2);
    for (const { id } of orders) await moveTo(admin.visitor, id, "printing");
    for (const { number } of orders) await column(page, "Printing").getByText(number).waitFor();
    for (const { number } of orders) await page.getByLabel(`Select order ${number}`).check();
    await page.getByRole("button", { name: "Mark printed (2)" }).click();
    const notice = page.getByRole("alert").filter({ hasText: "2 orders printed" });
    await notice.getByRole("button", { name: "Undo" }).click();
    for (const { number } of orders) await column(page, "Printing").getByText(number).waitFor();
    expect(await statesOf(page, orders)).toEqual(["printing", "printing"]);
  });
});

test("a double click on 'Mark as paid' marks the order as paid", async () => {
  const { page } = await shopWith(1, { openFirst: true });
  await doubleClick(panelOf(page, first).getByRole("button", { name: "Mark as paid" }));
  await panelOf(page, first).getByText(/^Paid/).waitFor();
  await statesOf(page, [first]);
  const { paid_at } = await storefront.store.deps.readDb
    .selectFrom("orders")
    .select("paid_at")
    .where("id", "=", first.id)
    .executeTakeFirstOrThrow();
  expect(paid_at).not.toBeNull();
});

test("ten minutes after login a refund or the cancellation of a paid order asks for the password", async () => {
  const { store } = storefront;
  const shop = await shownShop(admin.visitor);
  const owner = await signedInOwner(store, [shop.id]);
  const order = await placeOrder(store, shop.id);
  // The confirmation renews the session token, which the visitor does not have.
  const setPaid = async () =>
    expectDone(await admin.visitor.mutate("board.setPaid", { orderId: order.id, paid: true }));
  await setPaid();
  const page = await visitBoard(storefront, owner, {
    path: `/admin/orders?order=${order.id}`,
    refused: ["board.setPaid", "board.cancel"],
  });
  await page.setViewportSize({ width: 1366, height: 768 });
  const question = page.getByRole("dialog", { name: "Confirm it is you" });
  const confirm = async () => {
    await question.getByLabel("Your password").fill(owner.person.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await question.waitFor({ state: "hidden" });
  };

  store.clock.advance({ minutes: 10 });
  const takeBack = panelOf(page, order).getByRole("button", { name: "Mark as not paid" });
  await takeBack.click();
  await question.getByLabel("Your password").press("Escape");
  await page.getByText("Please confirm your identity and try again").waitFor();
  await panelOf(page, order).getByText(/^Paid/).waitFor();
  await takeBack.click();
  await confirm();
  await page.getByText(`Order ${order.number} is not paid`).waitFor();

  await setPaid();
  await takeBack.waitFor();
  store.clock.advance({ minutes: 10 });
  await panelOf(page, order).getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: `Cancel order ${order.number}` });
  await dialog.getByLabel("Reason").fill("The paper ran out");
  await dialog.getByRole("button", { name: "Cancel the order" }).click();
  await question.waitFor();
  await confirm();
  await page.getByText(`Order ${order.number} is cancelled.`).waitFor();
});
