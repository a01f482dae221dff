import type { Page } from "playwright-core";

/** Delays the page's script, like a slow network, until the returned function is called. */
export async function delayScript(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Waits until the page's script handles clicks; before that, links work as on a page without scripts. */
export async function scriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith("__reactContainer")));
}
