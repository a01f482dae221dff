import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-popups.ts";

const storefront = openStorefront();

/** Every account screen in every state that it rests in: its address, and how to get to the state from there. */
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

test.each(SCREENS)(
  "%s fits every width, and axe finds no fault in light or dark",
  async (_name, path, open) => {
    const page = await storefront.visit(path);
    await open(page);
    expect(await widthAt(page, 320)).toBe(320);
    for (const width of [390, 1280]) {
      expect(await widthAt(page, width)).toBe(width);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        const { violations } = await new AxeBuilder({ page }).analyze();
        const faults = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
        expect(faults, `${width} px, ${colorScheme}`).toEqual([]);
      }
    }
  },
);

/** How wide the page becomes in a window of this width. */
async function widthAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(() => document.documentElement.scrollWidth);
}
