import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, type MockInstance, onTestFinished, vi } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startTestStore, type TestStore } from "./test-store.ts";

interface VisitOptions extends BrowserContextOptions {
  /** Procedures or paths that are expected to fail in this visit, because Chromium logs their status in the console. */
  refused?: string[];
}

export interface Storefront {
  readonly store: TestStore;
  /** Opens a page in a browser window that no visit uses. An error or warning in its console fails the test. */
  visit(path: string, options?: VisitOptions): Promise<Page>;
}

/** A browser context with its page, and the calls after which it cannot be emptied for the next test. */
interface BrowserWindow {
  context: BrowserContext;
  page: Page;
  devTools: CDPSession;
  lasting: MockInstance[];
}

/** One browser for all files of this process, which ends with it. */
let browser: Promise<Browser> | undefined;

async function runningBrowser(): Promise<Browser> {
  const running = await browser?.catch(() => undefined);
  if (running?.isConnected()) return running;
  browser = launchBrowser();
  return browser;
}

/** The built store and a real browser, for the tests of one file. */
export function openStorefront(env: Record<string, string> = {}): Storefront {
  let store: TestStore;
  /** Emptied windows; their process and its compiled scripts make the next visit three times as fast. */
  const idle: BrowserWindow[] = [];
  beforeAll(async () => {
    [store] = await Promise.all([startTestStore(env), runningBrowser()]);
  });
  afterAll(async () => {
    await Promise.all(idle.splice(0).map(({ context }) => context.close()));
    await store?.stop();
  });
  return {
    get store() {
      return store;
    },
    async visit(path, { refused = [], ...options } = {}) {
      const canReuse = isReusable(options);
      const window = (canReuse && idle.pop()) || (await openWindow(store.url, options));
      const { context, page } = window;
      const complaints = watchConsole(page, refused);
      onTestFinished(async ({ task }) => {
        if (canReuse && task.result?.state === "pass" && (await empty(window))) idle.push(window);
        else await context.close();
        expect(complaints, "errors and warnings in the browser's console").toEqual([]);
      });
      if (canReuse) await prepare(window, options);
      await page.goto(path);
      return page;
    },
  };
}

async function openWindow(baseURL: string, options: BrowserContextOptions): Promise<BrowserWindow> {
  const running = await runningBrowser();
  const context = await running.newContext({ baseURL, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  // A person would move the mouse before pressing something else in the same place.
  await page.addLocatorHandler(page.locator("[data-press-guard]"), () => page.mouse.move(0, 0));
  const devTools = await context.newCDPSession(page);
  const lasting = [
    vi.spyOn(context, "newCDPSession"),
    vi.spyOn(page, "addInitScript"),
    vi.spyOn(page, "exposeFunction"),
    vi.spyOn(page.clock, "install"),
  ];
  return { context, page, devTools, lasting };
}

/** Whether these options can be given to a window that is open already. */
function isReusable({
  viewport,
  colorScheme,
  reducedMotion,
  storageState,
  ...others
}: BrowserContextOptions) {
  return (
    Object.keys(others).length === 0 && typeof storageState !== "string" && !storageState?.origins.length
  );
}

async function prepare({ context, page }: BrowserWindow, options: BrowserContextOptions): Promise<void> {
  const { viewport, colorScheme = "light", reducedMotion = "reduce", storageState } = options;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme, reducedMotion });
  if (typeof storageState === "object") await context.addCookies(storageState.cookies);
}

const LISTENED_TO = [
  "request",
  "requestfinished",
  "requestfailed",
  "response",
  "console",
  "pageerror",
  "dialog",
] as const;

/** Leaves nothing of a visit in its window but the files that the browser has cached; false if that cannot be. */
async function empty({ context, page, devTools, lasting }: BrowserWindow): Promise<boolean> {
  if (page.isClosed() || lasting.some(({ mock }) => mock.calls.length > 0)) return false;
  for (const other of context.pages()) if (other !== page) await other.close();
  context.removeAllListeners("page");
  for (const event of LISTENED_TO) page.removeAllListeners(event);
  await context.setOffline(false);
  await Promise.all([context.unrouteAll(), page.unrouteAll()]);
  // A page of the same origin, so that its storage can be reached and its process goes on, and without scripts.
  await page.goto("/robots.txt");
  await page.evaluate(() => sessionStorage.clear());
  await devTools.send("Storage.clearDataForOrigin", {
    origin: new URL(page.url()).origin,
    storageTypes: "all",
  });
  await context.clearCookies();
  return true;
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
