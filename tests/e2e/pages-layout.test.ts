import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import {
  answersCome,
  closePopup,
  delayRequests,
  delayScript,
  openStorefront,
  scriptRuns,
} from "../setup/storefront.ts";
import { pathOf } from "./accounts-steps.ts";
import { pdfFile, row, visitAsStudent, visitWithFiles } from "./print-steps.ts";

const storefront = openStorefront();
const home = storefront.visitOnce("/");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

const NAVIGATION = [
  ["Home", "/"],
  ["About", "/about-us"],
  ["Shops", "/shops"],
  ["Contact", "/contact-us"],
] as const;

const FOOTER = {
  "Useful Links": [
    ["Home", "/"],
    ["About Us", "/about-us"],
    ["Contact Us", "/contact-us"],
  ],
  Help: [
    ["How it works", "/how-it-works"],
    ["FAQs", "/faq"],
    ["Support", "/support"],
  ],
  Legal: [
    ["Privacy Policy", "/privacy-policy"],
    ["Terms and Conditions", "/terms-and-conditions"],
    ["Refund and Cancellation", "/refund-and-cancellation"],
  ],
};

async function linksOf(page: Page, selector: string): Promise<(string | null)[][]> {
  const links = await page.locator(selector).getByRole("link").all();
  return Promise.all(links.map(async (link) => [await link.innerText(), await link.getAttribute("href")]));
}

async function openAccountMenu(page: Page) {
  await page.getByRole("button", { name: "My Account" }).click();
  return page.locator("#account-menu");
}

test("buttons, also the eye of a password and the cross of a dialog, are large enough for a finger on a touch screen", async () => {
  const page = await storefront.visit("/login", { ...PHONE, isMobile: true });
  const openDialog = page.getByRole("button", { name: "Login With OTP" });
  await openDialog.waitFor();
  expect(await smallerSides(page.locator("main").getByRole("button"))).toEqual(Array(5).fill(LARGE_ENOUGH));
  await openDialog.tap();
  const close = page.getByRole("dialog").getByRole("button", { name: "Close" });
  await close.waitFor();
  expect(await smallerSides(close)).toEqual([LARGE_ENOUGH]);
});

test("the frame of what has the focus is also around a password, whose field would cut it off", async () => {
  const page = await storefront.visit("/login");
  const password = page.getByLabel("Password", { exact: true });
  await password.focus();
  const frames = await password.evaluate((input) =>
    [input, input.parentElement ?? input].map((element) => {
      const { outlineStyle, outlineWidth, overflow } = getComputedStyle(element);
      return { outline: `${outlineStyle} ${outlineWidth}`, overflow };
    }),
  );
  expect(frames[1]).toEqual({ outline: "solid 2px", overflow: "hidden" });
});

test("the example in an empty field does not turn red with the field's error", async () => {
  const page = await storefront.visit("/signup");
  const field = page.getByLabel("Full name");
  const colour = () => field.evaluate((input) => getComputedStyle(input, "::placeholder").color);
  const before = await colour();
  await page.getByRole("button", { name: "Signup" }).click();
  await page.getByText("Full name is required").waitFor();
  expect(await colour()).toBe(before);
});

test("what is pressed in the row of a file is large enough for a finger", async () => {
  const files = [pdfFile("1.pdf", await pdfOfPages(1)), pdfFile("2.pdf", await pdfOfPages(2))];
  const { page } = await visitWithFiles(storefront, files, { ...PHONE, isMobile: true });
  await row(page, "2.pdf").getByText("2 pages").waitFor();
  await row(page, "2.pdf").getByText("Other options for this file").waitFor();
  const sizes = await smallerSides(row(page, "2.pdf").getByRole("button"));
  expect(sizes.length).toBeGreaterThanOrEqual(6);
  expect(sizes).toEqual(sizes.map(() => LARGE_ENOUGH));
});

/** The name of what has the focus, if it is in the page. */
function labelInPage(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "";
  return focused.getAttribute("aria-label") ?? focused.textContent;
}

const LARGE_ENOUGH = expect.toSatisfy((px: number) => px >= 44, "44 px or more");

/** The smaller side of each, in px. */
function smallerSides(buttons: Locator): Promise<number[]> {
  return buttons.evaluateAll((all) =>
    all.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return Math.min(width, height);
    }),
  );
}

