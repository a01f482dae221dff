import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { delayRequests, openStorefront } from "../setup/storefront.ts";
import { button } from "./accounts-steps.ts";

const storefront = openStorefront();

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

async function readyToSignUp() {
  const page = await storefront.visit("/signup");
  const { fullName, email, phone, password } = newStudent();
  await fill(page, { "Full name": fullName, Email: email, "Mobile number": phone });
  await fill(page, { Password: password, "Confirm password": password });
  return { page, send: () => button(page, "Signup").click() };
}

async function readyToVerify() {
  const student = newStudent();
  await register(storefront.store.visitor(), student);
  const page = await storefront.visit("/account-verify");
  const code = await newestCode(storefront.store, student.email);
  await fill(page, { "Mobile number": student.phone, "OTP code": code.slice(0, -1) });
  return { page, send: () => page.keyboard.type(code.slice(-1)) };
}

async function readyToAskForAnOtp() {
  const page = await storefront.visit("/login");
  await page.getByRole("main").getByRole("button", { name: "Login", exact: true, disabled: false }).waitFor();
  await button(page, "Login With OTP").click();
  await page.getByRole("dialog").getByLabel("Email").fill("asha@college.example");
  return { page, send: () => page.getByRole("dialog").getByRole("button", { name: "Send OTP" }).click() };
}

async function readyToLoginByOtp() {
  const { student } = await signedInStudent(storefront.store);
  storefront.store.clock.advance({ seconds: 1 });
  const { email } = student;
  await storefront.store.visitor().mutate("accounts.requestLoginOtp", { email });
  const page = await storefront.visit("/robots.txt");
  await page.evaluate((address) => sessionStorage.setItem("otpEmail", address), email);
  await page.goto("/login-with-otp");
  const code = await newestCode(storefront.store, email);
  await fill(page, { "OTP code": code.slice(0, -1) });
  return { page, send: () => page.keyboard.type(code.slice(-1)) };
}

async function readyToRecover() {
  const page = await storefront.visit("/forgotpassword");
  await page.getByRole("dialog").getByLabel("Email").fill("asha@college.example");
  return { page, send: () => page.getByRole("dialog").getByRole("button", { name: "Send link" }).click() };
}

async function readyToWrite() {
  const page = await storefront.visit("/contact-us");
  await fill(page, { "Full name": "Ravi", Email: "ravi@college.example", Message: "Hello" });
  return { page, send: () => button(page, "Send message").click() };
}

async function readyToOpenAShop() {
  const page = await storefront.visit("/shops");
  return { page, send: () => page.getByRole("link", { name: "Red Soil Prints" }).click() };
}

test.each<[string, string, () => Promise<{ page: Page; send: () => Promise<void> }>]>([
  ["a signup", "accounts.register", readyToSignUp],
  ["a verification", "accounts.verify", readyToVerify],
  ["a request for an OTP", "accounts.requestLoginOtp", readyToAskForAnOtp],
  ["a login by OTP", "accounts.loginWithOtp", readyToLoginByOtp],
  ["a request for a recovery link", "accounts.requestPasswordLink", readyToRecover],
  ["a contact message", "contact.send", readyToWrite],
  ["the check of a shop", "shops.byId", readyToOpenAShop],
])("'Please wait' covers the page during %s, and no longer", async (_request, procedure, prepare) => {
  const { page, send } = await prepare();
  const release = await delayRequests(page, `**/api/trpc/${procedure}?*`);
  await send();
  const overlay = page.getByText("Please wait", { exact: true });
  await overlay.waitFor();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const isCovered = () =>
    page.evaluate(
      (corners) =>
        corners.every(([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest("[role=status]")),
      [
        [1, 1],
        [width / 2, 9],
        [width - 20, height - 1],
      ],
    );
  await expect.poll(isCovered).toBe(true);
  release();
  await overlay.waitFor({ state: "detached" });
});
