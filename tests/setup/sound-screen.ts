import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** In dark nothing but the colours differs from light. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Each width begins with the scheme that the one before ended with: the page takes a while to change. */
const LOOKS = [
  [390, ["light", "dark"]],
  [1280, ["dark", "light"]],
] as const;

/** The screen fits a phone and a desktop, and axe finds no fault in light or dark. */
export async function expectSoundScreen(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const [width, schemes] of LOOKS) {
    await expectFit(page, width);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await page.evaluate(endTransitions);
      const faults = await page.evaluate(findFaults, colorScheme === "dark" ? COLOUR_RULES : undefined);
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

/** What breaks a rule, by the rule; what passes is left out, as writing it down takes longer than finding it. */
async function findFaults(rules?: string[]): Promise<[string, string[]][]> {
  const { violations } = await window.axe.run({
    reporter: "no-passes",
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  });
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
