import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newestCode, signedInStudent } from "../factories/students.ts";
import { answersCome, closePopup, openStorefront } from "../setup/storefront.ts";
import { button, fieldErrorOf, pathOf, pressEnter } from "./accounts-steps.ts";

const storefront = openStorefront();

async function askForOtp(page: Page, email: string) {
  await button(page, "Login With OTP").click();
  const dialog = page.getByRole("dialog", { name: "Login with OTP" });
  await dialog.getByLabel("Email").fill(email);
  await pressEnter(page);
}

describe("login by OTP", () => {
  test("mails a code, accepts it, and returns to the requested page", async () => {
    const { student } = await signedInStudent(storefront.store);
    storefront.store.clock.advance({ seconds: 1 });
    const page = await storefront.visit("/orders");
    await expect.poll(() => pathOf(page)).toBe("/login");
    await page.getByLabel("This is a shared computer").check();
    await askForOtp(page, student.email);
    await closePopup(page, "OTP Sended Successfully", "Enter OTP For Login Your Account");
    await expect.poll(() => pathOf(page)).toBe("/login-with-otp");
    expect(await page.evaluate(() => sessionStorage.getItem("otpEmail"))).toBe(student.email);

    await page.getByLabel("Code").and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: /^Send a new code in \d+ s$/ }).waitFor();
    await page.keyboard.type(await newestCode(storefront.store, student.email));
    await closePopup(page, "Logged in Successfully");
    await expect.poll(() => pathOf(page)).toBe("/orders");
    expect(await page.evaluate(() => sessionStorage.getItem("otpEmail"))).toBeNull();
    const session = (await page.context().cookies()).find(({ name }) => name === "session");
    expect(session?.expires).toBe(-1);
  });

  test("takes the popup that asks for the code away once it is entered", async () => {
    const { student } = await signedInStudent(storefront.store);
    storefront.store.clock.advance({ seconds: 1 });
    const page = await storefront.visit("/login");
    await askForOtp(page, student.email);
    const asking = page.getByRole("dialog", { name: "OTP Sended Successfully" });
    // It does not go by itself.
    await asking.hover();
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await asking.waitFor({ state: "detached" });
    await closePopup(page, "Logged in Successfully");
  });

  test("opens its dialog with the typed e-mail, refuses an invalid one, and returns the focus when it closes", async () => {
    const page = await storefront.visit("/login");
    await page.getByLabel("Email").fill("asha@college.example");
    await button(page, "Login With OTP").click();
    const dialog = page.getByRole("dialog", { name: "Login with OTP" });
    await dialog.waitFor();
    await expect.poll(() => dialog.getByLabel("Email").inputValue()).toBe("asha@college.example");
    await dialog.getByLabel("Email").fill("nobody");
    await pressEnter(page);
    await dialog.getByText("Email address must be a valid address").waitFor();
    await expect.poll(() => pathOf(page)).toBe("/login");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: "Login With OTP" }).waitFor();
  });

  test("says so where the dialog's script does not come, and the login page stays as it is", async () => {
    const script = "/assets/otp-request-dialog";
    const page = await storefront.visit("/login", { refused: [script] });
    await page.getByLabel("Email").fill("asha@college.example");
    await page.route(`**${script}*`, (route) => route.abort("connectionreset"));
    await button(page, "Login With OTP").click();
    await closePopup(page, "Error", "A part of this page could not be loaded. Reload the page and try again");
    expect(await page.getByLabel("Email").inputValue()).toBe("asha@college.example");
    await button(page, "Login").waitFor();
  });

  test("shows the server's message as the popup's title when the code is wrong, and sends another", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/login", { refused: ["accounts.loginWithOtp"] });
    await askForOtp(page, student.email);
    await closePopup(page, "OTP Sended Successfully");
    await button(page, "Login").click();
    await expect.poll(() => fieldErrorOf(page, "OTP code")).toBe("Verification code is required");
    await page.getByLabel("Code").fill("not even digits");
    await button(page, "Login").click();
    await closePopup(page, "Invalid or expired OTP");
    await expect.poll(() => pathOf(page)).toBe("/login-with-otp");
    // Whoever presses the button after the sixth digit asks once, too.
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("loginWithOtp")) asked.push(request.url());
    });
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await page.getByLabel("Code").fill("000000");
    await button(page, "Login").click();
    await page.clock.resume();
    await closePopup(page, "Invalid or expired OTP");
    await page.clock.runFor(1000);
    await answersCome(page);
    expect(asked).toHaveLength(1);
    const first = await newestCode(storefront.store, student.email);
    storefront.store.clock.advance({ seconds: 1 });
    await page.clock.fastForward("00:31");
    await button(page, "Send a new code").click();
    await page.getByText("A new code is on its way.").waitFor();
    await page.getByRole("button", { name: /^Send a new code in \d+ s$/ }).waitFor();
    const next = await newestCode(storefront.store, student.email);
    expect(next).not.toBe(first);
    // The wrong code is marked as a whole, so that the next one takes its place.
    await page.getByLabel("Code").focus();
    await page.keyboard.type(next);
    await closePopup(page, "Logged in Successfully");
  });

  test("works with a stored phone too", async () => {
    const { student } = await signedInStudent(storefront.store);
    storefront.store.clock.advance({ seconds: 1 });
    await storefront.store.visitor().mutate("accounts.requestLoginOtp", { email: student.email });
    const page = await storefront.visit("/login");
    await page.evaluate((phone) => sessionStorage.setItem("otpPhone", phone), student.phone);
    await page.goto("/login-with-otp");
    await page.getByText(student.phone).waitFor();
    await page.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
    await closePopup(page, "Logged in Successfully");
  });

  test("says 'Phone or email not found.' when neither is stored, and stays usable", async () => {
    const page = await storefront.visit("/login-with-otp");
    await page.getByLabel("Code").fill("123456");
    await closePopup(page, "Phone or email not found.");
    await expect.poll(() => page.getByLabel("Code").inputValue()).toBe("123456");
    await page.getByRole("main").getByRole("link", { name: "Back to login" }).click();
    await page.waitForURL("**/login");
  });
});