describe("the header", () => {
  test("stays at the top when the page is scrolled", async () => {
    const page = await storefront.visit("/terms-and-conditions");
    await page.mouse.wheel(0, 2000);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
    expect((await page.getByRole("banner").boundingBox())?.y).toBe(0);
  });

  test("covers no label of a field that takes the focus for what was typed wrong", async () => {
    const page = await storefront.visit("/signup", PHONE);
    const field = page.getByLabel("Full name");
    // Half of the field lies under the header.
    await field.evaluate((it) =>
      window.scrollBy({ top: it.getBoundingClientRect().top - 40, behavior: "instant" }),
    );
    await page.getByRole("main").getByRole("button", { name: "Signup" }).click();
    await page.locator(":focus").and(field).waitFor();
    const top = () =>
      page.getByText("Full name", { exact: true }).evaluate((it) => it.getBoundingClientRect().top);
    const header = await page.getByRole("banner").boundingBox();
    await expect.poll(top).toBeGreaterThanOrEqual(header?.height ?? 0);
  });

  test("links to the home page with its logo", async () => {
    const logo = home().getByRole("banner").getByRole("link", { name: "Print Store" });
    await expect.poll(() => logo.getAttribute("href")).toBe("/");
  });

  test("shows the four navigation entries in a row on a desktop", async () => {
    await expect
      .poll(() => linksOf(home(), "header > div > nav"))
      .toEqual(NAVIGATION.map((entry) => [...entry]));
    const tops = await home()
      .locator("header > div > nav a")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    expect(await home().getByRole("button", { name: "Open the menu" }).isVisible()).toBe(false);
  });

  test("shows them in a drawer from the left, titled with the brand, on a phone", async () => {
    const page = await storefront.visit("/", PHONE);
    expect(await page.locator("header > div > nav").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Open the menu" }).click();
    const drawer = page.getByRole("dialog", { name: "Print Store" });
    await expect.poll(() => drawer.getByRole("heading", { name: "Print Store" }).isVisible()).toBe(true);
    await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(0);
    await expect
      .poll(() => linksOf(page, "#main-navigation nav"))
      .toEqual(NAVIGATION.map((entry) => [...entry]));
    await drawer.getByRole("link", { name: "Shops" }).click();
    await page.waitForURL("**/shops");
    await drawer.waitFor({ state: "hidden" });
  });

  test("closes the drawer by a tap beside it, which presses nothing of the page", async () => {
    const page = await storefront.visit("/", { ...PHONE, isMobile: true });
    await page.getByRole("button", { name: "Open the menu" }).tap();
    const drawer = page.getByRole("dialog", { name: "Print Store" });
    await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(0);
    await page.getByRole("button", { name: "My Account" }).tap({ force: true });
    await drawer.waitFor({ state: "hidden" });
    await answersCome(page);
    expect(await page.locator("#account-menu").isVisible()).toBe(false);
  });

  test("keeps Tab within the open drawer", async () => {
    const page = await storefront.visit("/", PHONE);
    await page.getByRole("button", { name: "Open the menu" }).click();
    const reached = [];
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(labelInPage));
    }
    // After the last link comes the browser's own toolbar.
    const once = ["Close the menu", "Home", "About", "Shops", "Contact", ""];
    expect(reached).toEqual([...once, ...once].slice(0, 8));
  });

  test("offers Login and Signup to a guest under 'My Account'", async () => {
    const menu = await openAccountMenu(home());
    await expect.poll(() => menu.getByRole("heading").innerText()).toBe("My Account");
    await expect
      .poll(() => linksOf(home(), "#account-menu"))
      .toEqual([
        ["Login", "/login"],
        ["Signup", "/signup"],
      ]);
    expect(await menu.getByRole("button", { name: "Logout" }).count()).toBe(0);
  });

  test("offers Profile, Orders, Settings and Logout to a logged-in user", async () => {
    const { page } = await visitAsStudent(storefront, {}, "/");
    const menu = await openAccountMenu(page);
    const labels = async () => (await linksOf(page, "#account-menu")).map(([label]) => label);
    await expect.poll(labels).toEqual(["Profile", "Orders", "Settings"]);
    await expect.poll(() => menu.getByRole("button", { name: "Logout" }).isVisible()).toBe(true);
  });

  test("reaches Logout in a low window, as of a phone held sideways or at 200 % zoom", async () => {
    const { page } = await visitAsStudent(storefront, {}, "/");
    const logout = (await openAccountMenu(page)).getByRole("button", { name: "Logout" });
    for (const viewport of [
      { width: 683, height: 320 },
      { width: 640, height: 300 },
    ]) {
      await page.setViewportSize(viewport);
      await logout.scrollIntoViewIfNeeded();
      const { y, height } = (await logout.boundingBox()) ?? { y: Number.NaN, height: 0 };
      expect(y + height).toBeLessThanOrEqual(viewport.height);
    }
    await logout.click();
    await closePopup(page, "Logout Successfully");
  });
});

