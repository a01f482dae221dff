import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { MAX_SHARED_BYTES, MAX_SHARED_FILES } from "#ui/shared-files.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours } from "../factories/visits.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { shareFiles } from "../setup/browser.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  cookiesOf,
  fillList,
  PRINT_PATH,
  pdfFile,
  row,
  rowNames,
  SHOP_ID,
  UPLOADS,
  visitAs,
  visitAsStudent,
} from "./print-steps.ts";

const storefront = openStorefront();
const INSTALLED = { serviceWorkers: "allow" as const };

/** How many shared files this browser holds, whoever may see them. */
function held(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open("print-store-shared");
        opening.onsuccess = () => {
          const counting = opening.result.transaction("shared").objectStore("shared").count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );
}

const notes = async () => pdfFile("Notes.pdf", await pdfOfPages(2));

test("files shared by a guest stay on the device until they have logged in and chosen a shop, and then upload by themselves", async () => {
  const { student } = await signedInStudent(storefront.store);
  const page = await storefront.visit("/about-us", INSTALLED);
  const uploads: string[] = [];
  page.context().on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith(UPLOADS)) uploads.push(request.url());
  });
  const photo = {
    name: "Whiteboard.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from(await sidewaysPhoto()),
  };
  const song = { name: "Song.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("la la la") };
  const report = { name: "Report.docx", mimeType: "", buffer: Buffer.from("Report") };
  await shareFiles(page, [await notes(), photo, song, report]);
  await expect
    .poll(() => page.getByRole("listitem").allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining("Notes.pdf"),
        expect.stringContaining("Whiteboard.jpg"),
      ]),
    );
  await page.getByText("One file was left out: PDFs and pictures can be printed").waitFor();
  const unprintable = page.getByText("“Report.docx” cannot be printed as it is.");
  await unprintable.waitFor();
  await expectAccessibleScreen(page);

  await page.getByRole("link", { name: "Log in to print" }).click();
  await page.getByLabel("Email").fill(student.email);
  await page.getByLabel("Password", { exact: true }).fill(student.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Choose a shop" }).waitFor();
  await page.goto(PRINT_PATH);
  await page.getByText("Add at least one file to continue").waitFor();
  await page.goto("/shared");
  await page.getByRole("button", { name: "Choose a shop" }).click();
  await page.waitForURL("**/shops");
  expect(uploads).toEqual([]);
  await page.locator(`a[href*="${SHOP_ID}"]`).first().click();
  await row(page, "Notes.pdf").getByText("2 pages").waitFor();
  await row(page, "Whiteboard.pdf").getByText("1 page ").waitFor();
  expect(uploads).toHaveLength(2);
  await page.goto("/shared");
  await unprintable.waitFor();
  await page.getByRole("button", { name: "Remove Report.docx" }).click();
  await page.getByRole("heading", { name: "No shared files" }).waitFor();
});

test("a file shared by a visitor of a counter is shown, as one of a guest is", async () => {
  const { store } = storefront;
  const clerk = await signedInCounter(store, [SHOP_ID]);
  await removeHours(store, SHOP_ID);
  const page = await storefront.visit(
    `/at/${SHOP_ID}?code=${await codeAt(clerk.visitor, SHOP_ID)}`,
    INSTALLED,
  );
  await page.getByLabel("Name to call out").waitFor();
  const name = `${"Notes_of_the_lecture_".repeat(9)}.pdf`;
  await shareFiles(page, [{ ...(await notes()), name }]);
  await page.getByRole("listitem").getByText(name).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const remove = await page.getByRole("button", { name: `Remove ${name}` }).boundingBox();
  expect(remove?.width, "a finger needs 44 px").toBe(44);
});

test("shared files that are too many or too much for the device are counted, and those listed stay where it is too full to hand them on", async () => {
  const { page } = await visitAsStudent(storefront, INSTALLED, "/about-us");
  const file = await notes();
  const listed = page.getByRole("listitem").filter({ hasText: "Notes.pdf" });
  await shareFiles(page, Array<typeof file>(MAX_SHARED_FILES + 2).fill(file));
  await page.getByText("2 files were left out").waitFor();
  await expect.poll(() => listed.count()).toBe(MAX_SHARED_FILES);
  // As a full device does: the request is taken, and the transaction fails.
  const fillDevice = `{
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...entry) {
      const request = put.apply(this, entry);
      this.transaction.abort();
      return request;
    };
  }`;
  await page.evaluate(fillDevice);
  await page.getByRole("button", { name: "Choose a shop" }).click();
  await closePopup(page, "Your device is full");
  expect(await listed.count()).toBe(MAX_SHARED_FILES);

  await page.getByRole("button", { name: "Remove Notes.pdf" }).first().click();
  await expect.poll(() => listed.count()).toBe(MAX_SHARED_FILES - 1);
  await page.context().serviceWorkers()[0]?.evaluate(fillDevice);
  await shareFiles(page, [file]);
  await page.getByText("One file was left out").waitFor();
});

