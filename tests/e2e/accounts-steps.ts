import type { Locator, Page } from "playwright-core";

/** The error of the field with this label, as read by a screen reader; null if it is valid. */
export async function fieldErrorOf(page: Page, label: string): Promise<string | null> {
  const field = page.getByLabel(label, { exact: true });
  if ((await field.getAttribute("aria-invalid")) !== "true") return null;
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  return texts.join(" ");
}

/** What a browser or password manager takes each field of a form for. */
export function filledInBy(form: Locator): Promise<(string | null)[]> {
  return form
    .locator("input:not([type=checkbox])")
    .evaluateAll((fields) => fields.map((field) => field.getAttribute("autocomplete")));
}

/** The label of the focused field. */
export function focusedLabel(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement ? field.labels?.[0]?.textContent?.trim() : undefined;
  });
}

/** Presses Enter in the focused field once the page's script handles it. */
export async function pressEnter(page: Page): Promise<void> {
  await page.locator("form:focus-within button[type=submit]:enabled").waitFor();
  await page.keyboard.press("Enter");
}

export function button(page: Page, name: string) {
  return page.getByRole("main").getByRole("button", { name, exact: true });
}

export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}
