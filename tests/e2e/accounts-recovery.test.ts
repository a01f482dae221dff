import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { expectDone } from "../factories/shops.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { button, fieldErrorOf, focusedLabel, pathOf, pressEnter } from "./accounts-steps.ts";

const storefront = openStorefront();

/** A student, and the path of the mailed recovery link. */
async function recoveringStudent(): Promise<{ student: Student; link: string }> {
  const { student } = await signedInStudent(storefront.store);
  storefront.store.clock.advance({ seconds: 1 });
  await storefront.store.visitor().mutate("accounts.requestPasswordLink", { email: student.email });
  return { student, link: await mailedLink(student.email) };
}

async function mailedLink(email: string): Promise<string> {
  const [mail] = await mailsTo(storefront.store, email);
  const link = /\/reset-password\?token=[\w-]+/.exec(mail?.text ?? "")?.[0];
  if (!link) throw new Error(`The newest mail to ${email} has no link`);
  return link;
}

async function fillNewPassword(page: Page, password: string, again = password) {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password", { exact: true }).fill(again);
  await button(page, "Save password").click();
}

describe("a forgotten password", () => {
  test("asks for another address when the dialog is opened again after it was closed or the first was mistyped", async () => {
    const page = await storefront.visit("/forgotpassword");
    const dialog = page.getByRole("dialog", { name: "Forgot password" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await button(page, "Enter your email").click();
    await dialog.getByLabel("Email").fill("asha@colege.example");
    await dialog.getByRole("button", { name: "Send link" }).click();
    await dialog.getByText("was sent to asha@colege.example").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await button(page, "Enter your email").click();
    await dialog.getByLabel("Email").fill("asha@college.example");
    await dialog.getByRole("button", { name: "Send link" }).click();
    await dialog.getByText("was sent to asha@college.example").waitFor();
  });

  test("can be replaced with the mailed link, and the new one logs in", async () => {
    const { student } = await signedInStudent(storefront.store);
    storefront.store.clock.advance({ seconds: 1 });
    const page = await storefront.visit("/login", { refused: ["accounts.login"] });
    const forgot = button(page, "Forgot Password");
    await expect.poll(() => forgot.isDisabled()).toBe(true);
    await page.getByLabel("Email").fill("asha@college");
    await expect.poll(() => forgot.isDisabled()).toBe(true);
    await page.getByLabel("Email").fill(student.email);
    await forgot.click();
    await page.waitForURL("**/forgotpassword");
    const dialog = page.getByRole("dialog", { name: "Forgot password" });
    await expect.poll(() => dialog.getByLabel("Email").inputValue()).toBe(student.email);
    // The browser's history outlives a logout.
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(student.email);
    await dialog.getByRole("button", { name: "Send link" }).click();
    await dialog.getByText(`A link to change your password was sent to ${student.email}.`).waitFor();

    await page.goto(await mailedLink(student.email));
    await fillNewPassword(page, "a better one");
    await closePopup(page, "Password Changed Successfully", "Login Now");
    await expect.poll(() => pathOf(page)).toBe("/login");
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await button(page, "Login").click();
    await closePopup(page, "Invalid email or password");
    await page.getByLabel("Password", { exact: true }).fill("a better one");
    await button(page, "Login").click();
    await closePopup(page, "Loggedin Successfully");
  });

  test("refuses an invalid e-mail in its dialog", async () => {
    const page = await storefront.visit("/forgotpassword");
    const dialog = page.getByRole("dialog", { name: "Forgot password" });
    await dialog.getByRole("button", { name: "Send link" }).click();
    await dialog.getByText("Email address must be a valid address").waitFor();
    await expect.poll(() => focusedLabel(page)).toBe("Email");
  });

  test("can be replaced while logged in, which ends the session", async () => {
    const { visitor, student } = await signedInStudent(storefront.store);
    storefront.store.clock.advance({ seconds: 1 });
    const page = await storefront.visit("/forgotpassword", sessionOf(visitor));
    const dialog = page.getByRole("dialog", { name: "Forgot password" });
    await dialog.getByLabel("Email").fill(student.email);
    await pressEnter(page);
    await dialog.getByText("was sent to").waitFor();
    await page.goto(await mailedLink(student.email));
    await fillNewPassword(page, "a better one");
    await closePopup(page, "Password Changed Successfully", "Login Now");
    await expect.poll(() => pathOf(page)).toBe("/login");
    await page.getByRole("button", { name: "My Account" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Signup" }).isVisible()).toBe(true);
  });
});

describe("a recovery link", () => {
  test("refuses missing, different or common passwords, then accepts valid ones", async () => {
    const { link } = await recoveringStudent();
    const page = await storefront.visit(link, { refused: ["accounts.resetPassword"] });
    await fillNewPassword(page, "", "");
    await expect.poll(() => fieldErrorOf(page, "New password")).toBe("Password is required");
    await fillNewPassword(page, "one", "other");
    await expect
      .poll(() => fieldErrorOf(page, "Confirm password"))
      .toBe("New password and Confirm Password should be the same");
    await expect.poll(() => focusedLabel(page)).toBe("Confirm password");
    await fillNewPassword(page, "password");
    await page.getByRole("dialog", { name: /Too many people use this password/ }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
    await fillNewPassword(page, "one");
    await closePopup(page, "Password Changed Successfully");
  });

  test("that was used elsewhere says so when saved, then before anything is typed, and offers a new one", async () => {
    const { link } = await recoveringStudent();
    const page = await storefront.visit(link, { refused: ["accounts.resetPassword"] });
    const token = link.split("=").at(-1);
    const used = { token, password: "one", confirmpassword: "one" };
    expectDone(await storefront.store.visitor().mutate("accounts.resetPassword", used));
    await fillNewPassword(page, "two");
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    const { body } = await storefront.store.visitor().get(link);
    expect(body).toMatch(/<h1\b[^>]*>This link is no longer valid<\/h1>/);
    expect(body).not.toContain("New password");
    await page.getByRole("link", { name: "Ask for a new link" }).click();
    await page.getByRole("dialog", { name: "Forgot password" }).waitFor();
  });

  test("without a token says at once that it is invalid", async () => {
    const { body } = await storefront.store.visitor().get("/reset-password");
    expect(body).toMatch(/<h1\b[^>]*>This link is no longer valid<\/h1>/);
  });
});
