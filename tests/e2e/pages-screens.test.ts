import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

const PATHS = [
  "/",
  "/shops",
  "/shops?q=nowhere",
  "/contact-us",
  "/about-us",
  "/faq",
  "/how-it-works",
  "/support",
  "/terms-and-conditions",
  "/privacy-policy",
  "/refund-and-cancellation",
  "/nowhere",
];

test.each(PATHS)("%s fits every width, and axe finds no fault in light or dark", async (path) => {
  const page = await storefront.visit(path, { refused: ["/nowhere"] });
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    if (width === 320) continue;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    }
  }
});
