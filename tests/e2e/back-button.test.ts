import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { button, pathOf } from "./accounts-steps.ts";
import { keepDraft, pdfFile, rowNames, SHOP_ID, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();
const PHONE = { viewport: { width: 390, height: 844 } };

/** Where Back leads and what Forward would, as the browser counts them. */
const historyLength = (page: Page) => page.evaluate(() => history.length);
const isOnLayer = (page: Page) => page.evaluate(() => (history.state?.layers ?? 0) > 0);

test("Back closes the page viewer and nothing else, and three viewings leave nothing in the history", async () => {
  const visit = await visitAsStudent(storefront, PHONE, "/robots.txt");
  const { page } = visit;
  await keepDraft(visit, [pdfFile("Notes.pdf", await pdfOfPages(2))], SHOP_ID);
  await page.goto("/shops");
  await page.getByRole("link", { name: "Red Soil Prints" }).click();
  await page.waitForURL("**/printnow?*");
  const before = await historyLength(page);
  const open = page.getByRole("button", { name: "View pages of Notes.pdf" });
  const viewer = page.getByRole("dialog", { name: "Notes.pdf" });

  await open.click();
  await viewer.waitFor();
  await expect.poll(() => isOnLayer(page)).toBe(true);
  await page.goBack();
  await viewer.waitFor({ state: "detached" });
  expect(await rowNames(page)).toEqual(["Notes.pdf"]);
  await open.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: /^Total/, expanded: false }).click();
  await expect.poll(() => isOnLayer(page)).toBe(true);
  await page.goBack();
  await page.getByRole("button", { name: /^Total/, expanded: false }).waitFor();
  expect(await rowNames(page)).toEqual(["Notes.pdf"]);

  for (let viewing = 0; viewing < 3; viewing++) {
    await open.click();
    await expect.poll(() => isOnLayer(page)).toBe(true);
    await viewer.getByRole("button", { name: "Close the page viewer" }).click();
    await viewer.waitFor({ state: "detached" });
    await expect.poll(() => isOnLayer(page)).toBe(false);
  }
  // One entry ahead is left to Forward, which leads nowhere.
  expect(await historyLength(page)).toBeLessThanOrEqual(before + 1);
  await page.goForward();
  await expect.poll(() => isOnLayer(page)).toBe(false);
  expect(await viewer.count()).toBe(0);
  await page.goBack();
  await page.waitForURL("**/shops");
  await page.getByRole("link", { name: "Red Soil Prints" }).waitFor();
  // Nor does it lead to a dead entry from another page.
  await page.evaluate(() => history.go(2));
  await page.waitForURL("**/printnow?*");
  await expect.poll(() => isOnLayer(page)).toBe(false);
});

test("Back closes the drawer; after a link in it, Back leads to the page that had it open", async () => {
  const page = await storefront.visit("/faq", PHONE);
  const opener = page.getByRole("button", { name: "Open the menu" });
  const drawer = page.getByRole("dialog", { name: "Print Store" });
  await opener.click();
  await drawer.waitFor();
  await expect.poll(() => isOnLayer(page)).toBe(true);
  await page.goBack();
  await drawer.waitFor({ state: "hidden" });
  expect(pathOf(page)).toBe("/faq");

  // A reload closes it too.
  await opener.click();
  await expect.poll(() => isOnLayer(page)).toBe(true);
  await page.reload();
  await expect.poll(() => isOnLayer(page)).toBe(false);

  await opener.click();
  await expect.poll(() => isOnLayer(page)).toBe(true);
  await drawer.getByRole("link", { name: "About" }).click();
  await page.waitForURL("**/about-us");
  await expect.poll(() => isOnLayer(page)).toBe(false);
  await page.goBack();
  await page.waitForURL("**/faq");
  await page.getByRole("heading", { level: 1, name: "FAQs" }).waitFor();
  expect(await isOnLayer(page)).toBe(false);
});

test("Back closes a dialog and then the error over it, one at a time, and the form stays", async () => {
  const page = await storefront.visit("/shops", { ...PHONE, refused: ["accounts.requestLoginOtp"] });
  await page.route("**/api/trpc/accounts.requestLoginOtp?*", (route) => route.abort());
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("link", { name: "Login" }).click();
  await page.waitForURL("**/login");
  await page.getByLabel("Email").fill("asha@college.example");
  await button(page, "Login With OTP").click();
  const dialog = page.getByRole("dialog", { name: "Login with OTP" });
  await dialog.getByRole("button", { name: "Send OTP" }).click();
  const error = page.getByRole("dialog", { name: "Error", exact: true });
  await error.waitFor();
  await expect.poll(() => page.evaluate(() => history.state.layers)).toBe(2);
  await page.goBack();
  await error.waitFor({ state: "detached" });
  await expect.poll(() => dialog.isVisible()).toBe(true);
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("asha@college.example");
  await page.goBack();
  await page.waitForURL("**/shops");
});

test("Back during an upload leaves the page, and the upload is there on return", async () => {
  const { page } = await visitAsStudent(storefront, PHONE, "/shops");
  await page.getByRole("link", { name: "Red Soil Prints" }).click();
  await page.waitForURL("**/printnow?*");
  const goOn = Promise.withResolvers<void>();
  await page.route("**/api/v1/uploads", async (route) => {
    await goOn.promise;
    await route.continue();
  });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose PDF files" }).click();
  await (await chooser).setFiles([
    { name: "Slow.pdf", mimeType: "application/pdf", buffer: Buffer.from(await pdfOfPages(3)) },
  ]);
  await page.getByText("Your files are still being uploaded").waitFor();
  await page.goBack();
  await page.waitForURL("**/shops");
  goOn.resolve();
  await closePopup(page, "File Uploaded Successfully");
  await page.goForward();
  await page.waitForURL(`**/printnow?id=${SHOP_ID}`);
  await page.getByText("1 file, 3 pages").waitFor();
});
