import { setTimeout as sleep } from "node:timers/promises";
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

/** As long as Playwright waits for other things. */
const LIMIT_MS = 30_000;
const PAUSE_MS = 15;

/**
 * Waits until the script of a storefront page handles its links, buttons and fields; before that, links work as on a page
 * without scripts. Other pages have no such script.
 */
export async function scriptRuns(page: Page): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  // Not by waitForFunction, for which Playwright loads its own script into every page, a tenth of what a page costs.
  while (!(await page.evaluate(handlesInput).catch(unlessLeft))) {
    if (performance.now() > end) throw new Error(`The script of ${page.url()} does not run`);
    await sleep(PAUSE_MS);
  }
}

function handlesInput(): boolean {
  if (!document.querySelector("script[type=module][src^='/assets/']")) return true;
  const controls = document.querySelectorAll("header a, :is(header, main) :is(button, input, select)");
  return [...controls].every((control) => Object.keys(control).some((key) => key.startsWith("__reactProps")));
}

/** The page may lead to another at this moment, which is waited for as well. */
function unlessLeft(error: Error): false {
  if (error.message.includes("Execution context was destroyed")) return false;
  throw error;
}
