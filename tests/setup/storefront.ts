import { setTimeout as sleep } from "node:timers/promises";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
  Request,
} from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { IGNORE_PRESS_MS } from "#ui/double-press.ts";
import { launchBrowser } from "./browser.ts";
import { startTestStore, type TestStore } from "./test-store.ts";

interface VisitOptions extends BrowserContextOptions {
  /**
   * Procedures or paths that are expected to fail in this visit, because Chromium logs their status in the console; "401" for any
   * call that comes without a session, as one under way while a confirmation renews it.
   */
  refused?: string[];
}

export interface Storefront {
  readonly store: TestStore;
  /** Opens a page in a browser window that no visit uses. An error or warning in its console fails the test. */
  visit(path: string, options?: VisitOptions): Promise<Page>;
  /** Opens one page for all tests of a file or a describe block that do not disturb each other in it. */
  visitOnce(path: string, options?: VisitOptions | (() => VisitOptions)): () => Page;
}

/** A browser context with its page, and whether something was called after which it cannot be emptied for the next test. */
interface BrowserWindow {
  context: BrowserContext;
  page: Page;
  devTools: CDPSession;
  /** Those of the test; what they emulate ends with them. */
  sessions: CDPSession[];
  device: string;
  isAltered: boolean;
}

/** A limit ends what hangs: on a machine with much else to do, the first page of a new browser takes more than half a minute. */
const LIMIT_MS = 90_000;
/** What has not left by then is closed instead, which costs the next visit a second. */
const LEAVING_MS = 10_000;

/** One browser for all files of this process, which ends with it. */
let browser: Promise<Browser> | undefined;
/** Emptied windows of all files of this process; their compiled scripts make the next visit three times as fast. */
const idle: BrowserWindow[] = [];
/** The port of all stores of this process, one after another, so that windows know the files of the next one's pages. */
let port = "0";

/** The browser of this process, started if none runs. */
export async function runningBrowser(): Promise<Browser> {
  const running = await browser?.catch(() => undefined);
  if (running?.isConnected()) return running;
  idle.length = 0;
  browser = launchBrowser();
  return browser;
}

/** The built store and a real browser, for the tests of one file. */
export function openStorefront(env: Record<string, string> = {}): Storefront {
  let store: TestStore;
  beforeAll(async () => {
    [store] = await Promise.all([startAtSamePort(env), runningBrowser()]);
  });
  afterAll(() => store?.stop());
  return {
    get store() {
      return store;
    },
    async visit(path, options) {
      const { page, leave } = await enter(store.url, options);
      onTestFinished(({ task }) => leave(task.result?.state === "pass"));
      // An emptied window is at a page without scripts already.
      if (page.url() !== store.url + path) await page.goto(path);
      return page;
    },
    visitOnce(path, options) {
      let entered: Awaited<ReturnType<typeof enter>>;
      beforeAll(async () => {
        entered = await enter(store.url, typeof options === "function" ? options() : options);
        await entered.page.goto(path);
      });
      afterAll(() => entered?.leave(true));
      return () => entered.page;
    },
  };
}

/** A window that no visit uses, and the end of the visit, which says whether the window may be used again. */
async function enter(baseURL: string, { refused = [], ...options }: VisitOptions = {}) {
  const canReuse = isReusable(options);
  const window = (canReuse && takeIdle(options)) || (await openWindow(baseURL, options));
  const { context, page } = window;
  const complaints = watchConsole(page, refused);
  watchRequests(page);
  if (canReuse) await prepare(window, options);
  return {
    page,
    async leave(isSound: boolean) {
      if (canReuse && isSound && (await empty(window))) idle.push(window);
      else {
        // What a handler does yet would fail the run.
        if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await context.close();
      }
      if (complaints.length > 0) throw new Error(`The browser's console says:\n${complaints.join("\n")}`);
    },
  };
}

/** An idle window of the same kind of device, which a window stays for good. */
function takeIdle(options: BrowserContextOptions): BrowserWindow | undefined {
  const device = deviceOf(options);
  const place = idle.findLastIndex((window) => window.device === device);
  return place < 0 ? undefined : idle.splice(place, 1)[0];
}

function deviceOf({ hasTouch = false, isMobile = false }: BrowserContextOptions): string {
  return JSON.stringify({ hasTouch, isMobile });
}

async function startAtSamePort(env: Record<string, string>): Promise<TestStore> {
  const store = await startTestStore({ PORT: port, ...env }).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    return startTestStore(env);
  });
  const before = port;
  port = new URL(store.url).port;
  if (port !== before) await Promise.all(idle.splice(0).map(({ context }) => context.close()));
  return store;
}

