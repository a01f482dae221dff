import type { Browser, BrowserContext, CDPSession, JSHandle, Page } from "playwright-core";
import { z } from "zod";
import { count, readOptions } from "../../scripts/arguments.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { launchBrowser, sessionOf } from "../setup/browser.ts";
import { startTestStore } from "../setup/test-store.ts";
import { median } from "./results.ts";

// npm run measure-phone: measures on a slow phone with slow 3G how long after opening it each screen can be used, and how
// much it shifts. Prints medians.

/** Slow 3G: 400 kb/s and 400 ms. */
const NETWORK = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};
/** About a cheap Android phone, measured from a laptop. */
const CPU_RATE = 4;
const VIEWPORT = { width: 390, height: 844 };
const SHOP = "red-soil-prints";
const PRINT_PATH = `/printnow?id=${SHOP}`;
/** How long a screen is watched for shifts by late data and pictures after it can be used. */
const WATCH_MS = 3000;
const POLLING = { polling: 25, timeout: 60_000 };
const FILE_INPUT = "input[type=file][multiple]";

const { options } = readOptions("Usage: npm run measure-phone [-- --runs N --only PART_OF_A_NAME]", {
  runs: count(1).default(5),
  only: z.string().default(""),
});

interface Screen {
  name: string;
  visitor?: ApiClient;
  /** The name of the cookie that the visitor has, if it is not a session. */
  cookie?: string;
  /** Opens something before the measured visit, at full speed; its files are then in the browser's cache or not. */
  before?: (page: Page) => Promise<void>;
  keepsCache?: boolean;
  /** Opens the screen and returns the milliseconds until it could be used. */
  open: (page: Page) => Promise<number>;
}

const [store, browser] = await Promise.all([startTestStore(), launchBrowser()]);
try {
  const all = await listScreens();
  const screens = all.filter(({ name }) => name.includes(options.only));
  if (screens.length === 0) console.error(`--only takes part of: ${all.map(({ name }) => name).join("; ")}`);
  if (screens.length === 0) process.exitCode = 1;
  for (const screen of screens) {
    const visits = [];
    for (let run = 0; run < options.runs; run++) visits.push(await visit(browser, screen));
    const seconds = median(visits.map(({ ms }) => ms)) / 1000;
    const shift = Math.max(...visits.map((one) => one.shift));
    const kilobytes = median(visits.map(({ bytes }) => bytes)) / 1000;
    const figures = [`${seconds.toFixed(1)} s`, shift.toFixed(3), `${kilobytes.toFixed(0)} kB`];
    console.log(screen.name.padEnd(34), figures.map((figure) => figure.padStart(9)).join(""));
  }
} finally {
  await browser.close();
  await store.stop();
}

async function listScreens(): Promise<Screen[]> {
  const { visitor, student } = await signedInStudent(store);
  await visitor.mutate("addresses.add", {
    address: { country: "India, Jalandhar", roadNo: "G.T. Road 12", flatno: "210", fullname: "Asha Verma" },
  });
  const order = await placeAnother(visitor, student, SHOP);
  await placeAnother(visitor, student, SHOP);
  const clerk = await signedInCounter(store, [SHOP]);
  const customer = await visitorAt(store, SHOP, await codeAt(clerk.visitor, SHOP));
  const own = (name: string, path: string, control: string): Screen => ({
    name,
    visitor,
    open: (page) => openPath(page, path, control),
  });
  const pickAt = (path: string) => (page: Page) =>
    openPath(page, path, FILE_INPUT).then(() => pickFile(page));
  const printNow = pickAt(PRINT_PATH);
  return [
    { name: "home", open: (page) => openPath(page, "/", "main a") },
    { name: "shops", open: (page) => openPath(page, "/shops", "main input") },
    { name: "login", open: (page) => openPath(page, "/login", "main input[type=email]") },
    { name: "signup", open: (page) => openPath(page, "/signup", "main input[type=email]") },
    own("home, logged in", "/", "main a"),
    own("shops, logged in", "/shops", "main input"),
    { name: "printnow", visitor, open: printNow },
    { name: "printnow from shops", visitor, open: openFromShops },
    {
      name: "printnow with a draft",
      visitor,
      before: makeDraft,
      open: (page) => openPath(page, PRINT_PATH, "main li[data-file] button"),
    },
    {
      name: "printorder with a draft",
      visitor,
      before: async (page) => {
        await makeDraft(page);
        await page.getByRole("button", { name: "Continue" }).click();
        await page.waitForURL("**/printorder");
        await page.locator("main button").first().waitFor();
      },
      open: (page) => openPath(page, "/printorder", "main button[type=submit], main aside button"),
    },
    { name: "at the counter", visitor: customer, cookie: "visit", open: pickAt(`/at/${SHOP}`) },
    own("orders", "/orders", "main li a"),
    own("order", `/orders/${order.id}`, "main a[href$='.pdf'], main button"),
    own("profile", "/profile", "main form button[type=submit]"),
    own("settings", "/settings", "main input[role=switch], main input[type=checkbox]"),
    {
      name: "home, second visit",
      before: twice("/"),
      keepsCache: true,
      open: (page) => openPath(page, "/", "main a"),
    },
    {
      name: "printnow, second visit",
      visitor,
      before: twice(PRINT_PATH),
      keepsCache: true,
      open: printNow,
    },
    {
      name: "orders, second visit",
      visitor,
      before: twice("/orders"),
      keepsCache: true,
      open: (page) => openPath(page, "/orders", "main li a"),
    },
  ];
}

