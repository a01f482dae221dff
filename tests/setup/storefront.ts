import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startTestStore, type TestStore } from "./test-store.ts";

interface VisitOptions extends BrowserContextOptions {
  /** Procedures or paths that are expected to fail in this visit, because Chromium logs their status in the console. */
  refused?: string[];
}

export interface Storefront {
  readonly store: TestStore;
  /** Opens a page in its own browser window. An error or warning in its console fails the test. */
  visit(path: string, options?: VisitOptions): Promise<Page>;
}

/** The built store and a real browser, for the tests of one file. */
export function openStorefront(env: Record<string, string> = {}): Storefront {
  let store: TestStore;
  let browser: Browser;
  beforeAll(async () => {
    [store, browser] = await Promise.all([startTestStore(env), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await store?.stop();
  });
  return {
    get store() {
      return store;
    },
    async visit(path, { refused = [], ...options } = {}) {
      const context = await browser.newContext({ baseURL: store.url, reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      const complaints = watchConsole(page, refused);
      // A person would move the mouse before pressing something else in the same place.
      await page.addLocatorHandler(page.locator("[data-press-guard]"), () => page.mouse.move(0, 0));
      onTestFinished(async () => {
        await context.close();
        expect(complaints, "errors and warnings in the browser's console").toEqual([]);
      });
      await page.goto(path);
      return page;
    },
  };
}

function watchConsole(page: Page, refused: string[]): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { url } = message.location();
    const isExpected =
      /status of 4\d\d|net::ERR_/.test(message.text()) &&
      refused.some((call) =>
        call.startsWith("/") ? url.includes(call) : url.split("?")[0]?.endsWith(`/api/trpc/${call}`),
      );
    if (!isExpected) complaints.push(`${message.text()} (${url})`);
  });
  return complaints;
}
