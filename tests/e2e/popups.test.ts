import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SUCCESS } from "#shared/messages.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-steps.ts";
import { pdfFile, pick, visitWithFiles } from "./print-steps.ts";

const storefront = openStorefront();
const LONG = "05:00";

async function logIn(page: Page, password?: string): Promise<void> {
  const { student } = await signedInStudent(storefront.store);
  await page.getByLabel("Email").fill(student.email);
  await page.getByLabel("Password", { exact: true }).fill(password ?? student.password);
  await button(page, "Login").click();
}

test("a success takes no focus, stays while it is hovered or focused, and then goes by itself", async () => {
  const page = await storefront.visit("/login");
  await page.clock.install();
  await logIn(page);
  const popup = page.getByRole("dialog", { name: "Loggedin Successfully", exact: true });
  await popup.hover();
  expect(await popup.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  await popup.getByRole("button", { name: "OK" }).focus();
  await expectAccessibleScreen(page);
  await popup.hover();
  await page.getByRole("link", { name: "Print Now" }).focus();
  await page.clock.fastForward(LONG);
  await popup.getByRole("button", { name: "OK" }).focus();
  await page.mouse.move(0, 0);
  await page.clock.fastForward(LONG);
  await expect.poll(() => popup.isVisible()).toBe(true);

  await page.getByRole("link", { name: "Print Now" }).focus();
  await page.clock.fastForward(LONG);
  await popup.waitFor({ state: "detached" });
  await page.locator("a:focus", { hasText: "Print Now" }).waitFor();
});

test("a success does not cover the page: the next link can be pressed while it shows", async () => {
  const page = await storefront.visit("/login", { viewport: { width: 390, height: 844 } });
  await logIn(page);
  const popup = page.getByRole("dialog", { name: "Loggedin Successfully", exact: true });
  await popup.getByRole("button", { name: "OK" }).focus();
  await page.getByRole("link", { name: "Print Now" }).evaluate((link: HTMLElement) => {
    const { left, top } = link.getBoundingClientRect();
    (document.elementFromPoint(left + 9, top + 9) as HTMLElement).click();
  });
  await page.waitForURL("**/shops");
});

test("a success lies below the viewer of pages, whose button to close it can be pressed", async () => {
  const file = pdfFile("Ten.pdf", await pdfOfPages(10));
  const { page } = await visitWithFiles(storefront, [file], { viewport: { width: 390, height: 844 } });
  await pick(page, "Choose PDF files", [pdfFile("Two.pdf", await pdfOfPages(2))]);
  const popup = page.getByRole("dialog", { name: SUCCESS.fileUploaded.title });
  // It does not go by itself.
  await popup.hover();
  await page.getByRole("button", { name: "View pages of Ten.pdf" }).press("Enter");
  const close = page.getByRole("button", { name: "Close the page viewer" });
  await close.waitFor();
  const isOnTop = (button: Element) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  expect([await popup.isVisible(), await close.evaluate(isOnTop)]).toEqual([true, true]);
});

test("a success goes by Escape, and gives the focus back that was in it", async () => {
  const page = await storefront.visit("/login");
  await logIn(page);
  const popup = page.getByRole("dialog", { name: "Loggedin Successfully", exact: true });
  await popup.hover();
  await page.getByRole("link", { name: "Print Now" }).focus();
  await popup.getByRole("button", { name: "OK" }).focus();
  await page.keyboard.press("Escape");
  await popup.waitFor({ state: "detached" });
  await page.locator("a:focus", { hasText: "Print Now" }).waitFor();
});

test("a success waits while an error lies over it, and while another app is looked at", async () => {
  const page = await storefront.visit("/login", { refused: ["accounts.logout"] });
  await page.clock.install();
  await logIn(page);
  const popup = page.getByRole("dialog", { name: "Loggedin Successfully", exact: true });
  await popup.hover();
  const look = (visibility: DocumentVisibilityState) =>
    page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  await look("hidden");
  await page.mouse.move(0, 0);
  await page.clock.fastForward(LONG);
  expect(await popup.count()).toBe(1);
  await popup.hover();
  await look("visible");
  await page.route("**/api/trpc/accounts.logout*", (route) => route.abort("connectionreset"));
  await page
    .locator("#account-menu button", { hasText: "Logout" })
    .evaluate((button: HTMLElement) => button.click());
  const error = page.locator("[aria-modal=true]");
  await error.waitFor();
  await page.mouse.move(0, 0);
  await page.clock.fastForward(LONG);
  expect(await popup.count()).toBe(1);
  await error.getByRole("button", { name: "OK" }).click();
  await page.mouse.move(0, 0);
  await error.waitFor({ state: "detached" });
  await page.clock.fastForward(LONG);
  await popup.waitFor({ state: "detached" });
});

test("an error stays until it is dismissed", async () => {
  const page = await storefront.visit("/login", { refused: ["accounts.login"] });
  await page.clock.install();
  await logIn(page, "not my password");
  await page.getByRole("dialog", { name: "Invalid email or password" }).waitFor();
  await page.clock.fastForward(LONG);
  await closePopup(page, "Invalid email or password");
});

test("an error is shown though the script of its popup does not come", async () => {
  const page = await storefront.visit("/login", { refused: ["accounts.login"] });
  await page.route(/\/assets\/error-popup-/, () => {});
  const shown = page.waitForEvent("dialog");
  await logIn(page, "not my password");
  const dialog = await shown;
  expect(dialog.message()).toContain("Invalid email or password");
  await dialog.accept();
});
