import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toRupees } from "#shared/money.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, takeByUpi, takeCash } from "../factories/payments.ts";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront, stopTheSecond } from "../setup/storefront.ts";
import { column, loseAnswer, orderButton, status, visitBoard } from "./admin-orders-steps.ts";

// Counter staff double-press everything on a 1366 × 768 screen: the second press must not hit something they have not seen.

const storefront = openStorefront();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
});

/** The board of a new shop with this many orders, for all tests of a block; `take` gives the oldest untouched ones. */
function boardWith(count: number) {
  let owner: StaffPerson;
  let shop: ShopForm;
  const orders: PlacedOrder[] = [];
  beforeAll(async () => {
    shop = await shownShop(admin.visitor);
    owner = await signedInOwner(storefront.store, [shop.id]);
    const first = await placeOrder(storefront.store, shop.id);
    orders.push(first);
    while (orders.length < count) {
      storefront.store.clock.advance({ seconds: 1 });
      orders.push(await placeAnother(first.visitor, first.student, shop.id));
    }
  });
  const page = storefront.visitOnce("/admin/orders", () => sessionOf(owner.visitor));
  beforeAll(async () => {
    await page().setViewportSize({ width: 1366, height: 768 });
    await status(page(), "Live").waitFor();
  });
  beforeEach(() => closeNotices(page()));
  return {
    page,
    take(number: number): [PlacedOrder, ...PlacedOrder[]] {
      const [first, ...others] = orders.splice(0, number);
      if (!first || others.length < number - 1) throw new Error("The shop has too few orders for its tests");
      return [first, ...others];
    },
    /** Another one, of somebody at the counter. */
    async takeAtCounter() {
      const visitor = await visitorAt(storefront.store, shop.id, await codeAt(owner.visitor, shop.id));
      return placeAtCounter(visitor, { shopId: shop.id });
    },
  };
}

/** Closes the notices of earlier tests, which would lie over a button. */
async function closeNotices(page: Page): Promise<void> {
  const close = page.locator(".mantine-Notification-closeButton");
  for (let left = await close.count(); left > 0; left--) {
    await close.first().click();
    await expect.poll(() => close.count()).toBeLessThan(left);
  }
}

async function open(page: Page, order: PlacedOrder): Promise<Locator> {
  await orderButton(page, order.number).click();
  const panel = panelOf(page, order);
  await panel.waitFor();
  return panel;
}

async function closePanel(page: Page, order: PlacedOrder): Promise<void> {
  await page.keyboard.press("Escape");
  await panelOf(page, order).waitFor({ state: "detached" });
}

const step = (page: Page, name: string, { number }: { number: string }) =>
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
    if (clickCount === 1) await answersCome(page);
  }
}

/** The states of these orders after all buttons accept presses again. */
async function statesOf(page: Page, orders: { id: string }[]): Promise<string[]> {
  await page.mouse.move(0, 0);
  await page.locator("[data-press-guard]").first().waitFor({ state: "detached" });
  await page.locator("button[aria-disabled=true]").first().waitFor({ state: "detached" });
  await answersCome(page);
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

/** Presses the next step of this open order, which is being printed, and closes it. */
async function markPrinted(page: Page, order: PlacedOrder): Promise<void> {
  const panel = panelOf(page, order);
  await panel.getByRole("button", { name: "Mark printed" }).click();
  await panel.getByRole("button", { name: "Back to printing" }).waitFor();
  expect(await statesOf(page, [order])).toEqual(["printed"]);
  await closePanel(page, order);
}

describe("a double click moves one order by one step", () => {
  const board = boardWith(10);

  test("on the board", async () => {
    const [page, orders] = [board.page(), board.take(3)];
    await doubleClick(step(page, "Start printing", orders[0]));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed", "placed"]);
    await doubleClick(step(page, "Mark printed", orders[0]));
    expect(await statesOf(page, orders)).toEqual(["printed", "placed", "placed"]);
  });

  test("in the open order", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    const panel = await open(page, orders[0]);
    await doubleClick(panel.getByRole("button", { name: "Start printing" }));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await doubleClick(panel.getByRole("button", { name: "Mark printed" }));
    expect(await statesOf(page, orders)).toEqual(["printed", "placed"]);
    expect(await isOnDisk(storefront.store, orders[0].fileId)).toBe(true);
    await closePanel(page, orders[0]);
  });

  test("with several orders selected", async () => {
    const [page, orders] = [board.page(), board.take(3)];
    for (const { number } of orders.slice(0, 2)) await page.getByLabel(`Select order ${number}`).check();
    await doubleClick(page.getByRole("button", { name: "Start printing (2)" }));
    expect(await statesOf(page, orders)).toEqual(["printing", "printing", "placed"]);
  });

  test("in the table", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    await page.keyboard.press("t");
    await page.getByRole("table", { name: "Orders" }).waitFor();
    await doubleClick(step(page, "Start printing", orders[0]));
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Placed" }).click();
    await orderButton(page, orders[0].number).waitFor({ state: "detached" });
    await doubleClick(step(page, "Start printing", orders[1] as PlacedOrder));
    expect(await statesOf(page, orders)).toEqual(["printing", "printing"]);
    // No card of it is on the screen, which would have the note of its move.
    const notice = page.getByRole("alert").filter({ hasText: `Order ${orders[1]?.number} is printing` });
    await doubleClick(notice.getByRole("button", { name: "Undo" }));
    await notice.waitFor({ state: "detached" });
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
  });
});

