import type { Page } from "playwright-core";

/** Holds the page's requests whose URL matches, like a slow network, until the returned function is called. */
export async function delayRequests(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Delays the page's own script. */
export function delayScript(page: Page): Promise<() => void> {
  return delayRequests(page, "**/assets/*.js");
}

/**
 * Waits until the script of a storefront page handles its links, buttons and fields; before that, links work as on a page
 * without scripts. Other pages have no such script.
 */
export async function scriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (!document.querySelector("script[type=module][src^='/assets/']")) return true;
    const controls = document.querySelectorAll("header a, :is(header, main) :is(button, input, select)");
    return [...controls].every((control) =>
      Object.keys(control).some((key) => key.startsWith("__reactProps")),
    );
  });
}
