import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Draft, draftName, emptyDraft } from "#client/features/print/draft.ts";
import { ADDRESS as ADDRESS_OF_ORDER, orderFor } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { answersCome, closePopup, type Storefront } from "../setup/storefront.ts";
import { tempFolder } from "../setup/temporary.ts";

export const SHOP_ID = "red-soil-prints";
export const PRINT_PATH = `/printnow?id=${SHOP_ID}`;
export const UPLOADS = "/api/v1/uploads";

/** A file as Playwright passes it to a file input. */
export interface PickedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function pdfFile(name: string, bytes: Uint8Array): PickedFile {
  return { name, mimeType: "application/pdf", buffer: Buffer.from(bytes) };
}

export interface PrintVisit {
  page: Page;
  visitor: ApiClient;
  student: Student;
}

type VisitOptions = Parameters<Storefront["visit"]>[1];

/** Opens this page as a new logged-in student. */
export async function visitAsStudent(
  storefront: Storefront,
  options: VisitOptions = {},
  path = PRINT_PATH,
): Promise<PrintVisit> {
  const { visitor, student } = await signedInStudent(storefront.store);
  return { page: await visitAs(storefront, visitor, options, path), visitor, student };
}

/** Opens another browser window with this visitor's session. */
export function visitAs(
  storefront: Storefront,
  visitor: ApiClient,
  options: VisitOptions = {},
  path = PRINT_PATH,
): Promise<Page> {
  return storefront.visit(path, { ...options, storageState: { cookies: cookiesOf(visitor), origins: [] } });
}

export function cookiesOf(visitor: ApiClient) {
  const { hostname: domain } = new URL(visitor.baseUrl);
  const common = { domain, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" as const };
  return visitor.cookieHeader.split("; ").map((pair) => {
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1), ...common };
  });
}

/** Selects files with the button for documents or the one for photos. Returns their paths. */
export async function pick(
  page: Page,
  button: "Choose PDF files" | "Choose files" | "Add photos",
  files: PickedFile[],
): Promise<string[]> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  // By their paths, as a person picks them: Playwright would send bytes through the browser's protocol, at great cost.
  const folder = await tempFolder();
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ buffer }, place) => writeFile(paths[place] ?? "", buffer)));
  await (await chooser).setFiles(paths);
  return paths;
}

/**
 * Chooses a file in this input, each time that the result is called, as the browser itself does: it reports only a change, where
 * Playwright reports every choice.
 */
export async function choosingInBrowser(page: Page, input: string, file: PickedFile) {
  const path = join(await tempFolder(), file.name);
  await writeFile(path, file.buffer);
  const devTools = await page.context().newCDPSession(page);
  return async () => {
    const { root } = await devTools.send("DOM.getDocument");
    const { nodeId } = await devTools.send("DOM.querySelector", { nodeId: root.nodeId, selector: input });
    await devTools.send("DOM.setFileInputFiles", { nodeId, files: [path] });
  };
}

/** Selects PDFs, waits for their upload and closes the success popup. */
export async function upload(page: Page, files: PickedFile[]): Promise<void> {
  await pick(page, "Choose PDF files", files);
  await closePopup(page, "File Uploaded Successfully");
}

/**
 * Waits until this is so, and moves the page's clock, which the test has installed, by up to 20 seconds meanwhile: nobody
 * waits out the pauses between retries. It stands still while an answer or a script is on its way, which has a limit in time.
 */
export async function hurryUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
  let steps = 10;
  const look = async () => {
    await answersCome(page);
    if (steps-- > 0) await page.clock.fastForward(2000);
    return isSo();
  };
  await expect.poll(look, { interval: 100 }).toBe(true);
}

/** The row of a file, whose text shows its progress. */
export function row(page: Page, name: string) {
  return page.getByRole("listitem").filter({ hasText: name });
}

/** The names of the listed files, in order. */
export function rowNames(page: Page): Promise<string[]> {
  return page
    .locator("button[aria-label^='Remove ']")
    .evaluateAll((buttons) =>
      buttons.map((button) => (button.getAttribute("aria-label") ?? "").slice("Remove ".length)),
    );
}

/** Puts this many files, all of which were refused, in the draft of a page that has one; it shows them once it is loaded again. */
export function fillList(page: Page, count: number): Promise<void> {
  return page.evaluate((length) => {
    const name = Object.keys(localStorage).find((key) => key.startsWith("draft:")) ?? "";
    const draft = JSON.parse(localStorage.getItem(name) ?? "{}");
    const entry = { bytes: 1, uploaded: null, refusal: "It is damaged", verdict: "useless" };
    const files = Array.from({ length }, (_, at) => ({ ...entry, key: `${at}`, name: `${at}.pdf` }));
    localStorage.setItem(name, JSON.stringify({ ...draft, files }));
  }, count);
}

export const ADDRESS = {
  "Delivery to": "Asha Verma",
  "Flat number": "Hostel 4, room 210",
  "Road number": "G.T. Road 12",
  "Country and district": "India, Jalandhar",
};

export async function saveAddress(page: Page, address: Partial<typeof ADDRESS> = ADDRESS): Promise<void> {
  for (const [label, value] of Object.entries(address))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Save address" }).click();
}

/** Waits until the page asks when this many pages, in all copies, are ready. */
export async function waitForPromise(page: Page, pages: number): Promise<void> {
  await page.waitForRequest((request) => {
    const url = decodeURIComponent(request.url());
    return url.includes("orders.promise") && new RegExp(`"pages":${pages}\\b`).test(url);
  });
}

