import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

// Double-clicks every button of every console screen and of its dialogs.

const storefront = openStorefront();

/** A shop with data for every screen: an order in each state, a person, an invitation and a message. */
async function busyShop() {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const shop = await shownShop(admin.visitor, undefined, { upiId: "asha.rao@okbank" });
  const owner = await signedInOwner(store, [shop.id]);
  const first = await placeOrder(store, shop.id);
  const orders = [first];
  for (const state of ["printing", "printed", "dispatched"] as const) {
    const order = await placeAnother(first.visitor, first.student, shop.id);
    await moveTo(admin.visitor, order.id, state);
    orders.push(order);
  }
  expectDone(
    await owner.visitor.mutate("staff.invite", {
      email: newStudent().email,
      role: "counter",
      shopIds: [shop.id],
    }),
  );
  const message = { ...newStudent(), subject: "Hours", message: "When do you open?" };
  await store.visitor().post("/api/v1/users/contactus", message);
  return { shop, orders, admin, owner };
}

const BOARD = ["/orders", "/orders?order=ORDER", "/orders?view=table"];
const OF_SHOP = ["/people", "/audit", "/stats", "/shops/ID", "/shops/ID/prices", "/security"];
const OF_STORE = [...OF_SHOP, "/messages", "/mails", "/seeding", "/shops/new", "/shops"];

test.each([
  ["an admin", "admin", OF_STORE],
  // Counter staff see the board without what changes money: less than the owner, and nothing else.
  ["an owner", "owner", BOARD],
] as const)(
  "%s can press every button twice without breaking anything or losing a file of an unprinted order",
  { timeout: 900_000 },
  async (_role, role, screens) => {
    const shop = await busyShop();
    const page = await openConsole(shop[role]);
    const pressed = new Set<string>();
    const paths = screens.flatMap((screen) =>
      (screen.includes("ORDER") ? shop.orders : shop.orders.slice(0, 1)).map(
        ({ id }) => `/admin${screen.replace("ORDER", id).replace("ID", shop.shop.id)}`,
      ),
    );
    for (const path of paths) await pressAllOf(page, path, pressed);
    // Everything is asked for again, after all that was pressed.
    await page.reload();
    for (const path of paths) await drawAnew(page, path);
    // A walk that found no buttons would prove nothing.
    expect(pressed.size).toBeGreaterThan(screens.length * 3);
    expect(await lostFiles(shop.orders.map(({ id }) => id))).toEqual([]);
  },
);

/** Deleted files of orders that have not been printed. */
function lostFiles(orderIds: string[]) {
  return storefront.store.deps.readDb
    .selectFrom("orders")
    .innerJoin("order_files", "order_files.order_id", "orders.id")
    .innerJoin("files", "files.id", "order_files.file_id")
    .select(["orders.number", "orders.state"])
    .where("orders.id", "in", orderIds)
    .where("orders.state", "in", ["placed", "printing"])
    .where("files.deleted_at", "is not", null)
    .execute();
}

async function openConsole({ visitor }: StaffPerson): Promise<Page> {
  // The browser logs every refused request; refusals are expected here.
  const page = await storefront.visit("/admin/security", { ...sessionOf(visitor), refused: ["/"] });
  await page.setViewportSize({ width: 1366, height: 768 });
  page.on("response", (response) => {
    expect.soft(response.status(), `${page.url()}: ${response.url()}`).toBeLessThan(500);
  });
  page.on("dialog", (dialog) => dialog.accept());
  page.on("filechooser", () => {});
  page.context().on("page", (other) => other.close());
  page.on("crash", () => expect.soft(page.url(), "the page crashed").toBe(""));
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/**
 * Presses one button of each kind that the screen has or comes to have. The screen is drawn anew where a press led elsewhere,
 * and once all are pressed.
 */
async function pressAllOf(page: Page, path: string, done: Set<string>): Promise<void> {
  await drawAnew(page, path);
  for (let isFresh = true; ; ) {
    const next = await firstOf(page.locator("body"), done, path);
    if (!next && isFresh) return;
    if (next) await pressTwice(next);
    const dialog = page.getByRole("dialog").last();
    const inDialog = new Set<string>([" Close"]);
    while (await dialog.isVisible()) {
      const inner = await firstOf(dialog, inDialog, "");
      if (!inner) break;
      await pressTwice(inner);
    }
    await expectNoFailure(page, path);
    await closeDialog(dialog);
    isFresh = !next || !page.url().endsWith(path) || (await dialog.isVisible());
    if (isFresh) await drawAnew(page, path);
  }
}

async function drawAnew(page: Page, path: string): Promise<void> {
  await openScreen(page, "/admin/nowhere");
  await page.getByText("Page not found").waitFor();
  await openScreen(page, path);
  await page.getByText("Page not found").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await answersCome(page);
  await expectNoFailure(page, path);
}

async function expectNoFailure(page: Page, path: string): Promise<void> {
  const failures = page.getByRole("heading", { name: /could not be loaded|went wrong/ });
  expect.soft(await failures.count(), path).toBe(0);
}

/** Closes this dialog by Escape, which spares loading the screen anew; some dialogs ask first, and stay. */
async function closeDialog(dialog: Locator): Promise<void> {
  if (!(await dialog.isVisible())) return;
  const page = dialog.page();
  const lastOne = page.getByRole("dialog").nth((await page.getByRole("dialog").count()) - 1);
  await page.keyboard.press("Escape");
  await lastOne.waitFor({ state: "detached", timeout: 1000 }).catch(() => {});
  await answersCome(page);
}

/**
 * The first button that can be pressed of a kind that was not; its kind is its name without what counts or names things.
 * Those of the layout are pressed on one screen, those of the board beside one order, and those of an order beside the first
 * that has them.
 */
async function firstOf(within: Locator, done: Set<string>, path: string): Promise<Locator | null> {
  const buttons = within.getByRole("button", { disabled: false });
  const found = await buttons.evaluateAll((elements) =>
    elements.map((element) => {
      const label = element.getAttribute("aria-label");
      // Each row has the same buttons, whose labels end with what the row is about, or is one, with all that it says.
      const row = element.childElementCount > 1 ? "a row" : null;
      const ofRow = element.closest("li") && (label?.match(/^[^:]+(?=:)|^\S+/)?.[0] ?? row);
      return {
        name: element.checkVisibility() ? (ofRow ?? label ?? element.textContent ?? "") : "",
        isOfOrder: element.closest("aside") !== null,
        isOfLayout: element.closest("header, nav, aside")?.matches("header, nav") ?? false,
      };
    }),
  );
  for (const [place, { name, isOfOrder, isOfLayout }] of found.entries()) {
    const part = isOfOrder ? "order" : isOfLayout ? "" : path.replace(/[?]order=.*/, "");
    const kind = name.replace(/\S*[\d@]\S*/g, "…");
    if (!kind || done.has(`${part} ${kind}`)) continue;
    done.add(`${part} ${kind}`);
    if (kind !== "Log out") return buttons.nth(place);
  }
  return null;
}

/** Clicks twice at the same position, whatever is there the second time. */
async function pressTwice(button: Locator): Promise<void> {
  const page = button.page();
  // What the press before has led to may have taken it away.
  if ((await button.count()) === 0) return;
  await button.scrollIntoViewIfNeeded({ timeout: 5000 }).catch(() => {});
  const box = await button.boundingBox({ timeout: 5000 }).catch(() => null);
  if (!box) return;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 2 });
  await answersCome(page);
}
