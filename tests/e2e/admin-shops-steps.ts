import type { Locator, Page } from "playwright-core";

/** The table with this label in the price list. */
export function priceList(page: Page, list: string): Locator {
  return page.getByRole("list", { name: list, exact: true });
}

/** A cell in the blank row of a list. */
export function cell(page: Page, list: string, column: "Name" | "Price in rupees"): Locator {
  return page.getByRole("textbox", { name: `${column} of a new option, ${list}` });
}

/** Pastes spreadsheet cells into the blank row of a list. */
export async function pasteInto(page: Page, list: string, text: string): Promise<void> {
  await cell(page, list, "Name").evaluate((input, pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

export async function savePrices(page: Page): Promise<void> {
  // Under a dialog no shortcut works.
  await page.locator("[role=dialog][aria-modal=true]").waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  await page.getByText("All changes saved").waitFor();
}

/** The option names in a list's fields. */
export async function namesIn(page: Page, list: string): Promise<string[]> {
  const fields = await priceList(page, list).locator('[data-column="name"]').all();
  const names = await Promise.all(fields.map((field) => field.inputValue()));
  return names.filter(Boolean);
}