test("shared files are kept up to 200 MB together", async () => {
  const { page } = await visitAsStudent(storefront, INSTALLED, "/about-us");
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page
    .context()
    .serviceWorkers()[0]
    ?.evaluate(`Object.defineProperty(Blob.prototype, "size", { get: () => ${MAX_SHARED_BYTES / 2} })`);
  const file = await notes();
  await shareFiles(page, [file, file, file]);
  await page.getByText("One file was left out").waitFor();
  await expect.poll(() => held(page)).toBe(2);
});

test("all listed files are removed by one press, and what was chosen before is still printed", async () => {
  const { page } = await visitAsStudent(storefront, INSTALLED, "/about-us");
  const share = async (...names: string[]) => {
    const files = await Promise.all(names.map(async (name) => ({ ...(await notes()), name })));
    await shareFiles(page, files);
    await page.getByRole("listitem").filter({ hasText: names[0] }).waitFor();
  };
  const removeAll = page.getByRole("button", { name: "Remove all" });
  await share("Notes.pdf");
  expect(await removeAll.count(), "one file has a button of its own").toBe(0);
  await page.getByRole("button", { name: "Choose a shop" }).click();
  await page.waitForURL("**/shops");
  await share("Thesis.pdf", "Thesis (final).pdf");
  await removeAll.click();
  await page.getByRole("heading", { name: "No shared files" }).waitFor();
  expect(await held(page)).toBe(1);
  // As after an order there.
  await page.evaluate((shopId) => {
    localStorage.setItem(`last-shop:${localStorage.getItem("owner")}`, JSON.stringify(shopId));
  }, SHOP_ID);
  await share("Slides.pdf");
  await page.getByRole("button", { name: "Print at Red Soil Prints" }).click();
  await row(page, "Notes.pdf").getByText("2 pages").waitFor();
  await row(page, "Slides.pdf").getByText("2 pages").waitFor();
});

test("a shared file that a full list has no room for is reported, and added once there is room", async () => {
  const { page } = await visitAsStudent(storefront, INSTALLED);
  await page.getByText("Add at least one file to continue").waitFor();
  await fillList(page, 50);
  await shareFiles(page, [await notes()]);
  await page.getByRole("button", { name: "Choose a shop" }).click();
  await page.locator(`a[href*="${SHOP_ID}"]`).first().click();
  const text = await closePopup(page, "Error Uploading File");
  expect(text).toContain("At most 50 files fit in one order. 1 file left out. Remove some files and reload");
  await page.getByRole("button", { name: "Remove 7.pdf" }).click();
  await expect.poll(async () => (await rowNames(page)).length).toBe(49);
  await page.reload();
  await row(page, "Notes.pdf").getByText("2 pages").waitFor();
});

test("shared files are gone after the logout, after a day, and for the next student", async () => {
  const { page } = await visitAsStudent(storefront, INSTALLED, "/about-us");
  const listed = page.getByRole("listitem").filter({ hasText: "Notes.pdf" });
  const none = page.getByRole("heading", { name: "No shared files" });
  await shareFiles(page, [await notes()]);
  await listed.waitFor();
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
  await page.getByText("Logout Successfully").waitFor();
  await expect.poll(() => held(page)).toBe(0);
  await page.goto("/shared");
  await none.waitFor();

  await shareFiles(page, [await notes()]);
  await listed.waitFor();
  const hours = (count: number) => Date.now() + count * 60 * 60 * 1000;
  await page.clock.setFixedTime(hours(23));
  await page.reload();
  await listed.waitFor();
  await page.clock.setFixedTime(hours(24));
  await page.reload();
  await none.waitFor();
  expect(await held(page)).toBe(0);

  const [first, second] = [await signedInStudent(storefront.store), await signedInStudent(storefront.store)];
  const fresh = await visitAs(storefront, first.visitor, INSTALLED, "/about-us");
  await shareFiles(fresh, [await notes()]);
  await fresh.getByText("Notes.pdf").waitFor();
  // As after the end of the session.
  await fresh.context().clearCookies();
  await fresh.goto("/shared");
  await fresh.getByText("If you have just shared something, log in to see it.").waitFor();
  await expectAccessibleScreen(fresh);
  await fresh.getByRole("link", { name: "Log in to print" }).waitFor();
  await fresh.context().addCookies(cookiesOf(first.visitor));
  await fresh.reload();
  await fresh.getByText("Notes.pdf").waitFor();
  await fresh.context().clearCookies();
  await fresh.context().addCookies(cookiesOf(second.visitor));
  await fresh.goto("/shared");
  await fresh.getByRole("heading", { name: "No shared files" }).waitFor();
  await expect.poll(() => held(fresh)).toBe(0);
});

test("without a service worker the server reads no shared file, and asks to share it again", async () => {
  const form = new FormData();
  form.set("files", new Blob([await pdfOfPages(2)]), "Notes.pdf");
  const answer = await fetch(`${storefront.store.url}/share-target`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/shared?missed=1"]);
  const page = await storefront.visit("/shared?missed=1");
  await page.getByRole("heading", { name: "Please share the file once more" }).waitFor();
});