describe("on the board", () => {
  const board = boardWith(14);

  test("a button that changes under the mouse ignores clicks until the mouse has moved", async () => {
    const [page, orders] = [board.page(), board.take(1)];
    const panel = await open(page, orders[0]);
    await doubleClick(panel.getByRole("button", { name: "Start printing" }));
    // Not by waitFor, before which the mouse would be moved off the cover.
    await expect.poll(() => page.locator("button[aria-disabled=true]").count()).toBe(0);
    await page.mouse.down();
    await page.mouse.up();
    await answersCome(page);
    expect(await statesOf(page, orders)).toEqual(["printing"]);
    await markPrinted(page, orders[0]);
  });

  test("a press meant for a step that somebody else has just made is ignored, by mouse and by keyboard", async () => {
    const [page, orders] = [board.page(), board.take(1)];
    const panel = await open(page, orders[0]);
    await panel.getByRole("button", { name: "Start printing" }).focus();
    // As fast as can be: in the moment in which the button's name changes.
    const pressed = await panel.getByRole("button", { name: "Start printing" }).evaluateHandle((button) => ({
      name: new Promise<string | null>((resolve) => {
        new MutationObserver(() => {
          const { left, top, width, height } = button.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          if (hit instanceof HTMLElement) hit.click();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
          resolve(button.textContent);
        }).observe(button, { subtree: true, characterData: true, childList: true });
      }),
    }));
    await moveTo(admin.visitor, orders[0].id, "printing");
    expect(await pressed.evaluate(({ name }) => name)).toBe("Mark printed");
    await answersCome(page);
    expect(await statesOf(page, orders)).toEqual(["printing"]);
    await markPrinted(page, orders[0]);
  });

  test("so is one on the card of somebody at the counter, which stays where it is", async () => {
    const page = board.page();
    const order = await board.takeAtCounter();
    const counter = page.getByRole("region", { name: /^At the counter/ });
    await orderButton(page, order.number).focus();
    const pressed = await counter.evaluateHandle((region, number) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const name = `Mark printed: order ${number}`;
      const observer = new MutationObserver(() => {
        const button = region.querySelector(`[aria-label="${name}"]`);
        if (!button) return;
        observer.disconnect();
        const { left, top, width, height } = button.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        if (hit instanceof HTMLElement) hit.click();
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
        resolve(document.activeElement?.textContent === number);
      });
      observer.observe(region, { subtree: true, childList: true });
      return { promise };
    }, order.number);
    await moveTo(admin.visitor, order.id, "printing");
    expect(await pressed.evaluate(({ promise }) => promise)).toBe(true);
    await answersCome(page);
    expect(await statesOf(page, [order])).toEqual(["printing"]);
    await step(page, "Mark printed", order).click();
    await step(page, "Back to printing", order).waitFor();
    expect(await statesOf(page, [order])).toEqual(["printed"]);
  });

  test("a double click on 'Record payment' records one payment", async () => {
    const [page, orders] = [board.page(), board.take(1)];
    const panel = await open(page, orders[0]);
    await doubleClick(panel.getByRole("button", { name: "Take payment" }));
    await doubleClick(panel.getByRole("button", { name: "Record payment" }));
    await panel.getByText(/^Paid, /).waitFor();
    await statesOf(page, orders);
    const rows = await storefront.store.deps.readDb
      .selectFrom("payments")
      .innerJoin("orders", "orders.id", "payments.order_id")
      .select(["payments.kind", "payments.amount_paise", "orders.total_paise", "orders.paid_paise"])
      .where("order_id", "=", orders[0].id)
      .execute();
    const total = rows[0]?.total_paise;
    expect(rows).toEqual([{ kind: "payment", amount_paise: total, total_paise: total, paid_paise: total }]);
    await closePanel(page, orders[0]);
  });

  test("holding Enter moves an order by one step", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    const panel = await open(page, orders[0]);
    await panel.getByRole("button", { name: "Start printing" }).focus();
    const { endFirst, goOn } = await stopTheSecond(page);
    await page.keyboard.down("Enter");
    await panel.getByRole("button", { name: "Mark printed" }).waitFor();
    // The second of the key begins again with each repeat, so that of the button, which ends, is the first one.
    await page.keyboard.down("Enter");
    await page.locator("button[aria-disabled=true]").first().waitFor();
    await endFirst();
    await page.locator("button[aria-disabled=true]").first().waitFor({ state: "detached" });
    for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await goOn();
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await closePanel(page, orders[0]);
  });

  test("holding M moves an order by one step", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    await orderButton(page, orders[0].number).focus();
    await page.keyboard.down("m");
    await column(page, "Printing").getByText(orders[0].number).waitFor();
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down("m");
    await page.keyboard.up("m");
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
  });

  test("Enter pressed twice on its next step moves an order by one step", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    const panel = await open(page, orders[0]);
    await panel.getByRole("button", { name: "Start printing" }).focus();
    const { goOn } = await stopTheSecond(page);
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Mark printed" }).waitFor();
    await page.keyboard.press("Enter");
    await goOn();
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await closePanel(page, orders[0]);
  });

  test("M pressed twice on an open order moves it by one step", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    await open(page, orders[0]);
    await orderButton(page, orders[0].number).focus();
    const { goOn } = await stopTheSecond(page);
    await page.keyboard.press("m");
    await column(page, "Printing").getByText(orders[0].number).waitFor();
    await page.keyboard.press("m");
    await goOn();
    expect(await statesOf(page, orders)).toEqual(["printing", "placed"]);
    await closePanel(page, orders[0]);
  });

  test("M pressed twice while the focus moves on to the next order moves the first by one step", async () => {
    const [page, orders] = [board.page(), board.take(3)];
    await orderButton(page, orders[0].number).focus();
    const { goOn } = await stopTheSecond(page);
    await page.keyboard.press("m");
    await column(page, "Printing").getByText(orders[0].number).waitFor();
    await page.keyboard.press("m");
    await goOn();
    expect(await statesOf(page, orders)).toEqual(["printing", "placed", "placed"]);
  });
});