async function openWindow(baseURL: string, options: BrowserContextOptions): Promise<BrowserWindow> {
  const running = await runningBrowser();
  const context = await running.newContext({
    baseURL,
    reducedMotion: "reduce",
    // It would answer requests that a test holds or breaks.
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const { newPage } = context;
  context.newPage = async () => {
    const other = await newPage.call(context);
    awaitScripts(other);
    keepRouting(other);
    watchRequests(other);
    return other;
  };
  // A person would move the mouse before pressing something else in the same place.
  await page.addLocatorHandler(page.locator("[data-press-guard]"), () => page.mouse.move(0, 0));
  awaitScripts(page);
  keepRouting(page);
  const devTools = await context.newCDPSession(page);
  const sessions: CDPSession[] = [];
  const { newCDPSession } = context;
  context.newCDPSession = async (target) => {
    const session = await newCDPSession.call(context, target);
    sessions.push(session);
    return session;
  };
  const device = deviceOf(options);
  const window: BrowserWindow = { context, page, devTools, sessions, device, isAltered: false };
  const alter = () => {
    window.isAltered = true;
  };
  beforeCalls(page, "addInitScript", alter);
  beforeCalls(page, "exposeFunction", alter);
  // Each of them installs a clock that the window keeps.
  for (const method of [
    "install",
    "setFixedTime",
    "setSystemTime",
    "pauseAt",
    "fastForward",
    "runFor",
  ] as const)
    beforeCalls(page.clock, method, alter);
  return window;
}

/** Runs `act` before each call of this method. Vitest's spies would end with the test file, before the window does. */
function beforeCalls<Owner, Method extends keyof Owner>(owner: Owner, method: Method, act: () => void): void {
  const original = owner[method] as (...args: unknown[]) => unknown;
  owner[method] = ((...args: unknown[]) => {
    act();
    return original.apply(owner, args);
  }) as Owner[Method];
}

/** A page that was loaded can be used as soon as its script runs, except where a test says that it does not wait. */
function awaitScripts(page: Page): void {
  const load = { goto: page.goto.bind(page), reload: page.reload.bind(page) };
  page.goto = async (url, options) => {
    const response = await load.goto(url, options);
    if (options?.waitUntil !== "commit") await scriptRuns(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await load.reload(options);
    await scriptRuns(page);
    return response;
  };
}

/**
 * Chromium loses a request that begins just as the last route of its page goes, also by `times`: it would never be answered
 * (microsoft/playwright#41802). So one stays until all go. And for a moment after the first route has begun, it lets requests
 * pass; that moment is over once a request has been answered.
 */
function keepRouting(page: Page): void {
  const { route, unrouteAll } = page;
  let isKept = false;
  page.route = async (...routed) => {
    if (!isKept) {
      isKept = true;
      await route.call(page, `**${ROUTED}`, (request) => request.fulfill());
      await page.evaluate((file) => fetch(file), ROUTED).catch(() => {});
    }
    return route.apply(page, routed);
  };
  page.unrouteAll = async (options) => {
    isKept = false;
    await unrouteAll.call(page, options);
  };
}

/** A file that the server answers as well, so that no error is logged. */
const ROUTED = "/robots.txt?routed";

const underWay = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
}

/** Waits until a page has drawn all that it asks for, the next answers too; the streams of events stay open. */
export async function answersCome(page: Page): Promise<void> {
  const missing = () =>
    [...(underWay.get(page) ?? [])].map((request) => request.url()).filter((url) => !url.includes(".live"));
  do {
    await expect.poll(missing, { interval: 20, message: page.url() }).toEqual([]);
    await drawn(page);
  } while (missing().length > 0);
}

/** Waits for the popup with this title and, if it is named, exactly this text in it; closes it, and returns all that it says. */
export async function closePopup(page: Page, title: string, text?: string | RegExp): Promise<string> {
  const popup = page.getByRole("dialog", { name: title, exact: true });
  const ok = popup.getByRole("button", { name: "OK", exact: true });
  // A success goes by itself, but not while it has the focus. In the page, which looks for it as long as it is there.
  await page.waitForFunction(focusOk, title);
  if (text) await expect.poll(() => popup.getByText(text, { exact: true }).count()).toBe(1);
  const said = await popup.innerText();
  await ok.click();
  await popup.waitFor({ state: "detached" });
  // Closing an error goes back in the history, which would end a navigation that begins meanwhile.
  await page.waitForFunction(isBackInHistory);
  return said;
}

/** Whether no history entry of a closed layer is left (src/ui/back-closes.ts); another that is open keeps its own. */
function isBackInHistory(): boolean {
  const others = [...document.querySelectorAll("[role=dialog]")].some((dialog) => dialog.checkVisibility());
  return others || !window.history.state?.layers;
}

function focusOk(title: string): boolean {
  const popup = [...document.querySelectorAll("[role=dialog][aria-labelledby]")].find(
    (dialog) => document.getElementById(dialog.getAttribute("aria-labelledby") ?? "")?.textContent === title,
  );
  const ok = [...(popup?.querySelectorAll("button") ?? [])].find(({ textContent }) => textContent === "OK");
  ok?.focus();
  return ok !== undefined && document.activeElement === ok;
}

/** Waits until what has come is drawn, with the effects of that; a page that leaves has none. */
export async function drawn(page: Page): Promise<void> {
  const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await page.evaluate(frames).catch(() => {});
}

/** Whether these options can be given to a window that is open already. */
function isReusable({
  viewport,
  colorScheme,
  reducedMotion,
  storageState,
  hasTouch: _kept,
  isMobile: _keptToo,
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
  // A link that comes to lie under it is loaded beforehand, which asks the server who is logged in.
  await page.mouse.move(0, 0);
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
  "filechooser",
  "crash",
] as const;

/** Leaves nothing of a visit in its window but the files that the browser has cached; false if that cannot be. */
async function empty({ context, page, devTools, sessions, isAltered }: BrowserWindow): Promise<boolean> {
  if (page.isClosed() || isAltered) return false;
  // One of a page that the test has closed is gone already.
  await Promise.allSettled(sessions.splice(0).map((session) => session.detach()));
  for (const other of context.pages()) if (other !== page) await other.close();
  context.removeAllListeners("page");
  for (const event of LISTENED_TO) page.removeAllListeners(event);
  await context.setOffline(false);
  await Promise.all([context.unrouteAll(), page.unrouteAll()]);
  // A page of the same origin, so that its storage can be reached and its process goes on, and without scripts.
  // Fails while the page is about to leave by itself, and once in a long while Chromium never goes.
  if (!(await page.goto("/robots.txt", { timeout: LEAVING_MS }).catch(() => null))) return false;
  await page.evaluate(() => sessionStorage.clear());
  await devTools.send("Storage.clearDataForOrigin", {
    origin: new URL(page.url()).origin,
    storageTypes: "all",
  });
  await context.clearCookies();
  return true;
}

/**
 * The first is Playwright's; the second comes while a new service worker takes a page over, and costs nothing; the third
 * measures time: a loaded machine runs a script of the page some seconds after it has come.
 */
const EXPECTED = [
  "Service Worker registration blocked by Playwright",
  "not used because it is a cross-world service worker resource mismatch",
  ".js was preloaded using link preload but not used within a few seconds",
];

function watchConsole(page: Page, refused: string[]): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => {
    // pdf.js' worker says so where it is ended while it opens a document.
    if (error.message !== "Worker was terminated") complaints.push(String(error.stack || error));
  });
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (EXPECTED.some((text) => message.text().includes(text))) return;
    const { url } = message.location();
    const isExpected =
      /status of 4\d\d|net::ERR_/.test(message.text()) &&
      refused.some((call) => {
        if (call === "401") return message.text().includes("status of 401");
        return call.startsWith("/") ? url.includes(call) : proceduresOf(url).includes(call);
      });
    if (!isExpected) complaints.push(`${message.text()} (${url})`);
  });
  return complaints;
}

