import type { Page } from "playwright-core";
import type { StaffPerson } from "../factories/staff.ts";
import { sessionOf } from "../setup/staff-console.ts";
import type { Storefront } from "../setup/storefront.ts";

type VisitOptions = Parameters<Storefront["visit"]>[1];

/** The order queue in a window of its own, once it follows what happens. */
export async function visitBoard(
  storefront: Storefront,
  { visitor }: StaffPerson,
  { path = "/admin/orders", ...options }: VisitOptions & { path?: string } = {},
): Promise<Page> {
  const page = await storefront.visit(path, { ...sessionOf(visitor), ...options });
  await status(page, "Live").waitFor();
  return page;
}

export function status(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}

export function column(page: Page, name: "Placed" | "Printing" | "Printed" | "Dispatched") {
  return page.getByRole("region", { name: new RegExp(`^${name} \\d`) });
}

/** The button by which an order on the board or in the table is known, focused and opened. */
export function orderButton(page: Page, number: string) {
  return page.getByRole("button", { name: number, exact: true });
}

/** The numbers of the orders in this part of the screen, from the top. */
export function numbersIn(part: ReturnType<Page["locator"]>): Promise<string[]> {
  return part.locator("[data-order-id]").allInnerTexts();
}

/** The order that has the focus. */
export function focusedNumber(page: Page): Promise<string> {
  return page.locator("[data-order-id]:focus").innerText();
}

/** Presses keys one after the other, each once what the one before did is drawn; to move on, once it takes that again. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    if (key === "m") await page.locator("button[aria-disabled=true]").first().waitFor({ state: "detached" });
    await page.keyboard.press(key);
  }
}
