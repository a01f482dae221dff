import type { Page, Route } from "playwright-core";
import type { StaffPerson } from "../factories/staff.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, type Storefront } from "../setup/storefront.ts";

type VisitOptions = Parameters<Storefront["visit"]>[1];

/** Opens the board in its own window and waits for its live stream and its orders. */
export async function visitBoard(
  storefront: Storefront,
  { visitor }: StaffPerson,
  { path = "/admin/orders", ...options }: VisitOptions & { path?: string } = {},
): Promise<Page> {
  const page = await storefront.visit(path, { ...sessionOf(visitor), ...options });
  // As in a console that is opened over plain HTTP from another machine of the shop.
  await page.evaluate(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  await status(page, "Live").waitFor();
  await answersCome(page);
  return page;
}

export function status(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}

export function column(page: Page, name: "Placed" | "Printing" | "Printed" | "Dispatched") {
  return page.getByRole("region", { name: new RegExp(`^${name} \\d`) });
}

/** The button of an order on the board or in the table. */
export function orderButton(page: Page, number: string) {
  return page.getByRole("button", { name: number, exact: true });
}

/** Waits until Back closes what is open, or leaves the screen (src/ui/back-closes.ts). */
export async function backCloses(page: Page, isIt: boolean): Promise<void> {
  await page.waitForFunction((wanted) => (history.state?.layers ?? 0) > 0 === wanted, isIt);
}

/** The server answers, and the page does not hear it. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

/** The order numbers in this part of the screen, from the top. */
export function numbersIn(part: ReturnType<Page["locator"]>): Promise<string[]> {
  return part.locator("[data-order-id]").allInnerTexts();
}

/** The number of the focused order. */
export function focusedNumber(page: Page): Promise<string> {
  return page.locator("[data-order-id]:focus").innerText();
}

/** Somebody's rhythm: letters that follow one another faster are taken for those of a scanner. */
const KEY_MS = 50;

/** Presses keys one after another, each after the screen shows the effect of the one before and accepts moves again. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    if (key === "m" || key === "p")
      await page.locator("button[aria-disabled=true]").first().waitFor({ state: "detached" });
    await page.keyboard.press(key, { delay: KEY_MS });
  }
}
