import { unpackBrowser } from "./browser.ts";

/** Vitest's global setup of the browser tests: unpacking takes seconds that no test should be charged for. */
export async function setup(): Promise<void> {
  await unpackBrowser();
}
