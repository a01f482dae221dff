import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { answersCome, closePopup, delayRequests, openStorefront } from "../setup/storefront.ts";
import {
  ADDRESS,
  cookiesOf,
  keepDraft,
  openPreparedOrder,
  PRINT_PATH,
  type PrintVisit,
  pdfFile,
  pick,
  row,
  rowNames,
  SHOP_ID,
  UPLOADS,
  upload,
  visitAsStudent,
  visitPreparedOrder,
} from "./print-steps.ts";

const storefront = openStorefront();

/** The keys of settings that are not personal data: the chime of the console, and the light or dark scheme. */
const SETTINGS = ["console-sound", "mantine-color-scheme-value"];

describe("on a shared computer", () => {
  test("logging out clears the browser, its other tabs too, and the next student finds nothing", async () => {
    const { page: checkout } = await visitPreparedOrder(storefront);
    const print = await otherTab(checkout, PRINT_PATH);
    await checkout.getByText(ADDRESS["Flat number"]).waitFor();
    await print.getByText("Ten.pdf").first().waitFor();
    const home = await otherTab(checkout, "/");
    expect((await heldBy(home)).files).toHaveLength(1);
    await home.evaluate((keys) => {
      for (const key of keys) localStorage.setItem(key, "dark");
      sessionStorage.setItem("otpEmail", "private@college.example");
    }, SETTINGS);
    await home.getByRole("button", { name: "My Account" }).click();
    await home.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
    await closePopup(home, "Logout Successfully");

    for (const tab of [checkout, print]) {
      await tab.waitForURL("**/login?*");
      await expect.poll(() => tab.locator("body").innerText()).not.toContain(ADDRESS["Flat number"]);
    }
    await expect.poll(() => heldBy(home)).toEqual({ local: SETTINGS, session: [], files: [] });

    const next = await signedInStudent(storefront.store);
    await logIn(checkout, next.student);
    await checkout.getByRole("heading", { name: "No Item has added!!" }).waitFor();
    await expectNoAddressOfOthers({ page: checkout, ...next });
  });

  test("another student's login clears it after the last session has expired", async () => {
    const { page } = await visitPreparedOrder(storefront);
    expect((await heldBy(page)).files).toHaveLength(1);
    const tab = await otherTab(page, "/printorder");
    await tab.getByText(ADDRESS["Flat number"]).waitFor();
    // A call under way would be refused.
    await Promise.all([answersCome(page), answersCome(tab)]);
    await page.context().clearCookies();
    await page.goto("/login");

    const next = await signedInStudent(storefront.store);
    await logIn(page, next.student);
    await tab.getByRole("heading", { name: "No Item has added!!" }).waitFor();
    await expect.poll(() => heldBy(page)).toMatchObject({ local: ["owner"], files: [] });
    await expectNoAddressOfOthers({ page, ...next });
  });

  test("whoever says so at the login leaves nothing for the next person who opens the store", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit(`/login?redirect=${encodeURIComponent(PRINT_PATH)}`);
    await page.getByLabel("This is a shared computer").check();
    await logIn(page, student);
    await upload(page, [pdfFile("Private.pdf", await pdfOfPages(2))]);
    await row(page, "Private.pdf").getByText("2 pages").waitFor();
    await expect
      .poll(() => heldBy(page))
      .toMatchObject({
        local: expect.arrayContaining(["owner", "shared-computer"]),
        files: [expect.any(String)],
      });
    const session = (await page.context().cookies()).find(({ name }) => name === "session");
    expect(session?.expires).toBe(-1);

    // What a browser does when it is closed, which makes no more calls.
    await answersCome(page);
    await page.context().clearCookies({ name: "session" });
    await page.goto("/about-us");
    await expect.poll(() => heldBy(page)).toEqual({ local: [], session: [], files: [] });
  });

  test("a tab left by the previous student switches to the next one and keeps their work", async () => {
    const { page: tab, student: last } = await visitAsStudent(storefront, {}, "/");
    const page = await otherTab(tab, "/");
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
    await closePopup(page, "Logout Successfully");
    const { student, visitor } = await signedInStudent(storefront.store);
    await page.goto("/login");
    await logIn(page, student);
    await keepDraft({ page, visitor }, [pdfFile("Mine.pdf", await pdfOfPages(2))], SHOP_ID);
    await page.goto(PRINT_PATH);

    await tab.getByRole("button", { name: "My Account" }).click();
    const menu = tab.locator("#account-menu");
    await menu.getByText(student.email).waitFor();
    await expect.poll(() => menu.innerText()).not.toContain(last.email);
    await menu.getByRole("link", { name: "Orders" }).click();
    await tab.getByRole("heading", { name: "Orders" }).waitFor();
    await row(page, "Mine.pdf").waitFor();
    await page.reload();
    await row(page, "Mine.pdf").waitFor();
  });

  test("photos still being converted and pages still being drawn at logout are not stored", async () => {
    const { page } = await visitAsStudent(storefront, { refused: ["/files/"] });
    const release = await delayRequests(page, "**/assets/{photo-pages,pdf-documents}-*.js");
    await upload(page, [pdfFile("Secret.pdf", await pdfOfPages(2))]);
    const photo = async (name: string) => ({
      name,
      mimeType: "image/jpeg",
      buffer: Buffer.from(await sidewaysPhoto()),
    });
    await pick(page, "Add photos", [await photo("Private.jpg")]);
    await row(page, "Private.pdf").getByText("Making the pages…").waitFor();
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
    await closePopup(page, "Logout Successfully");
    const { student } = await signedInStudent(storefront.store);
    await logIn(page, student);
    await page.getByText("Add at least one file to continue").waitFor();
    release();
    await pick(page, "Add photos", [await photo("Mine.jpg")]);
    await closePopup(page, "File Uploaded Successfully");

    const { local } = await heldBy(page);
    expect(local.filter((name) => name.startsWith("draft:"))).toHaveLength(1);
    const waiting = async () => (await heldBy(page)).files.filter((name) => name.startsWith("file:"));
    await expect.poll(waiting).toEqual([]);
    await expect.poll(() => rowNames(page)).toEqual(["Mine.pdf"]);
    // One page is drawn at a time.
    await row(page, "Mine.pdf").locator("img").waitFor();
    const drawn = (await heldBy(page)).files.filter((name) => name.startsWith("thumbnail:"));
    expect(drawn).toHaveLength(1);
  });

  test("files that wait for their upload at logout are not sent, and the next student hears of none that was refused", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    const held: Route[] = [];
    await page.route(`**${UPLOADS}`, (route) => void held.push(route));
    const files = ["A.pdf", "B.pdf", "C.pdf", "D.pdf"].map(async (name) =>
      pdfFile(name, await pdfOfPages(2)),
    );
    await pick(page, "Choose PDF files", await Promise.all(files));
    await expect.poll(() => held.length).toBe(2);
    const refusal = "“Private.pdf” is damaged";
    await held.shift()?.fulfill({ status: 422, json: { success: false, message: refusal } });
    await page.getByText(refusal).waitFor();
    await expect.poll(() => held.length).toBe(2);
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
    await closePopup(page, "Logout Successfully");
    // What is under way has been broken off; were it not, its end would make room for the third.
    for (const route of held) await route.fulfill({ json: {} }).catch(() => {});
    const { student } = await signedInStudent(storefront.store);
    await logIn(page, student);
    await page.getByText("Add at least one file to continue").waitFor();
    await pick(page, "Choose PDF files", [pdfFile("Mine.pdf", await pdfOfPages(2))]);
    // Their file would be sent after what waited.
    await expect.poll(() => held.length).toBe(3);
    await held[2]?.continue();
    await closePopup(page, "File Uploaded Successfully");
    expect(await rowNames(page)).toEqual(["Mine.pdf"]);
    expect(held).toHaveLength(3);
    expect(await page.getByRole("dialog", { name: "Error Uploading File" }).count()).toBe(0);
  });

  test("a draft without an owner mark is kept, but an address that could be someone else's is not", async () => {
    const { page } = await visitPreparedOrder(storefront);
    const draftOfOther = "draft:someone:somewhere";
    await page.evaluate((name) => {
      localStorage.removeItem("owner");
      localStorage.setItem(name, "{}");
    }, draftOfOther);
    await page.goto(PRINT_PATH);
    await row(page, "Ten.pdf").getByText("10 pages").waitFor();
    await expect.poll(async () => (await heldBy(page)).files).toHaveLength(1);
    const { local } = await heldBy(page);
    expect(local).toContain("owner");
    expect(local).not.toContain("address");
    expect(local).not.toContain(draftOfOther);
  });

  test("a session replaced in any other way clears it too", async () => {
    const first = await visitPreparedOrder(storefront);
    const second = await visitAsStudent(storefront);
    // As of a page that comes back from the back/forward cache, where no event had reached it.
    const isReloaded = second.page.waitForEvent("load");
    await second.page.evaluate(() => {
      localStorage.setItem("owner", "somebody else");
      setTimeout(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    });
    await isReloaded;
    await answersCome(first.page);
    await first.page.context().clearCookies();
    await first.page.context().addCookies(cookiesOf(second.visitor));
    await first.page.goto("/printorder");
    await first.page.getByRole("heading", { name: "No Item has added!!" }).waitFor();
    await expectNoAddressOfOthers({ ...second, page: first.page });
  });
});