describe("logging out", () => {
  test("shows 'Loading...' during the request, then 'Logout Successfully', and leaves a guest", async () => {
    const { page, student } = await visitAsStudent(storefront, {}, "/");
    const release = await delayRequests(page, "**/api/trpc/accounts.logout*");
    const menu = await openAccountMenu(page);
    await menu.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("heading", { name: "Loading...", exact: true }).waitFor();
    release();
    await closePopup(page, "Logout Successfully");
    expect(await page.getByRole("heading", { name: "Loading..." }).count()).toBe(0);
    const guestMenu = await openAccountMenu(page);
    await guestMenu.getByRole("link", { name: "Login" }).waitFor();
    expect(await guestMenu.getByRole("button", { name: "Logout" }).count()).toBe(0);
    const shown = await page.locator("body").innerText();
    for (const personal of [student.fullName, student.email]) expect(shown).not.toContain(personal);
    await page.goto("/printorder");
    await expect.poll(() => pathOf(page)).toBe("/login");
  });

  test("shows the server's message on failure, and keeps the session", async () => {
    const { page } = await visitAsStudent(storefront, { refused: ["accounts.logout"] }, "/");
    await page.route("**/api/trpc/accounts.logout*", async (route) => {
      const headers = { ...route.request().headers(), origin: "https://elsewhere.example" };
      await route.fulfill({ response: await route.fetch({ headers }) });
    });
    const menu = await openAccountMenu(page);
    await menu.getByRole("button", { name: "Logout" }).click();
    await page.locator("[aria-modal=true]").waitFor();
    await closePopup(page, "This request did not come from the store's own pages");
    const opened = await page.request.get("/printorder");
    expect(new URL(opened.url()).pathname).toBe("/printorder");
    await page.context().clearCookies();
    const asGuest = await page.request.get("/printorder");
    expect(new URL(asGuest.url()).pathname).toBe("/login");
  });
});

describe("the footer", () => {
  test.each(["/", "/login", "/faq", "/nowhere"])(
    "has three columns of links with a target, on %s",
    async (path) => {
      const { body } = await storefront.store.visitor().get(path);
      const [footer = ""] = /<footer\b.*<\/footer>/s.exec(body) ?? [];
      const titles = [...footer.matchAll(/<nav\b[^>]*><h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title);
      expect(titles).toEqual(Object.keys(FOOTER));
      for (const [title, links] of Object.entries(FOOTER)) {
        const [nav = ""] = new RegExp(`<nav\\b[^>]*aria-label="${title}".*?</nav>`, "s").exec(footer) ?? [];
        const found = [...nav.matchAll(/<a\b[^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
        expect(found.map(([, href, text]) => [text, href])).toEqual(links);
      }
    },
  );

  test("stands in three columns side by side on a desktop", async () => {
    const columns = await home()
      .locator("footer nav")
      .evaluateAll((navs) => navs.map((nav) => nav.getBoundingClientRect()));
    expect(new Set(columns.map(({ left }) => left)).size).toBe(3);
    expect(new Set(columns.map(({ top }) => top)).size).toBe(1);
  });

  test("links to pages that exist", async () => {
    for (const [, path = ""] of Object.values(FOOTER).flat()) {
      expect((await storefront.store.visitor().fetch(path)).status).toBe(200);
    }
  });

  test("ends with the copyright line of 2024, which contains a brand link", async () => {
    const { body } = await storefront.store.visitor().get("/");
    expect(body).toMatch(/© 2024 <a\b[^>]*href="\/"[^>]*>Print Store<\/a>/);
  });
});

describe("on a slow network", () => {
  test("the page does not jump to the top if it was scrolled before its script runs", async () => {
    const page = await storefront.visit("/robots.txt");
    const release = await delayScript(page);
    await page.goto("/terms-and-conditions", { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: "Terms and Conditions" }).waitFor();
    // No further than what has come of the page, at first.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 1500);
        return page.evaluate(() => window.scrollY);
      })
      .toBeGreaterThan(500);
    release();
    await scriptRuns(page);
    await answersCome(page);
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
    await page.waitForURL("**/faq");
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test("a button pressed before the script runs still works", async () => {
    const page = await storefront.visit("/robots.txt");
    const release = await delayScript(page);
    await page.goto("/login", { waitUntil: "commit" });
    await page.getByRole("button", { name: "Login With OTP" }).click();
    release();
    await page.getByRole("dialog", { name: "Login with OTP" }).waitFor();
  });
});

describe("after a navigation", () => {
  test("a screen reader starts at the heading, and Tab continues from there", async () => {
    const page = await storefront.visit("/");
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
    await page.locator("main h1:focus", { hasText: "FAQs" }).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator("main :focus").count()).toBe(1);
  });
});

describe("'Loading...'", () => {
  test("is shown while the login check runs", async () => {
    const guest = await storefront.visit("/");
    const student = (await visitAsStudent(storefront, {}, "/")).page;
    for (const [page, link, heading] of [
      [guest, "Login", "Login"],
      [student, "Orders", "Orders"],
    ] as const) {
      await page.getByRole("button", { name: "My Account" }).waitFor();
      await page.clock.install({ time: Date.now() });
      await page.clock.fastForward("02:00");
      const release = await delayRequests(page, "**/api/trpc/accounts.me*");
      const menu = await openAccountMenu(page);
      await menu.getByRole("link", { name: link }).click();
      await page.getByText("Loading...", { exact: true }).waitFor();
      release();
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    }
  });
});
