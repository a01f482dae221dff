import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** In dark nothing but the colours differs from light. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The screen fits a phone and a desktop, and axe finds no fault in light or dark. */
export async function expectSoundScreen(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await expectFit(page, width);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await page.evaluate(endTransitions);
      const axe = new AxeBuilder({ page }).setLegacyMode();
      if (colorScheme === "dark") axe.withRules(COLOUR_RULES);
      const { violations } = await axe.analyze();
      const faults = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
      expect(faults, `${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** In a window of this width the page is not wider. */
export async function expectFit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const actual = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(actual, { message: `width of the page in a window of ${width} px` }).toBe(width);
}

/** Colours that are on their way from dark to light would be judged half way. Not awaited: one whose element goes meanwhile never ends. */
function endTransitions(): void {
  for (const animation of document.getAnimations())
    if (animation instanceof CSSTransition) animation.finish();
}