describe("marking as printed by mistake can be undone", () => {
  const board = boardWith(6);

  async function printedBy(act: (page: Page, order: PlacedOrder) => Promise<void>): Promise<void> {
    const page = board.page();
    const [order] = board.take(1);
    await moveTo(admin.visitor, order.id, "printing");
    await column(page, "Printing").getByText(order.number).waitFor();
    await step(page, "Mark printed", order).click();
    await column(page, "Printed").getByText(order.number).waitFor();
    await act(page, order);
    await column(page, "Printing").getByText(order.number).waitFor();
    expect(await statesOf(page, [order])).toEqual(["printing"]);
    expect(await isOnDisk(storefront.store, order.fileId)).toBe(true);
  }

  test("from the note in its place, which says how long the files are kept, even by a double click", async () => {
    await printedBy(async (page, order) => {
      const notice = page.getByRole("listitem").filter({ hasText: `${order.number} moved to Printed` });
      await notice.getByText(/Its files will be deleted at \d/).waitFor();
      await doubleClick(notice.getByRole("button", { name: "Undo" }));
    });
  });

  test("from its card", async () => {
    await printedBy((page, order) => step(page, "Back to printing", order).click());
  });

  test("by keyboard", async () => {
    await printedBy(async (page, order) => {
      await step(page, "Back to printing", order).waitFor();
      await orderButton(page, order.number).focus();
      await page.keyboard.press("u");
    });
  });

  test("for several orders at once", async () => {
    const [page, orders] = [board.page(), board.take(2)];
    for (const { id } of orders) await moveTo(admin.visitor, id, "printing");
    for (const { number } of orders) await column(page, "Printing").getByText(number).waitFor();
    for (const { number } of orders) await page.getByLabel(`Select order ${number}`).check();
    await page.getByRole("button", { name: "Mark printed (2)" }).click();
    const notice = page.getByRole("listitem").filter({ hasText: "2 orders moved to Printed" });
    await notice.getByRole("button", { name: "Undo" }).click();
    for (const { number } of orders) await column(page, "Printing").getByText(number).waitFor();
    expect(await statesOf(page, orders)).toEqual(["printing", "printing"]);
  });

  test("from the open order, which says when its files are deleted", async () => {
    await printedBy(async (page, order) => {
      const panel = await open(page, order);
      await panel.getByText(/^Will be deleted at \d/).waitFor();
      await panel.getByRole("button", { name: "Back to printing" }).click();
      await panel.getByText(/^Will be deleted at \d/).waitFor({ state: "detached" });
    });
  });
});

