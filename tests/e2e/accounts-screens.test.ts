import type { Page } from "playwright-core";
import { test } from "vitest";
import { expectAccessibleScreen, expectNoSidewaysScroll } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-popups.ts";

const storefront = openStorefront();

/** Every stable state of every account screen: its path, and the steps that lead to the state. */
const SCREENS: [string, string, (page: Page) => Promise<unknown>][] = [
  ["the login", "/login", async () => {}],
  ["a login that is not filled in", "/login", (page) => button(page, "Login").click()],
  ["the request for an OTP", "/login", openOtpDialog],
  ["a signup that is not filled in", "/signup", (page) => button(page, "Signup").click()],
  ["the verification", "/account-verify", (page) => page.getByLabel("Code").waitFor()],
  ["the OTP login", "/login-with-otp", (page) => page.getByLabel("Code").waitFor()],
  ["a forgotten password", "/forgotpassword", (page) => page.getByRole("dialog").waitFor()],
  ["a new password", "/reset-password?token=some", async () => {}],
  ["a dead link", "/reset-password", async () => {}],
];

async function openOtpDialog(page: Page) {
  await button(page, "Login With OTP").click();
  await page.getByRole("dialog").waitFor();
}

test.each(SCREENS)("%s fits every width and passes axe in light and dark", async (_name, path, open) => {
  const page = await storefront.visit(path);
  await open(page);
  await expectNoSidewaysScroll(page, 320);
  await expectAccessibleScreen(page);
});