async function otherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

async function logIn(page: Page, { email, password }: Student): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await closePopup(page, "Loggedin Successfully");
}

/** Opens an order that the logged-in student has prepared, for which the checkout must ask for an address. */
async function expectNoAddressOfOthers(visit: PrintVisit): Promise<void> {
  const { page } = visit;
  await openPreparedOrder(visit, { address: false });
  await page.getByRole("button", { name: "address not added" }).waitFor();
  await expect.poll(() => page.getByLabel("Flat number").inputValue()).toBe("");
  await expect.poll(() => page.locator("body").innerText()).not.toContain(ADDRESS["Flat number"]);
}

/** The keys of the storefront's data in the browser. */
function heldBy(page: Page) {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("print-store");
      opening.onsuccess = () => resolve(opening.result);
    });
    const hasFiles = database.objectStoreNames.contains("files");
    const files = await new Promise<string[]>((resolve) => {
      if (!hasFiles) return resolve([]);
      const asking = database.transaction("files").objectStore("files").getAllKeys();
      asking.onsuccess = () => resolve(asking.result.map(String));
    });
    database.close();
    // The router stores scroll positions under its own keys.
    const session = Object.keys(sessionStorage).filter((key) => !key.startsWith("tsr-"));
    return { local: Object.keys(localStorage).toSorted(), session, files };
  });
}