test("ten minutes after login a refund or the cancellation of a paid order asks for the password, and a refund whose answer is lost is recorded once", async () => {
  const { store } = storefront;
  const shop = await shownShop(admin.visitor);
  const owner = await signedInOwner(store, [shop.id]);
  const order = await placeOrder(store, shop.id);
  // The confirmation renews the session token, which the visitor does not have.
  expectDone(await payInFull(admin.visitor, order.id));
  const page = await visitBoard(storefront, owner, {
    path: `/admin/orders?order=${order.id}`,
    // What is asked for while a confirmation renews the session is asked for again.
    refused: ["payments.reverse", "payments.refund", "board.cancel", "401"],
  });
  await page.setViewportSize({ width: 1366, height: 768 });
  const question = page.getByRole("dialog", { name: "Confirm it is you" });
  const confirm = async () => {
    await question.getByLabel("Your password").fill(owner.person.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await question.waitFor({ state: "hidden" });
  };

  store.clock.advance({ minutes: 10 });
  const reverse = panelOf(page, order).getByRole("button", { name: /^Reverse/ });
  const takeBack = panelOf(page, order).getByRole("button", { name: "Record reversal" });
  await reverse.click();
  await takeBack.click();
  await question.getByLabel("Your password").press("Escape");
  await page.getByText("Please confirm your identity and try again").waitFor();
  await panelOf(page, order)
    .getByText(/^Paid, /)
    .waitFor();
  await takeBack.click();
  await confirm();
  await page.getByText(/^The payment of ₹[\d.]+ for order .* is reversed$/).waitFor();
  await reverse.waitFor({ state: "detached" });

  expectDone(await takeCash(admin.visitor, order.id, 100));
  const { totalPaise } = await seenByStaff(admin.visitor, order.id);
  expectDone(await takeByUpi(admin.visitor, order.id, totalPaise - 100));
  await panelOf(page, order)
    .getByText(/^Paid, /)
    .waitFor();
  const amountPaise = await makeCheaper(order);
  await panelOf(page, order)
    .getByText(/^Refund outstanding, /)
    .waitFor();
  store.clock.advance({ minutes: 10 });
  await panelOf(page, order).getByRole("button", { name: "Refund" }).click();
  const refund = panelOf(page, order).getByRole("form", { name: "Refund" });
  expect(await refund.getByLabel("Amount in rupees").inputValue()).toBe(String(toRupees(amountPaise)));
  await refund.getByLabel("Reason").fill("Two pages fewer");
  await refund.getByRole("button", { name: "Record refund" }).click();
  await question.waitFor();
  await page.route("**/api/trpc/payments.refund?*", loseAnswer, { times: 1 });
  await confirm();
  await refund.getByText("The store cannot be reached").waitFor();
  await refund.getByRole("button", { name: "Record refund" }).click();
  await page.getByText(`of order ${order.number} refunded`).waitFor();
  const { payments } = await seenByStaff(admin.visitor, order.id);
  const refunded = { method: "upi", amountPaise: -amountPaise, reason: "Two pages fewer" };
  expect(payments.filter(({ kind }: { kind: string }) => kind === "refund")).toEqual([
    expect.objectContaining(refunded),
  ]);

  store.clock.advance({ minutes: 10 });
  await panelOf(page, order).getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: `Cancel order ${order.number}` });
  await dialog.getByLabel("Reason").fill("The paper ran out");
  await dialog.getByRole("button", { name: "Cancel the order" }).click();
  await question.waitFor();
  await confirm();
  await page.getByText(`Order ${order.number} is cancelled.`).waitFor();
});

/** The student gives one page instead of three for an order on hold. Returns how much cheaper it is. */
async function makeCheaper({ id: orderId, fileId, visitor }: PlacedOrder): Promise<number> {
  expectDone(await admin.visitor.mutate("holds.hold", { orderId, reason: "Pages 2 and 3 are blank" }));
  const { hold } = await seenByStudent(visitor, orderId);
  const files = [{ fileId, fileUrl: await uploadPages(visitor, 1) }];
  const wished = { orderId, holdId: hold.id, files };
  const { before, after } = expectDone(await visitor.query("holds.quote", wished));
  expectDone(await visitor.mutate("holds.change", { ...wished, expectedTotalPaise: after.totalPaise }));
  return before.totalPaise - after.totalPaise;
}
