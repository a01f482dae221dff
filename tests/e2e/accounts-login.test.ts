import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type Student, signedInStudent } from "../factories/students.ts";
import { answersCome, closePopup, delayScript, openStorefront } from "../setup/storefront.ts";
import { button, fieldErrorOf, focusedLabel, pathOf, pressEnter } from "./accounts-steps.ts";

const storefront = openStorefront();

async function fillLogin(page: Page, { email, password }: Pick<Student, "email" | "password">) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}

describe("login by password", () => {
  test("shows field errors without calling the server", async () => {
    const page = await storefront.visit("/login");
    await fillLogin(page, { email: "asha at college", password: "" });
    await button(page, "Login").click();
    await expect.poll(() => fieldErrorOf(page, "Email")).toBe("Email address must be a valid address");
    await expect.poll(() => fieldErrorOf(page, "Password")).toBe("Password is required");
    await expect.poll(() => focusedLabel(page)).toBe("Email");
    await page.getByLabel("Email").fill("asha@college.example");
    await button(page, "Login").click();
    await expect.poll(() => fieldErrorOf(page, "Email")).toBeNull();
    await expect.poll(() => focusedLabel(page)).toBe("Password");
  });

  test("shows the server's message as the popup's title and stays", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/login", { refused: ["accounts.login"] });
    await fillLogin(page, { email: student.email, password: "wrong" });
    await pressEnter(page);
    await closePopup(page, "Invalid email or password");
    await page.getByLabel("Password", { exact: true }).and(page.locator(":focus")).waitFor();
    await expect.poll(() => pathOf(page)).toBe("/login");
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(student.email);
  });

  test("covers the page with 'Please wait' during the request, and sends it once", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/login");
    let calls = 0;
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/trpc/accounts.login?*", async (route) => {
      calls++;
      await answer.promise;
      await route.continue();
    });
    await fillLogin(page, student);
    await pressEnter(page);
    await page.getByText("Please wait").waitFor();
    await page.keyboard.press("Enter");
    answer.resolve();
    await closePopup(page, "Loggedin Successfully");
    expect(calls).toBe(1);
  });

  test("has the scripts of popups once a field is used, before there is anything to say", async () => {
    const page = await storefront.visit("/login");
    await page.getByLabel("Email").focus();
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    for (const script of ["error-popup", "success-popup"])
      await expect.poll(loaded).toContainEqual(expect.stringContaining(`/assets/${script}-`));
  });

  test("reports a missing network", async () => {
    const page = await storefront.visit("/login", { refused: ["accounts.login"] });
    await fillLogin(page, { email: "asha@college.example", password: "secret" });
    await answersCome(page);
    await page.context().setOffline(true);
    await button(page, "Login").click();
    await closePopup(page, "You are offline. Nothing is lost; try again when your internet is back");
  });

  test("accepts what was typed before the page's script ran", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/robots.txt");
    const release = await delayScript(page);
    await page.goto("/login", { waitUntil: "commit" });
    await fillLogin(page, student);
    await page.keyboard.press("Enter");
    release();
    await page.getByRole("main").getByRole("button", { name: "Forgot Password", disabled: false }).waitFor();
    await button(page, "Login").click();
    await closePopup(page, "Loggedin Successfully");
  });

  const form = storefront.visitOnce("/login");

  test("can show the password, also by keyboard", async () => {
    const page = form();
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("secret");
    await expect.poll(() => password.getAttribute("type")).toBe("password");
    await password.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await expect.poll(() => button(page, "Show what is typed").getAttribute("aria-pressed")).toBe("true");
  });

  test("can show the password before the page's script runs", async () => {
    const page = await storefront.visit("/robots.txt");
    const release = await delayScript(page);
    await page.goto("/login", { waitUntil: "commit" });
    await button(page, "Show what is typed").press("Enter");
    release();
    await page.locator("input[name=password][type=text]").waitFor();
  });

  test("shows 'Login with Google' disabled", async () => {
    await expect.poll(() => button(form(), "Login with Google").isDisabled()).toBe(true);
  });
});

describe("the route guards", () => {
  test("send a guest to the login and then back to the requested page", async () => {
    const { visitor, student } = await signedInStudent(storefront.store);
    const [shop] = (await visitor.get("/api/v1/prints/shopslocation")).body.data;
    const page = await storefront.visit(`/printnow?id=${shop._id}`);
    await expect.poll(() => pathOf(page)).toBe("/login");
    await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
    await page.waitForURL("**/signup**");
    await page.getByRole("main").getByRole("link", { name: "Login" }).click();
    await page.waitForURL("**/login**");
    await fillLogin(page, student);
    await button(page, "Login").click();
    await closePopup(page, "Loggedin Successfully");
    await page.waitForURL(`**/printnow?id=${shop._id}`);
  });

  test("do not follow a redirect to another site after the login", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit(`/login?redirect=${encodeURIComponent("//elsewhere.example/")}`);
    await fillLogin(page, student);
    await button(page, "Login").click();
    await closePopup(page, "Loggedin Successfully");
    await expect.poll(() => page.url()).toBe(`${storefront.store.url}/`);
  });

  test.each(["//elsewhere.example/", "/\\elsewhere.example", "https://elsewhere.example/"])(
    "never redirect to another site: %s",
    async (redirect) => {
      const { visitor } = await signedInStudent(storefront.store);
      const { headers } = await visitor.get(`/login?redirect=${encodeURIComponent(redirect)}`);
      expect(headers.get("location")).toBe("/");
    },
  );

  // Browsers leave tabs and line ends out of an address, and a header carries neither those nor other scripts.
  test.each(["/\t/elsewhere.example", "/\n/elsewhere.example", "/हि"])(
    "go home where the redirect is no address: %j",
    async (redirect) => {
      const { visitor } = await signedInStudent(storefront.store);
      const { status, headers } = await visitor.get(`/login?redirect=${encodeURIComponent(redirect)}`);
      expect([status, headers.get("location")]).toEqual([307, "/"]);
    },
  );

  test.each(["/login", "/signup", "/account-verify", "/login-with-otp"])(
    "send a logged-in user from %s to the home page",
    async (path) => {
      const { visitor } = await signedInStudent(storefront.store);
      expect((await visitor.get(path)).headers.get("location")).toBe("/");
    },
  );
});
