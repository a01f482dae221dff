import type { Page } from "playwright-core";
import { test } from "vitest";
import {
  expectAccessibleStates,
  expectNoSidewaysScroll,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-steps.ts";

const storefront = openStorefront();

/** Every stable state of every account screen, each reached from the one before. */
const SCREENS: [string, ScreenStates][] = [
  [
    "/login",
    [
      ["the login", async () => {}],
      ["a login that is not filled in", (page) => button(page, "Login").click()],
      ["the request for an OTP", openOtpDialog],
    ],
  ],
  ["/signup", [["a signup that is not filled in", (page) => button(page, "Signup").click()]]],
  ["/account-verify", [["the verification", (page) => page.getByLabel("Code").waitFor()]]],
  ["/login-with-otp", [["the OTP login", (page) => page.getByLabel("Code").waitFor()]]],
  ["/forgotpassword", [["a forgotten password", (page) => page.getByRole("dialog").waitFor()]]],
  ["/reset-password?token=some", [["a new password", async () => {}]]],
  ["/reset-password", [["a dead link", async () => {}]]],
];

async function openOtpDialog(page: Page) {
  await button(page, "Login With OTP").click();
  await page.getByRole("dialog").waitFor();
}

test.each(SCREENS)("%s fits every width and passes axe in light and dark", async (path, states) => {
  const page = await storefront.visit(path);
  await expectNoSidewaysScroll(page, 320);
  await expectAccessibleStates(page, states);
});