/** The procedures of a call, which the browser sends together if they are asked for at the same time. */
function proceduresOf(url: string): string[] {
  return new URL(url, "http://nowhere").pathname.match(/^\/api\/trpc\/(.+)/)?.[1]?.split(",") ?? [];
}

/** Holds the page's requests whose URL matches, like a slow network, until the returned function is called. */
export async function delayRequests(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/**
 * No second in which another press is ignored ends in this page, however slow the machine, until `goOn` is called; the one that
 * began first ends by `endFirst`.
 */
export async function stopTheSecond(page: Page) {
  const held = await page.evaluateHandle((ignored) => {
    const { setTimeout, clearTimeout } = window;
    const late = new Map<unknown, () => void>();
    window.setTimeout = ((run: () => void, ms?: number) => {
      const timer = setTimeout(ms === ignored ? () => {} : run, ms);
      if (ms === ignored) late.set(timer, run);
      return timer;
    }) as typeof setTimeout;
    window.clearTimeout = (timer) => {
      late.delete(timer);
      clearTimeout(timer);
    };
    const endFirst = () => {
      const [[timer, run] = [0, () => {}]] = late;
      late.delete(timer);
      run();
      return late.size;
    };
    return { endFirst, goOn: () => void Object.assign(window, { setTimeout, clearTimeout }) };
  }, IGNORE_PRESS_MS);
  return {
    endFirst: () => held.evaluate(({ endFirst }) => void endFirst()),
    goOn: () =>
      held.evaluate(({ endFirst, goOn }) => {
        goOn();
        while (endFirst() > 0);
      }),
  };
}

/**
 * Presses what tries again what a route has refused. Its calls pass once it is pressed, and not before: one that the page makes by
 * itself would take the button away.
 */
export async function tryAgain(page: Page, pattern: string): Promise<void> {
  const release = await delayRequests(page, pattern);
  await page.getByRole("button", { name: "Try again" }).click();
  release();
}

/** Delays the page's own script. */
export function delayScript(page: Page): Promise<() => void> {
  return delayRequests(page, "**/assets/*.js");
}

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
