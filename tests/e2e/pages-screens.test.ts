import { test } from "vitest";
import { expectAccessibleScreen, expectNoSidewaysScroll, LARGE_LETTERS } from "../setup/accessible-screen.ts";
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

test.each(PATHS)("%s fits every width and passes axe in light and dark", async (path) => {
  const page = await storefront.visit(path, { refused: ["/nowhere"] });
  for (const width of [LARGE_LETTERS, 320]) await expectNoSidewaysScroll(page, width);
  await expectAccessibleScreen(page);
});
