import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { htmlFaults } from "./valid-html.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Dark mode changes only colours, so only the rules about colours are checked again. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** The screens that were looked at in the wide layout; other states of one, and other things shown on it, have the same. */
const seenWide = new Set<string>();

/**
 * The screen fits on a phone and on a desktop, axe finds no problems in light and dark mode, and html-validate finds none
 * in its HTML. The wide layout, which media queries make another, is given to axe once for each screen, and the narrow one
 * in every state; of a screen that it has seen, only the dialog where one covers it.
 */
export async function expectAccessibleScreen(page: Page, state = page.url()): Promise<void> {
  const screen = screenOf(page.url());
  const isSeen = seenWide.has(screen);
  const dialog = page.locator("[role=dialog][aria-modal=true]").last();
  const part = isSeen && (await dialog.count()) > 0 ? dialog : page.locator(":root");
  await expectAccessiblePart(part, state);
  if (isSeen) return;
  await expectNoFaults(part, "dark", state);
  await expectNoFaults(part, "light", state);
  seenWide.add(screen);
}

/** The same of a part that has appeared on a screen which another state or test shows to axe in the wide layout. */
export async function expectAccessiblePart(part: Locator, state = part.page().url()): Promise<void> {
  const page = part.page();
  expect(await htmlFaults(await page.evaluate(ownHtml)), `${state}: html-validate`).toEqual([]);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await expectNoSidewaysScroll(page, 390);
  await expectNoFaults(part, "light", state);
  await expectNoFaults(part, "dark", state);
  await expectNoSidewaysScroll(page, 1280);
}

/** The address without the ids in it, and without what is searched for. */
function screenOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("search");
  return `${pathname}?${searchParams}`.replace(/[\w-]{36}/g, "ID");
}

/** The states of a screen, the steps that lead to each of them from the one before, and what alone is new in it, if that is a part. */
export type ScreenStates = [
  state: string,
  step: (page: Page) => Promise<unknown>,
  part?: (page: Page) => Locator,
][];

/** Each of these states is an accessible screen, reached one after another without loading the page again. */
export async function expectAccessibleStates(page: Page, states: ScreenStates): Promise<void> {
  for (const [state, step, part] of states) {
    await step(page);
    if (part) await expectAccessiblePart(part(page), state);
    else await expectAccessibleScreen(page, state);
  }
}

interface Look {
  colorScheme: "light" | "dark";
  /** All, if they are not given. */
  rules: string[] | undefined;
}

async function expectNoFaults(part: Locator, colorScheme: Look["colorScheme"], state: string): Promise<void> {
  const page = part.page();
  await page.emulateMedia({ colorScheme });
  const rules = colorScheme === "dark" ? COLOUR_RULES : undefined;
  const faults = await part.evaluate(findFaults, { colorScheme, rules });
  expect(faults, `${state}: ${page.viewportSize()?.width} px, ${colorScheme}`).toEqual([]);
}

/** The width of a window that lays a page out as a phone 390 px wide does whose letters are twice as large. */
export const LARGE_LETTERS = 195;

/** At this window width the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const actual = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(actual, { message: `width of the page in a window of ${width} px` }).toBe(width);
}

/**
 * The violations by rule, once the page has these colours; passes are left out because reporting them takes longer than
 * finding them.
 */
async function findFaults(part: Element, { colorScheme, rules }: Look): Promise<[string, string[]][]> {
  const html = document.documentElement;
  await new Promise<void>((resolve) => {
    const look = () => html.dataset.mantineColorScheme === colorScheme && resolve();
    // Not by a timer, as a test may have stopped the page's clock.
    new MutationObserver(look).observe(html, { attributes: true });
    look();
  });
  // Axe would judge running transitions half way. Not awaited, because one whose element disappears never ends.
  for (const animation of document.getAnimations())
    if (animation instanceof CSSTransition) animation.finish();
  const { violations } = await window.axe.run(part, {
    reporter: "no-passes",
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  });
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/**
 * The HTML of the page without what Mantine writes against the rules: style tags beside elements with responsive props, and
 * a div around what is in a burger's button and in the labels of a switch and a rating; scripts and styles are no HTML.
 */
function ownHtml(): string {
  const copy = document.documentElement.cloneNode(true) as Element;
  for (const style of copy.querySelectorAll("style[data-mantine-styles=inline]")) style.remove();
  for (const other of copy.querySelectorAll("script, style")) other.textContent = "";
  const wrappers = ["Burger-burger", "Switch-labelWrapper", "Switch-description", "Rating-symbolBody"];
  for (const wrapper of copy.querySelectorAll(wrappers.map((name) => `.mantine-${name}`).join()))
    wrapper.replaceWith(...wrapper.childNodes);
  return `<!doctype html>${copy.outerHTML}`;
}
