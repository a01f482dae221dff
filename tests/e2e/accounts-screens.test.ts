import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-popups.ts";

const storefront = openStorefront();

/** Every account screen in every state that it rests in: how to get there from its address. */
const SCREENS: [string, string, (page: Page) => Promise<unknown>][] = [
  ["the login", "/login", async () => {}],
  ["a login that is not filled in", "/login", (page) => button(page, "Login").click()],
  ["the request for an OTP", "/login", (page) => button(page, "Login With OTP").click()],
  ["a signup that is not filled in", "/signup", (page) => button(page, "Signup").click()],
  ["the verification", "/account-verify", (page) => page.getByLabel("Code").waitFor()],
  ["the OTP login", "/login-with-otp", (page) => page.getByLabel("Code").waitFor()],
  ["a forgotten password", "/forgotpassword", (page) => page.getByRole("dialog").waitFor()],
  ["a new password", "/reset-password?token=some", async () => {}],
  ["a dead link", "/reset-password", async () => {}],
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 390, 1280]) {
    test.each(SCREENS)(
      `%s fits a ${colorScheme} screen of ${width} px and axe finds no fault`,
      async (...screen) => {
        const [, path, open] = screen;
        const page = await storefront.visit(path, { colorScheme, viewport: { width, height: 800 } });
        await open(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      },
    );
  }
}
