import type { Page } from "playwright-core";

/**
 * Opens another screen in a console that is open, without loading the page again. What is typed and not saved is dropped
 * without a question.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path);
}
