import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PDFDocument, rgb } from "pdf-lib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { OPEN_STATES } from "#shared/order-states.ts";
import { readArguments } from "../../scripts/arguments.ts";
import { moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "./api-client.ts";
import { launchBrowser, shareFiles } from "./browser.ts";
import { startTestStore } from "./test-store.ts";

// npm run screens: takes the pictures of docs/screens again, from a temporary store with the demo shops.

const folder = resolve(import.meta.dirname, "../../docs/screens");
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: "dark" };
const FRAME = { width: 234, height: 506, gap: 16 };
const PRINT_PATH = "/printnow?id=red-soil-prints";

readArguments("Usage: npm run screens", {});
await mkdir(folder, { recursive: true });
const [store, browser] = await Promise.all([startTestStore(), launchBrowser()]);
try {
  const { visitor, student } = await signedInStudent(store);
  await picture("home", "/", DESKTOP);
  await picture("home-dark", "/", DARK);
  await picture("home-phone", "/", PHONE);
  await picture("shops", "/shops", DESKTOP);
  await picture("login-phone", "/login", PHONE);
  await picture("print", PRINT_PATH, DESKTOP, visitor, uploadNotes);
  await picture("print-phone", PRINT_PATH, PHONE, visitor, uploadNotes);
  await picture("order", PRINT_PATH, DESKTOP, visitor, prepareOrder);
  await shareStrip(student);
  const orders = await placeOrders(8);
  const admin = (await signedInAdmin(store)).visitor;
  for (const [step, { id }] of orders.slice(0, 5).entries())
    await moveTo(admin, id, OPEN_STATES[step] ?? "placed");
  await picture("own-order-phone", `/orders/${orders[2]?.id}`, PHONE, orders[2]?.visitor);
  await picture("orders", "/admin/orders", DESKTOP, admin, (page) =>
    page.getByText("Live", { exact: true }).waitFor(),
  );
  await picture("prices", "/admin/shops/red-soil-prints/prices", DESKTOP, admin);
  await picture("stats", "/admin/stats", DESKTOP, admin);
} finally {
  await browser.close();
  await store.stop();
}

async function placeOrders(count: number): Promise<PlacedOrder[]> {
  const orders = [];
  for (let number = 0; number < count; number++) orders.push(await placeOrder(store, "red-soil-prints"));
  return orders;
}

/** Opens a page as a guest or as `visitor`, prepares it and takes its picture. */
async function picture(
  name: string,
  path: string,
  options: BrowserContextOptions,
  visitor?: ApiClient,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const page = await openPage(browser, options, visitor);
  await page.goto(path);
  await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
  await prepare(page);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
  await page.context().close();
  console.log(`docs/screens/${name}.png`);
}

async function openPage(from: Browser, options: BrowserContextOptions, visitor?: ApiClient): Promise<Page> {
  const context = await from.newContext({
    baseURL: store.url,
    reducedMotion: "reduce",
    ...(visitor && { extraHTTPHeaders: { Cookie: visitor.cookieHeader } }),
    ...options,
  });
  return context.newPage();
}

async function uploadNotes(page: Page): Promise<void> {
  const buffer = Buffer.from(await lectureNotes(12));
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose PDF files" }).click();
  await (await chooser).setFiles([{ name: "Lecture notes.pdf", mimeType: "application/pdf", buffer }]);
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => window.scrollTo(0, 0));
}

async function prepareOrder(page: Page): Promise<void> {
  await uploadNotes(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/printorder");
  await page.getByLabel("Country and district").waitFor();
}

/** A film strip: a PDF that another app shares, from the list of shared files over login and shop to its upload. */
async function shareStrip({ email, password }: Student): Promise<void> {
  const page = await openPage(browser, { ...PHONE, hasTouch: true, isMobile: true });
  const frames: Buffer[] = [];
  const take = async () => {
    await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
    frames.push(await page.screenshot({ animations: "disabled" }));
  };
  await page.goto("/about-us");
  const buffer = Buffer.from(await lectureNotes(12));
  await shareFiles(page, [{ name: "Lecture notes.pdf", mimeType: "application/pdf", buffer }]);
  await page.getByText("Lecture notes.pdf").waitFor();
  await take();
  await page.getByRole("link", { name: "Log in to print" }).tap();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await take();
  await page.keyboard.press("Enter");
  const choose = page.getByRole("button", { name: "Choose a shop" });
  await choose.waitFor();
  await page.getByText("Loggedin Successfully").waitFor({ state: "detached" });
  await take();
  await choose.tap();
  const card = page.locator("main article", { has: page.locator('a[href*="red-soil-prints"]') });
  await card.scrollIntoViewIfNeeded();
  await card.locator("img").evaluate((picture: HTMLImageElement) => picture.decode());
  await take();
  await card.getByRole("link").tap();
  await page.locator("main li[data-file]").getByText("12 pages").waitFor();
  await take();
  await page.context().close();
  await sideBySide(frames, join(folder, "share-phone.png"));
  console.log("docs/screens/share-phone.png");
}

async function sideBySide(frames: Buffer[], path: string): Promise<void> {
  const { width, height, gap } = FRAME;
  const pictures = await Promise.all(frames.map((frame) => sharp(frame).resize(width, height).toBuffer()));
  await sharp({
    create: {
      width: frames.length * (width + gap) + gap,
      height: height + 2 * gap,
      channels: 3,
      background: "#d9d5c8",
    },
  })
    .composite(pictures.map((input, index) => ({ input, left: gap + index * (width + gap), top: gap })))
    .png({ palette: true })
    .toFile(path);
}

/** A document whose pages look like text. */
async function lectureNotes(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    page.drawText(`Lecture ${number}`, { x: 60, y: 760, size: 28 });
    for (let line = 0; line < 24; line++) {
      page.drawRectangle({
        x: 60,
        y: 710 - line * 26,
        width: 300 + ((line * 67 + number * 31) % 170),
        height: 5,
        color: rgb(0.35, 0.38, 0.45),
      });
    }
  }
  return document.save();
}
