import { describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { newestCode, newStudent, register } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, closePopup, openStorefront } from "../setup/storefront.ts";
import { button, fieldErrorOf, fillSignup, pathOf } from "./accounts-steps.ts";

const storefront = openStorefront();

async function unverifiedStudent() {
  const student = newStudent();
  await register(storefront.store.visitor(), student);
  return student;
}

describe("verifying an account", () => {
  test("in another browser asks for a new password and logs in with it", async () => {
    const student = await unverifiedStudent();
    const page = await storefront.visit("/account-verify");
    await page.getByLabel("Mobile number").fill(student.phone);
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await closePopup(
      page,
      "Account Verified Successfully",
      "You did not sign up in this browser. Please choose your password now",
    );
    await expect.poll(() => pathOf(page)).toBe("/reset-password");
    await page.getByLabel("New password", { exact: true }).fill("a password of my own");
    await page.getByLabel("Confirm password", { exact: true }).fill("a password of my own");
    await button(page, "Save password").click();
    await closePopup(page, "Password Changed Successfully", "Login Now");
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill("a password of my own");
    await button(page, "Login").click();
    await closePopup(page, "Loggedin Successfully");
  });

  test("shows the server's message as the popup's title when the code is wrong", async () => {
    const student = await unverifiedStudent();
    const page = await storefront.visit("/account-verify", { refused: ["accounts.verify"] });
    await page.getByLabel("Mobile number").fill(student.phone);
    await page.getByLabel("Code").fill("not even digits");
    await button(page, "Verify account").click();
    await closePopup(page, "Invalid or expired OTP");
    await expect.poll(() => pathOf(page)).toBe("/account-verify");
  });

  test("asks for the phone number in a tab that does not know it, and validates it", async () => {
    const page = await storefront.visit("/account-verify");
    await button(page, "Verify account").click();
    await expect
      .poll(() => fieldErrorOf(page, "Mobile number"))
      .toBe("Phone number should be a 10-digit number");
    await expect.poll(() => fieldErrorOf(page, "OTP code")).toBe("Verification code is required");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await button(page, "Send a new code").click();
    await page.locator(":focus").and(page.getByLabel("Mobile number")).waitFor();
    await answersCome(page);
    expect(requests.filter((url) => url.includes("accounts.resendVerification"))).toEqual([]);
    expect(await page.getByText("A new code is on its way").count()).toBe(0);
  });

  test("sends a new code, counts down to the next one, and accepts it", async () => {
    const visitor = storefront.store.visitor();
    const student = newStudent();
    await register(visitor, student);
    const page = await storefront.visit("/account-verify", sessionOf(visitor, "signup"));
    await page.getByLabel("Mobile number").fill(student.phone);
    storefront.store.clock.advance({ seconds: 1 });
    const start = Date.now();
    await page.clock.setFixedTime(start);
    await button(page, "Send a new code").click();
    await page.getByText("A new code is on its way. The previous code no longer works.").waitFor();
    await button(page, "Send a new code in 30 s").waitFor();
    await page.clock.setFixedTime(start + 2000);
    await button(page, "Send a new code in 28 s").waitFor();
    // It can be pressed while it counts, but sends nothing then.
    await page.getByRole("button", { name: /^Send a new code in/ }).click({ force: true });
    // A phone may throw the tab away while the mail is read.
    await page.reload();
    await button(page, "Send a new code in 28 s").waitFor();
    await page.getByLabel("Mobile number").fill(student.phone);

    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await closePopup(page, "Account Verified Successfully", "Login Now");
    await expect.poll(() => pathOf(page)).toBe("/login");
    expect(await mailsTo(storefront.store, student.email)).toHaveLength(2);
  });

  test("follows a login to an unverified account, with a new code and a known number, and completes that login", async () => {
    const student = await unverifiedStudent();
    storefront.store.clock.advance({ seconds: 1 });
    const page = await storefront.visit("/login-with-otp", { refused: ["accounts.login"] });
    // No link leads to /login here: the countdown of the other code is left in the tab.
    const start = Date.now();
    await page.clock.setFixedTime(start);
    await page.evaluate(() => sessionStorage.setItem("otpEmail", "asha@college.example"));
    await page.reload();
    await button(page, "Send a new code in 30 s").waitFor();
    await page.clock.setFixedTime(start + 20_000);
    await page.goto("/login");
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await button(page, "Login").click();
    await closePopup(page, "Please verify your account. We have sent a new OTP to your email");
    await expect.poll(() => pathOf(page)).toBe("/account-verify");
    expect(await page.evaluate(() => sessionStorage.getItem("phone"))).toBe(student.phone);
    expect(await page.getByLabel("Mobile number").count()).toBe(0);
    await button(page, "Send a new code in 30 s").waitFor();
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await closePopup(page, "Account Verified Successfully", "Login Now");
    await closePopup(page, "Loggedin Successfully");
    await expect.poll(() => pathOf(page)).toBe("/");
  });

  test("logs in with what was typed at sign-up also after the store was updated", async () => {
    const student = newStudent();
    const page = await storefront.visit("/signup", { serviceWorkers: "allow" });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await fillSignup(page, student);
    await button(page, "Signup").click();
    await closePopup(page, "Account Created Successfully", "Please Verify Your Account");
    await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event("controllerchange")));
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await closePopup(page, "Account Verified Successfully", "Login Now");
    await closePopup(page, "Loggedin Successfully");
    await expect.poll(() => pathOf(page)).toBe("/");
  });

  test("takes the popup that asks for the code away once the account is verified, however soon that is", async () => {
    const student = newStudent();
    const page = await storefront.visit("/signup");
    await fillSignup(page, student);
    await button(page, "Signup").click();
    const asking = page.getByRole("dialog", { name: "Account Created Successfully" });
    // It does not go by itself.
    await asking.hover();
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await asking.waitFor({ state: "detached" });
    await page.waitForURL(storefront.store.url);
  });
});
