import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { ApiClient } from "./api-client.ts";

/** Lets a browser window go on with the session of a visitor who is logged in: options of `visit`. */
export function sessionOf(visitor: ApiClient): Pick<BrowserContextOptions, "storageState"> {
  const { hostname } = new URL(visitor.baseUrl);
  const [name = "", value = ""] = visitor.cookieHeader.split("=");
  const cookie = { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, sameSite: "Lax" }], origins: [] } };
}

/** The screen fits a shop PC and a phone, and axe finds no fault in light or dark. */
export async function expectSoundScreen(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const actual = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(actual, { message: `width of the page in a window of ${width} px` }).toBe(width);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await page.evaluate(restOfTransitions);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const faults = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
      expect(faults, `${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** Colours that are on their way from dark to light would be judged half way. */
async function restOfTransitions(): Promise<void> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}
