import { unpackBrowser } from "./browser.ts";

/** Vitest's global setup for the browser tests: unpacking takes seconds, which should not count as a test's time. */
export async function setup(): Promise<void> {
  await unpackBrowser();
}
