import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { sessionOf } from "../setup/browser.ts";
import { drawn, openStorefront } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();
let clerk: StaffPerson;
let order: PlacedOrder;

beforeAll(async () => {
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const { id } = await shownShop(admin);
  clerk = await signedInCounter(storefront.store, [id]);
  order = await placeOrder(storefront.store, id);
  for (let count = 0; count < 5; count++) await placeAnother(order.visitor, order.student, id);
});

const tab = storefront.visitOnce("/admin/orders", () => sessionOf(clerk.visitor));

/** The buttons, links and fields that cannot be pressed, because a notice lies over them wherever one scrolls. */
function coveredByNotices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>("button, a, input, select, textarea")];
    const covered = controls.filter((control) => {
      if (control.closest("[role=alert]")) return false;
      control.scrollIntoView({ block: "end" });
      const { left, width, top, height } = control.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      return at?.closest("[data-position]") != null;
    });
    return covered.map((control) => control.getAttribute("aria-label") ?? control.innerText);
  });
}

test.each([
  [390, 844],
  [768, 1024],
  [1366, 768],
])("notices lie over no button, at %i × %i", async (width, height) => {
  const page = tab();
  await page.setViewportSize({ width, height });
  await openScreen(page, `/admin/orders?order=${order.id}`);
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Take payment" }).click();
  await page.getByLabel("Amount").fill("1");
  await page.getByRole("button", { name: "Record payment" }).click();
  const notice = page.getByRole("alert").filter({ hasText: `₹1.00 recorded for order ${order.number}` });
  // While the pointer is over it, it stays.
  await notice.hover();
  expect(await coveredByNotices(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(await coveredByNotices(page)).toEqual([]);
  await notice.getByRole("button").click();
  await notice.waitFor({ state: "detached" });
  const stripHeight = () =>
    page.evaluate(() => document.documentElement.style.getPropertyValue("--notices-height"));
  await expect.poll(stripHeight).toBe("0px");
});

test("a notice is seen however many failures wait to be closed, and one about a failure stays until it is", async () => {
  const page = tab();
  await openScreen(page, `/admin/orders?order=${order.id}`);
  let count = 0;
  await page.route("**/api/trpc/board.note*", (route) => {
    const message = `Refused for the ${++count}. time`;
    return route.fulfill({ json: [{ error: { code: -32029, message, data: { appCode: "RATE_LIMITED" } } }] });
  });
  await page.clock.install();
  await page.getByLabel("New note").fill("Blue cover");
  for (const time of [1, 2, 3, 4, 5, 6]) {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText(`Refused for the ${time}. time`).waitFor();
  }
  await page.clock.fastForward(10_000);
  await drawn(page);
  expect(await page.getByText("Refused for the 6. time").isVisible()).toBe(true);
});

test("a long notice can be read from its title to its end", async () => {
  const page = tab();
  await openScreen(page, `/admin/orders?order=${order.id}`);
  const orders = Array.from({ length: 5 }, (_, at) => `ORDER-${at} is Colour, Both sides, 70 GSM Copier, A4`);
  const message = `These orders need different printer settings: ${orders.join(". ")}`;
  await page.route("**/api/trpc/holds.hold*", (route) =>
    route.fulfill({ json: [{ error: { code: -32009, message, data: { appCode: "CONFLICT" } } }] }),
  );
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Put on hold" }).click();
  await panel.getByText("A page is cut off").click();
  await panel.getByRole("button", { name: "Put on hold" }).click();
  const notice = page.getByRole("alert").filter({ hasText: message });
  await notice.waitFor();
  expect(await notice.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
});

test("a refusal that comes again does not stand there twice, and is seen above the others", async () => {
  const page = tab();
  await openScreen(page, `/admin/orders?order=${order.id}`);
  const messages = ["Too many notes", "The store is busy", "Too many notes"];
  await page.route("**/api/trpc/board.note*", (route) =>
    route.fulfill({
      json: [{ error: { code: -32029, message: messages.shift(), data: { appCode: "RATE_LIMITED" } } }],
    }),
  );
  await page.getByLabel("New note").fill("Blue cover");
  const notices = page.getByRole("alert");
  const add = async () => {
    const answered = page.waitForResponse("**/api/trpc/board.note*");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await answered;
  };
  await add();
  await page.getByText("Too many notes").waitFor();
  await add();
  await page.getByText("The store is busy").waitFor();
  await add();
  await expect.poll(() => notices.first().innerText()).toContain("Too many notes");
  await drawn(page);
  expect(await notices.filter({ hasText: "Too many notes" }).count()).toBe(1);
});