/** On the order page of an order with an address. */
export async function placeOrder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, "Congratulations!!!");
}

/** Goes on to the order page, by default with an address that was saved there before. */
export async function goToCheckout(page: Page, { address = true } = {}): Promise<void> {
  if (address) await keepItems(page, { address: JSON.stringify(ADDRESS_OF_ORDER) });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/printorder");
}

/**
 * Opens the order page as a new student who has prepared ten pages with the default options and, by default, an address:
 * with what `goToCheckout` leaves in the browser, but without its clicks.
 */
export async function visitPreparedOrder(
  storefront: Storefront,
  options: VisitOptions = {},
  wishes: Parameters<typeof openPreparedOrder>[1] = {},
): Promise<PrintVisit> {
  const visit = await visitAsStudent(storefront, options, "/robots.txt");
  await openPreparedOrder(visit, wishes);
  return visit;
}

/** The same for a student who is there already. */
export async function openPreparedOrder(
  visit: PrintVisit,
  { shopId = SHOP_ID, address = true, message = "", copies = 1 } = {},
): Promise<void> {
  const { page, visitor, student } = visit;
  const pages = 10;
  const [url] = await keepDraft(visit, [pdfFile("Ten.pdf", await pdfOfPages(pages))], shopId);
  const { orderData } = await orderFor(visitor, { shopId, pages, copies, filesUrl: [url ?? ""] });
  await keepItems(page, {
    orderData: JSON.stringify({ ...orderData, shopId, message, userEmail: student.email }),
    ...(address && { address: JSON.stringify(ADDRESS_OF_ORDER) }),
  });
  await page.goto("/printorder");
}

/**
 * Opens the page of this shop as a new student whose draft has these files: with what `upload` leaves in the browser, but
 * without its clicks.
 */
export async function visitWithFiles(
  storefront: Storefront,
  files: PickedFile[],
  options: VisitOptions = {},
  shopId = SHOP_ID,
): Promise<PrintVisit> {
  const visit = await visitAsStudent(storefront, options, "/robots.txt");
  await keepDraft(visit, files, shopId);
  await visit.page.goto(`/printnow?id=${shopId}`);
  await row(visit.page, files.at(-1)?.name ?? "").waitFor();
  return visit;
}

/** Uploads these files and keeps them in the browser as a draft, by default of this student. Returns their addresses. */
export async function keepDraft(
  { page, visitor }: Pick<PrintVisit, "page" | "visitor">,
  files: PickedFile[],
  shopId: string,
  knownOwner?: string,
) {
  const kept: Draft["files"] = [];
  for (const { name, buffer } of files) {
    const {
      public_id: id,
      secure_url: url,
      pages,
    } = (await visitor.upload(new Uint8Array(buffer), name)).body;
    kept.push({ key: name, name, bytes: buffer.length, uploaded: { id, url, pages }, chosenAt: Date.now() });
  }
  const owner = knownOwner ?? (await visitor.get("/api/v1/users/getuser")).body.data._id;
  const draft: Draft = { ...emptyDraft(), files: kept };
  await keepItems(page, { owner, [draftName(owner, shopId)]: JSON.stringify(draft) });
  await keepThumbnails(
    page,
    kept.map(({ key }) => key),
  );
  return kept.map(({ uploaded }) => uploaded?.url);
}

function keepItems(page: Page, items: Record<string, string>): Promise<void> {
  return page.evaluate((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
  }, items);
}

/** As the browser has them of files that were on the page before: it does not draw their pages again. */
function keepThumbnails(page: Page, keys: string[]): Promise<void> {
  return page.evaluate(
    (all) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("print-store");
        opening.onupgradeneeded = () => opening.result.createObjectStore("files");
        opening.onsuccess = () => {
          const writing = opening.result.transaction("files", "readwrite");
          const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
          for (const key of all) writing.objectStore("files").put(pixel, `thumbnail:${key}`);
          writing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    keys,
  );
}

/** Under which names the browser keeps files, `file:KEY`, and pictures of their first pages, `thumbnail:KEY`. */
export function storedFiles(page: Page, kind: "file:" | "thumbnail:" | "" = ""): Promise<string[]> {
  return page.evaluate(
    (prefix) =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open("print-store");
        opening.onsuccess = () => {
          const asking = opening.result.transaction("files").objectStore("files").getAllKeys();
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result.map(String).filter((name) => name.startsWith(prefix)));
          };
        };
      }),
    kind,
  );
}

/** Waits until the browser has copies of this many files that are not uploaded yet, which outlive the page. */
export async function waitForCopies(page: Page, count = 1): Promise<void> {
  await expect.poll(() => storedFiles(page, "file:")).toHaveLength(count);
}

export function priceOf(page: Page) {
  return page.getByRole("complementary", { name: "Price" });
}

/** The order's total in the price panel, collapsed or not. */
export async function total(page: Page): Promise<string> {
  return (await priceOf(page).locator("dd").last().textContent()) ?? "";
}

/** The value of this key in local storage. */
export function storedItem(page: Page, key: string): Promise<unknown> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? "null"), key);
}

export function ordersOf(storefront: Storefront, { email }: Student) {
  return storefront.store.deps.readDb
    .selectFrom("orders")
    .selectAll()
    .where("user_email", "=", email)
    .execute();
}
