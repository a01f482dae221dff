import type { Locator, Page } from "playwright-core";

/** The list of a price list with this label. */
export function priceList(page: Page, list: string): Locator {
  return page.getByRole("list", { name: list, exact: true });
}

/** A cell of the row where the next option of a list is typed. */
export function cell(page: Page, list: string, column: "Name" | "Price in rupees"): Locator {
  return page.getByRole("textbox", { name: `${column} of a new option, ${list}` });
}

/** Pastes what a spreadsheet puts on the clipboard into the new row of a list. */
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
  await page.keyboard.press("Control+S");
  await page.getByText("All changes saved").waitFor();
}

/** The names of a list's options, as the fields have them. */
export async function namesIn(page: Page, list: string): Promise<string[]> {
  const fields = await priceList(page, list).locator('[data-column="name"]').all();
  const names = await Promise.all(fields.map((field) => field.inputValue()));
  return names.filter(Boolean);
}
