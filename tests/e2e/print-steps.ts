import type { Page } from "playwright-core";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { Storefront } from "../setup/storefront.ts";

export const SHOP_ID = "red-soil-prints";
export const PRINT_PATH = `/printnow?id=${SHOP_ID}`;
export const UPLOADS = "/api/v1/uploads";

/** A file as a student picks it. */
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

/** A student with an account of their own, logged in, on this page. */
export async function visitAsStudent(
  storefront: Storefront,
  options: VisitOptions = {},
  path = PRINT_PATH,
): Promise<PrintVisit> {
  const { visitor, student } = await signedInStudent(storefront.store);
  return { page: await visitAs(storefront, visitor, options, path), visitor, student };
}

/** Another browser window with this visitor's session. */
export function visitAs(
  storefront: Storefront,
  visitor: ApiClient,
  options: VisitOptions = {},
  path = PRINT_PATH,
): Promise<Page> {
  return storefront.visit(path, { ...options, storageState: { cookies: cookiesOf(visitor), origins: [] } });
}

function cookiesOf(visitor: ApiClient) {
  const { hostname: domain } = new URL(visitor.baseUrl);
  const common = { domain, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" as const };
  return visitor.cookieHeader.split("; ").map((pair) => {
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1), ...common };
  });
}

/** Picks files by the button for PDFs, or by the one for photos. */
export async function pick(
  page: Page,
  button: "Choose PDF files" | "Add photos",
  files: PickedFile[],
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles(files);
}

/** Picks PDFs, waits until all are uploaded and closes the popup that says so. */
export async function upload(page: Page, files: PickedFile[]): Promise<void> {
  await pick(page, "Choose PDF files", files);
  await closePopup(page, "File Uploaded Successfully");
}

/** Closes the popup of this title and answers its text. */
export async function closePopup(page: Page, title: string): Promise<string> {
  const popup = page.getByRole("dialog", { name: title, exact: true });
  const text = await popup.innerText();
  await popup.getByRole("button", { name: "OK", exact: true }).click();
  await popup.waitFor({ state: "detached" });
  return text;
}

/** The row of a file; its text says how far it is. */
export function row(page: Page, name: string) {
  return page.getByRole("listitem").filter({ hasText: name });
}

/** Names of the listed files in their order. */
export async function rowNames(page: Page): Promise<string[]> {
  const labels = await page.getByRole("button", { name: /^Remove / }).all();
  return Promise.all(
    labels.map(async (label) => ((await label.getAttribute("aria-label")) ?? "").slice("Remove ".length)),
  );
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

/** From an empty page to the order page: one PDF, the shop's usual options, and an address unless left out. */
export async function prepareOrder(page: Page, file: PickedFile, { address = true } = {}): Promise<void> {
  await upload(page, [file]);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/printorder");
  if (!address) return;
  await saveAddress(page);
  await closePopup(page, "address Updated!");
}

export function priceOf(page: Page) {
  return page.getByRole("complementary", { name: "Price" });
}

/** The order's total as the price panel has it, folded or not. */
export async function total(page: Page): Promise<string> {
  return (await priceOf(page).locator("dd").last().textContent()) ?? "";
}

/** What the contract keeps in local storage under this key. */
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
