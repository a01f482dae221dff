import type { Page } from "playwright-core";

/** Keeps the pages' script back, as a slow network does, until the answered function is called. */
export async function holdScript(page: Page): Promise<() => void> {
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

/** From then on the page's script heeds what is clicked; before, a link is one as on a page without scripts. */
export async function scriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith("__reactContainer")));
}
