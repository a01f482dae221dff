import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";
import { pathOf } from "./accounts-popups.ts";
import { PRINT_PATH, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

const FOR_EVERYONE = [
  "/",
  "/about-us",
  "/contact-us",
  "/test",
  "/shops",
  "/terms-and-conditions",
  "/privacy-policy",
  "/refund-and-cancellation",
  "/faq",
  "/forgotpassword",
];
const FOR_GUESTS = ["/login", "/signup", "/account-verify", "/login-with-otp"];
const FOR_USERS = [PRINT_PATH, "/printorder"];

/** Opens this path and returns the page's content between header and footer of the shared layout. */
async function expectPage(page: Page, path: string) {
  expect(pathOf(page)).toBe(new URL(path, storefront.store.url).pathname);
  await page.getByRole("main").locator("h1").waitFor({ state: "attached" });
  for (const part of ["banner", "main", "contentinfo"] as const) {
    expect(await page.getByRole(part, { includeHidden: true }).count()).toBe(1);
  }
}

describe("a guest", () => {
  test.each([...FOR_EVERYONE, ...FOR_GUESTS])("gets %s in the shared layout", async (path) => {
    await expectPage(await storefront.visit(path), path);
  });

  test.each(FOR_USERS)("is sent from %s to the login", async (path) => {
    const page = await storefront.visit(path);
    expect(pathOf(page)).toBe("/login");
  });
});

describe("a logged-in user", () => {
  test.each([...FOR_EVERYONE, ...FOR_USERS])("gets %s in the shared layout", async (path) => {
    const { page } = await visitAsStudent(storefront, {}, path);
    await expectPage(page, path);
  });

  test.each(["Profile", "Orders", "Settings"])("opens %s from the account menu", async (name) => {
    const { page } = await visitAsStudent(storefront, {}, "/");
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  });
});

describe("the login check", () => {
  test("is part of the page, without a request of its own", async () => {
    const { page, student } = await visitAsStudent(storefront, {}, "/about-us");
    const calls: string[] = [];
    page.on("request", (request) => calls.push(request.url()));
    await page.goto("/", { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByText(student.email).waitFor();
    expect(calls.filter((url) => url.includes("/api/"))).toEqual([]);
  });

  const answers = {
    "an answer that fails": { status: 500, body: '[{"error":{"message":"Down","code":-32603,"data":{}}}]' },
    "an empty answer": { status: 200, body: '[{"result":{"data":null}}]' },
  };
  test.each(Object.keys(answers) as (keyof typeof answers)[])(
    "treats %s as a guest, without a message",
    async (kind) => {
      const { page } = await visitAsStudent(storefront, {}, "/");
      page.removeAllListeners("console");
      await page.getByRole("button", { name: "My Account" }).click();
      await page.clock.install({ time: Date.now() });
      await page.clock.fastForward("02:00");
      await page.route("**/api/trpc/accounts.me*", (route) =>
        route.fulfill({ ...answers[kind], contentType: "application/json" }),
      );
      await page.locator("#account-menu").getByRole("link", { name: "Orders" }).click();
      await page.waitForURL("**/login?*");
      await page.getByLabel("Email").waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByRole("alert").count()).toBe(0);
    },
  );
});
