import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newestCode, newStudent, signedInStudent } from "../factories/students.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  button,
  fieldErrorOf,
  filledInBy,
  fillSignup,
  focusedLabel,
  pressEnter,
  SIGNUP_LABELS,
  type SignupLabel,
} from "./accounts-steps.ts";

const storefront = openStorefront();

function countCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(request.url());
  });
  return calls;
}

async function termsAcceptedAt(email: string): Promise<string | null> {
  const user = await storefront.store.deps.readDb
    .selectFrom("users")
    .select("terms_accepted_at")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return user.terms_accepted_at;
}

describe("signing up", () => {
  test("leads from the form through the mailed code and the login to an account in the header", async () => {
    const student = newStudent();
    const page = await storefront.visit("/login");
    const main = page.getByRole("main");
    expect(await filledInBy(main)).toEqual(["username", "current-password"]);
    await main.getByRole("link", { name: "Sign up" }).click();
    await page.waitForURL("**/signup");
    await expect.poll(() => page.getByRole("checkbox", { name: "I agree" }).isChecked()).toBe(false);
    expect(await filledInBy(main)).toEqual([
      "name",
      "username",
      "tel-national",
      "new-password",
      "new-password",
    ]);
    const buttons = await page.getByRole("button", { name: /^Show / }).all();
    expect(await Promise.all(buttons.map((button) => button.getAttribute("aria-label")))).toEqual([
      "Show what is typed",
      "Show what is typed",
    ]);
    await fillSignup(page, student);
    await pressEnter(page);

    await closePopup(page, "Account Created Successfully", "Please Verify Your Account");
    await page.waitForURL("**/account-verify");
    expect(await page.evaluate(() => sessionStorage.getItem("phone"))).toBe(student.phone);
    expect(await termsAcceptedAt(student.email)).toBeNull();

    await page.getByLabel("Code").and(page.locator(":focus")).waitFor();
    expect(await filledInBy(main)).toEqual(["one-time-code"]);
    await page.getByRole("button", { name: /^Send a new code in \d+ s$/ }).waitFor();
    await Promise.all([
      closePopup(page, "Account Verified Successfully", "Login Now"),
      page.keyboard.type(await newestCode(storefront.store, student.email)),
    ]);
    await closePopup(page, "Loggedin Successfully");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/");
    await page.getByRole("button", { name: "My Account" }).click();
    await expect.poll(() => page.getByText(student.email).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole("button", { name: "Logout" }).isVisible()).toBe(true);
  });

  test("leads to a login with the e-mail filled in, the password focused, if the page was reloaded meanwhile", async () => {
    const student = newStudent();
    const page = await storefront.visit("/signup");
    const sharedBox = page.getByLabel("This is a shared computer");
    await sharedBox.check();
    await fillSignup(page, {
      ...student,
      phone: `+91 ${student.phone.slice(0, 5)}-${student.phone.slice(5)}`,
    });
    await pressEnter(page);
    await page.waitForURL("**/account-verify");
    expect(await page.evaluate(() => sessionStorage.getItem("phone"))).toBe(student.phone);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
    expect(stored).not.toContain(student.password);
    await page.reload();
    const code = await newestCode(storefront.store, student.email);
    await page.getByLabel("Code").fill(`Your code is ${code.slice(0, 3)} ${code.slice(3)}. Do not share it.`);
    await page.waitForURL("**/login");
    await page.getByLabel("Password", { exact: true }).and(page.locator(":focus")).waitFor();
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(student.email);
    await expect.poll(() => sharedBox.isChecked()).toBe(true);
    await page.keyboard.type(student.password);
    await page.keyboard.press("Enter");
    await closePopup(page, "Loggedin Successfully");
    const session = (await page.context().cookies()).find(({ name }) => name === "session");
    expect(session?.expires).toBe(-1);
  });

  test("is left behind: Back after the first login leads to the page before, not through the forms", async () => {
    const student = newStudent();
    const page = await storefront.visit("/shops");
    await page.getByRole("link", { name: "Red Soil Prints" }).click();
    await page.waitForURL("**/login?*");
    await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Full name").and(page.locator(":focus")).waitFor();
    await fillSignup(page, student);
    await pressEnter(page);
    await page.waitForURL("**/account-verify?*");
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await page.waitForURL("**/printnow?id=red-soil-prints");
    await page.goBack();
    await page.waitForURL("**/shops");
    await page.getByRole("heading", { level: 1, name: "Print shops" }).waitFor();
  });

  test("records the consent when the terms box is ticked", async () => {
    const student = newStudent();
    const page = await storefront.visit("/signup");
    await fillSignup(page, student);
    await page.getByRole("checkbox", { name: "I agree to the Terms and Conditions" }).check();
    await button(page, "Signup").click();
    await closePopup(page, "Account Created Successfully");
    expect(await termsAcceptedAt(student.email)).toBe(storefront.store.clock.now().toISOString());
  });

  const form = storefront.visitOnce("/signup");

  test.each<[string, Partial<Record<SignupLabel, string>>, Partial<Record<SignupLabel, string>>]>([
    [
      "every field of an empty form",
      { "Full name": "", Email: "", "Mobile number": "", Password: "", "Confirm password": "" },
      {
        "Full name": "Full name is required",
        Email: "Email address must be a valid address",
        "Mobile number": "Phone number should be a 10-digit number",
        Password: "Password is required",
        "Confirm password": "Password is required",
      },
    ],
    [
      "a phone of nine digits together with passwords that differ",
      { "Mobile number": "987654321", "Confirm password": "another" },
      {
        "Mobile number": "Phone number should be a 10-digit number",
        "Confirm password": "New password and Confirm Password should be the same",
      },
    ],
    [
      "a phone with letters",
      { "Mobile number": "98765abcde" },
      { "Mobile number": "Phone number should be a 10-digit number" },
    ],
    ["an e-mail without a domain", { Email: "asha@" }, { Email: "Email address must be a valid address" }],
  ])("refuses %s without calling the server", async (_case, change, expected) => {
    const page = form();
    const calls = countCalls(page);
    await fillSignup(page, newStudent(), change);
    await button(page, "Signup").click();
    for (const label of SIGNUP_LABELS)
      await expect.poll(() => fieldErrorOf(page, label)).toBe(expected[label] ?? null);
    await expect.poll(() => focusedLabel(page)).toBe(Object.keys(expected)[0]);
    expect(calls).toEqual([]);
  });

  test("shows the server's refusal in a popup titled Error and keeps the input", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/signup", { refused: ["accounts.register"] });
    await fillSignup(page, student);
    await button(page, "Signup").click();
    await closePopup(page, "Error", "An account with this email already exists. Please log in");
    await expect.poll(() => page.getByLabel("Full name").inputValue()).toBe(student.fullName);
  });

  test("keeps the form while the terms are read", async () => {
    const page = await storefront.visit("/signup");
    await page.getByLabel("Full name").fill("Asha");
    const [terms] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("main").getByRole("link", { name: "Terms and Conditions" }).click(),
    ]);
    await terms.waitForURL("**/terms-and-conditions");
    await expect.poll(() => page.getByLabel("Full name").inputValue()).toBe("Asha");
  });
});
