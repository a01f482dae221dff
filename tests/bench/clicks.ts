import type { Browser, Locator, Page } from "playwright-core";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { readArguments } from "../../scripts/arguments.ts";
import { type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { launchBrowser, sessionOf } from "../setup/browser.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

// npm run clicks: counts what a clerk in the console clicks and types for one order, from its arrival to the hand-over with the
// money, and how many cards are in sight.

const LEGEND = `
clicks   presses of the mouse. The browser's own print dialog, which opens after Print, is not counted: it takes one Enter, or
         none where the browser prints at once (Chrome with --kiosk-printing).
keys     keys that are pressed, with the four digits of a pickup code and the Enter after them.
seconds  what the machine takes from the moment the student has placed the order to the moment the console says that it is
         handed over; the clerk of this program does not think and does not walk to the printer.
cards    orders that are wholly in sight when the console is opened with 25 waiting orders.
`;

const ORDERS = 25;
const DESK = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

/** A clerk at the console, whose presses are counted. */
class Clerk {
  clicks = 0;
  keys = 0;
  readonly steps: string[] = [];
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(button: Locator, name: string): Promise<void> {
    await button.click();
    this.clicks++;
    this.steps.push(name);
  }

  async press(...keys: string[]): Promise<void> {
    // Faster than a person types, the console takes letters for a scanner's.
    for (const key of keys) await this.page.keyboard.press(key, { delay: 50 });
    this.keys += keys.length;
    this.steps.push(...keys);
  }

  async type(digits: string): Promise<void> {
    await this.page.keyboard.type(digits);
    this.keys += digits.length;
    this.steps.push("the code");
  }
}

interface Arrived {
  number: string;
  code: string;
}

type Journey = (clerk: Clerk, order: Arrived) => Promise<void>;

const column = (page: Page, state: string) => page.locator(`[data-column=${state}]`);
const cardIn = (page: Page, state: string, number: string) =>
  column(page, state).getByRole("button", { name: number, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

async function pickupByMouse(clerk: Clerk, { number, code }: Arrived): Promise<void> {
  const { page } = clerk;
  await clerk.click(page.getByRole("button", { name: `Print: order ${number}` }), "Print");
  await clerk.click(page.getByRole("button", { name: `Hand over now: order ${number}` }), "Hand over now");
  await dialog(page).getByLabel("Pickup code").waitFor();
  await clerk.type(code);
  await clerk.click(
    dialog(page).getByRole("button", { name: /^Hand over, ₹.* paid$/ }),
    "Hand over, ₹… paid",
  );
}

async function pickupByKeys(clerk: Clerk, { number, code }: Arrived): Promise<void> {
  const { page } = clerk;
  await clerk.press("j", "p");
  await cardIn(page, "printing", number).waitFor();
  await clerk.press("d");
  await dialog(page).getByLabel("Pickup code").waitFor();
  await clerk.type(code);
  await clerk.press("Enter");
}

async function deliveryByMouse(clerk: Clerk, { number }: Arrived): Promise<void> {
  const { page } = clerk;
  const step = (name: string) =>
    clerk.click(page.getByRole("button", { name: `${name}: order ${number}` }), name);
  for (const name of ["Print", "Mark printed", "Dispatch", "Mark delivered"]) await step(name);
  await clerk.click(
    dialog(page).getByRole("button", { name: /^Delivered, ₹.* paid$/ }),
    "Delivered, ₹… paid",
  );
}

async function deliveryByKeys(clerk: Clerk, { number }: Arrived): Promise<void> {
  const { page } = clerk;
  await clerk.press("j", "p");
  for (const state of ["printing", "printed", "dispatched"]) {
    await cardIn(page, state, number).waitFor();
    // A second press of M within a second counts as a double press.
    await page.locator("[data-moved]").waitFor({ state: "detached" });
    await clerk.press("m");
  }
  await dialog(page).waitFor();
  await clerk.press("Enter");
}

const JOURNEYS: [name: string, fulfilment: ChosenFulfilment, journey: Journey][] = [
  ["pickup, by mouse", "pickup", pickupByMouse],
  ["pickup, by keys", "pickup", pickupByKeys],
  ["delivery, by mouse", "delivery", deliveryByMouse],
  ["delivery, by keys", "delivery", deliveryByKeys],
];

async function openBoard(
  browser: Browser,
  store: TestStore,
  clerk: StaffPerson,
  viewport: typeof DESK,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: store.url, viewport, ...sessionOf(clerk.visitor) });
  const page = await context.newPage();
  // A person moves the mouse before pressing something else in the same place.
  await page.addLocatorHandler(page.locator("[data-press-guard]"), () => page.mouse.move(0, 0));
  // The tab with the print pack, which the clerk prints and closes.
  page.on("popup", (tab) => tab.on("download", () => void tab.close()));
  await page.goto("/admin/orders");
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  return page;
}

async function playJourneys(page: Page, place: (fulfilment: ChosenFulfilment) => Promise<PlacedOrder>) {
  const rows = [];
  for (const [name, fulfilment, journey] of JOURNEYS) {
    const order = await place(fulfilment);
    const clerk = new Clerk(page);
    const start = performance.now();
    await cardIn(page, "placed", order.number).waitFor();
    const arrived = performance.now();
    await journey(clerk, { number: order.number, code: await codeOf(order.id) });
    await page.getByText(new RegExp(`${order.number} is (handed over|delivered), ₹`)).waitFor();
    const end = performance.now();
    const { clicks, keys, steps } = clerk;
    rows.push({
      order: name,
      clicks,
      keys,
      "seconds until seen": seconds(arrived - start),
      "seconds until handed over": seconds(end - start),
    });
    console.log(`${name}: ${steps.join(" → ")}`);
    await column(page, "delivered").getByText(order.number).waitFor({ state: "attached" });
  }
  return rows;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

async function codeOf(id: string): Promise<string> {
  const { pickup_code } = await store.deps.readDb
    .selectFrom("orders")
    .select("pickup_code")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return pickup_code ?? "";
}

/** How many cards are wholly in sight, below the header. */
function countCards(page: Page): Promise<number> {
  return page.locator("li:has([data-order-id])").evaluateAll((cards) => {
    const top = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const isInSight = (card: Element) => {
      const box = card.getBoundingClientRect();
      return card.checkVisibility() && box.top >= top && box.bottom <= window.innerHeight;
    };
    return cards.filter(isInSight).length;
  });
}

readArguments("Usage: npm run clicks", {});
const [store, browser] = await Promise.all([startTestStore(), launchBrowser()]);
try {
  const admin = await signedInAdmin(store);
  const { id: shopId } = await shownShop(admin.visitor, undefined, { offersPickup: true });
  const clerk = await signedInCounter(store, [shopId]);
  const { visitor, student }: { visitor: ApiClient; student: Student } = await signedInStudent(store);
  const place = (fulfilment: ChosenFulfilment) => placeAnother(visitor, student, shopId, fulfilment);

  const page = await openBoard(browser, store, clerk, DESK);
  console.table(await playJourneys(page, place));
  await page.context().close();

  for (let order = 0; order < ORDERS; order++) await place(order % 3 === 0 ? "delivery" : "pickup");
  const sights = [];
  for (const viewport of [DESK, PHONE]) {
    const board = await openBoard(browser, store, clerk, viewport);
    await column(board, "placed").getByRole("listitem").first().waitFor();
    sights.push({ screen: `${viewport.width} × ${viewport.height}`, cards: await countCards(board) });
    await board.context().close();
  }
  console.table(sights);
  console.log(LEGEND);
} finally {
  await browser.close();
  await store.stop();
}
