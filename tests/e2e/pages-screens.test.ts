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

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 390, 1280]) {
    test.each(PATHS)(
      `%s fits a ${colorScheme} screen of ${width} px and axe finds no fault`,
      async (path) => {
        const page = await storefront.visit(path, {
          colorScheme,
          viewport: { width, height: 800 },
          refused: ["/nowhere"],
        });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      },
    );
  }
}