interface Visit {
  ms: number;
  /** The sum of all layout shifts that no input caused. */
  shift: number;
  bytes: number;
}

async function visit(from: Browser, screen: Screen): Promise<Visit> {
  const context = await from.newContext({
    baseURL: store.url,
    viewport: VIEWPORT,
    hasTouch: true,
    ...(screen.visitor && sessionOf(screen.visitor, screen.cookie)),
  });
  try {
    if (screen.before) await prepare(context, screen.before, screen.keepsCache);
    const page = await context.newPage();
    await page.addInitScript(recordShifts);
    const devTools = await context.newCDPSession(page);
    const received = countBytes(devTools);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", NETWORK);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
    const ms = await screen.open(page);
    const bytes = received();
    await page.waitForLoadState("networkidle", { timeout: 15_000 }).catch(() => {});
    await page.waitForTimeout(WATCH_MS);
    const shift = await page.evaluate(() => {
      const counted = window as unknown as { shifts: number; own?: number };
      return counted.own ?? counted.shifts;
    });
    return { ms, shift, bytes };
  } finally {
    await context.close();
  }
}

async function prepare(
  context: BrowserContext,
  before: (page: Page) => Promise<void>,
  keepsCache = false,
): Promise<void> {
  const page = await context.newPage();
  await before(page);
  if (!keepsCache) await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
  await page.close();
}

/** Browsers keep the compiled scripts of pages that were visited twice. */
function twice(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    for (let time = 0; time < 3; time++) {
      await page.goto(path);
      await hydrated(page, "main a, main input");
      await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => {});
    }
  };
}

async function makeDraft(page: Page): Promise<void> {
  await page.goto(PRINT_PATH);
  await hydrated(page, FILE_INPUT);
  await pickFile(page);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("main li img").waitFor();
}

async function openPath(page: Page, path: string, control: string): Promise<number> {
  await page.goto(path, { waitUntil: "commit" });
  return hydrated(page, control);
}

/** Presses a shop's card on a page that has loaded, and picks a file. */
async function openFromShops(page: Page): Promise<number> {
  await openPath(page, "/shops", "main input");
  await page.waitForLoadState("networkidle");
  const card = page.locator(`main a[href*="${SHOP}"]`).first();
  await card.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  const pressedAt = await card.evaluate((link: HTMLElement) => {
    const at = performance.now();
    link.click();
    return at;
  });
  await hydrated(page, FILE_INPUT);
  return (await pickFile(page)) - pressedAt;
}

/** Picks a file, and returns the time when its row is shown. */
async function pickFile(page: Page): Promise<number> {
  const rows = await page.locator("main li[data-file]").count();
  // What moves from here on was caused by the student.
  await page.evaluate(() => {
    const counted = window as unknown as { shifts: number; own?: number };
    counted.own = counted.shifts;
  });
  const buffer = Buffer.from(await pdfOfPages(2));
  await page
    .locator(FILE_INPUT)
    .first()
    .setInputFiles([{ name: "notes.pdf", mimeType: "application/pdf", buffer }]);
  return moment(
    await page.waitForFunction(
      (before) => document.querySelectorAll("main li[data-file]").length > before && performance.now(),
      rows,
      POLLING,
    ),
  );
}

/** The time when React handles the events of the first such control. */
async function hydrated(page: Page, control: string): Promise<number> {
  return moment(
    await page.waitForFunction(
      (selector) => {
        const keys = Object.keys(document.querySelector(selector) ?? {});
        return keys.some((key) => key.startsWith("__reactProps")) && performance.now();
      },
      control,
      POLLING,
    ),
  );
}

/** The milliseconds since the page was opened. */
async function moment(handle: JSHandle<number | false>): Promise<number> {
  return Number(await handle.jsonValue());
}

function recordShifts(): void {
  const counted = window as unknown as { shifts: number };
  counted.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) counted.shifts += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

function countBytes(devTools: CDPSession): () => number {
  let bytes = 0;
  devTools.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
}
