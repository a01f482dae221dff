import { beforeAll, describe, expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";
import { PRINT_PATH, visitAs, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

/** Each page as the server sends it, with its heading. */
const FOR_EVERYONE = [
  ["/", "Online Printing Shop"],
  ["/about-us", "About us"],
  ["/contact-us", "Contact us"],
  ["/test", "Contact us"],
  ["/shops", "Print shops near your college"],
  ["/terms-and-conditions", "Terms and Conditions"],
  ["/privacy-policy", "Privacy Policy"],
  ["/refund-and-cancellation", "Refund and Cancellation"],
  ["/faq", "FAQs"],
  ["/forgotpassword", "Forgot password"],
] as const;
/** What depends on the tab is drawn by its script. */
const FOR_GUESTS = [
  ["/login", "Login"],
  ["/signup", "Signup"],
  ["/account-verify", "Loading..."],
  ["/login-with-otp", "Loading..."],
] as const;
const FOR_USERS = [
  [PRINT_PATH, "Print your files"],
  ["/printorder", "Your order"],
] as const;

/** The server answers this path with this page in the shared layout: one header, one main part and one footer. */
async function expectPage(visitor: ApiClient, path: string, heading: string) {
  const { status, body } = await visitor.get(path);
  expect(status).toBe(200);
  const [main = "", ...others] = body.match(/<main\b.*?<\/main>/gs) ?? [];
  expect(others).toEqual([]);
  const shown = /<h1\b.*?<\/h1>/s.exec(main)?.[0] ?? />Loading\.\.\.</.exec(main)?.[0] ?? "";
  expect(shown.replaceAll(/<br[^>]*>/g, " ").replaceAll(/^>|<[^>]*>?/g, "")).toBe(heading);
  const around = body.replace(main, "");
  for (const tag of ["header", "footer"]) expect(around.match(new RegExp(`<${tag}\\b`, "g"))).toHaveLength(1);
  for (const name of ["Main", "Useful Links", "Help", "Legal"])
    expect(around).toMatch(new RegExp(`<nav\\b[^>]*aria-label="${name}"`));
}

describe("a guest", () => {
  test.each([...FOR_EVERYONE, ...FOR_GUESTS])("gets %s in the shared layout", async (path, heading) => {
    await expectPage(storefront.store.visitor(), path, heading);
  });

  test.each(FOR_USERS)("is sent from %s to the login", async (path) => {
    const { status, headers } = await storefront.store.visitor().get(path);
    expect([status, headers.get("location")]).toEqual([307, `/login?redirect=${encodeURIComponent(path)}`]);
  });
});

describe("a logged-in user", () => {
  let visitor: ApiClient;
  beforeAll(async () => {
    ({ visitor } = await signedInStudent(storefront.store));
  });

  test.each([...FOR_EVERYONE, ...FOR_USERS])("gets %s in the shared layout", async (path, heading) => {
    await expectPage(visitor, path, heading);
  });

  test("opens Profile, Orders and Settings from the account menu", async () => {
    const page = await visitAs(storefront, visitor, {}, "/");
    for (const name of ["Profile", "Orders", "Settings"]) {
      await page.getByRole("button", { name: "My Account" }).click();
      await page.locator("#account-menu").getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    }
  });
});

describe("the login check", () => {
  test("is part of the page, without a request of its own", async () => {
    const { page, student } = await visitAsStudent(storefront, {}, "/about-us");
    const calls: string[] = [];
    page.on("request", (request) => calls.push(request.url()));
    await page.goto("/");
    await answersCome(page);
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
      const { page, student } = await visitAsStudent(storefront, {}, "/");
      const menu = page.locator("#account-menu");
      page.removeAllListeners("console");
      await page.getByRole("button", { name: "My Account" }).click();
      await page.clock.install({ time: Date.now() });
      await page.clock.fastForward("02:00");
      await page.route("**/api/trpc/accounts.me*", (route) =>
        route.fulfill({ ...answers[kind], contentType: "application/json" }),
      );
      await menu.getByRole("link", { name: "Orders" }).click();
      await page.waitForURL("**/login?*");
      await page.getByLabel("Email").waitFor();
      await page.getByRole("button", { name: "My Account" }).click();
      await menu.getByRole("link", { name: "Login" }).waitFor();
      expect(await menu.textContent()).not.toContain(student.email);
      await answersCome(page);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByRole("alert").count()).toBe(0);
    },
  );
});
