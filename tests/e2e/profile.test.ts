import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newestCode, newStudent, signedInStudent, visitorAs } from "../factories/students.ts";
import { expectAccessiblePart, expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { openStorefront, stopTheSecond } from "../setup/storefront.ts";
import { filledInBy } from "./accounts-steps.ts";
import { ADDRESS, visitAs, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const focused = (page: Page) => page.locator(":focus");

/** What the keyboard of a phone shows on its Enter key in the last field of each form. */
const lastKeys = (page: Page) =>
  page
    .locator("main form")
    .evaluateAll((forms) =>
      forms.map(
        (form) => [...form.querySelectorAll<HTMLInputElement>("input:not([hidden])")].at(-1)?.enterKeyHint,
      ),
    );

async function fillAddress(page: Page, address: Partial<typeof ADDRESS>): Promise<void> {
  for (const [label, value] of Object.entries(address))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.keyboard.press("Enter");
}

test("a student can change name and phone number, and the header shows the name", async () => {
  const { page, student } = await visitAsStudent(
    storefront,
    { refused: ["accounts.requestPhoneCode", "accounts.confirmPhone"] },
    "/profile",
  );
  const details = card(page, "Your details");
  await details.getByText(student.email).waitFor();
  await details.getByLabel("Full name").fill("");
  await page.keyboard.press("Enter");
  await details.getByText("Full name is required").waitFor();
  await details.getByLabel("Full name").fill("  Asha R. Verma ");
  await page.keyboard.press("Enter");
  await details.getByText("Your name is saved.").waitFor();
  await expect.poll(() => details.getByLabel("Full name").inputValue()).toBe("Asha R. Verma");
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByText("Asha R. Verma").waitFor();
  await page.keyboard.press("Escape");

  const change = details.getByRole("button", { name: "Change mobile number" });
  await change.focus();
  await page.keyboard.press("Enter");
  await focused(page).and(details.getByLabel("New mobile number")).waitFor();
  expect(await lastKeys(page)).toEqual(["go", "go", "go"]);
  await page.keyboard.type("12345");
  await page.keyboard.press("Enter");
  await details.getByText("Phone number should be a 10-digit number").waitFor();
  await details.getByLabel("New mobile number").fill(student.phone);
  await page.keyboard.press("Enter");
  await details.getByRole("alert").getByText("This is already your mobile number").waitFor();
  await expectAccessibleScreen(page);

  const { phone } = newStudent();
  await details.getByLabel("New mobile number").fill(phone);
  storefront.store.clock.advance({ seconds: 1 });
  await page.keyboard.press("Enter");
  await focused(page).and(details.getByLabel("Code")).waitFor();
  await details.getByText(`We sent a code to ${student.email}`).waitFor();
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await details.getByRole("alert").getByText("Invalid or expired OTP").waitFor();
  await expectAccessiblePart(details);
  await details.getByLabel("Code").fill(await newestCode(storefront.store, student.email));
  await details.getByText("Your mobile number is changed. Every other device was logged out.").waitFor();
  await details.getByText(phone, { exact: true }).waitFor();
  await focused(page).and(change).waitFor();
});

test("a student can change the e-mail with the password and the code mailed to the new one", async () => {
  const { page, student } = await visitAsStudent(
    storefront,
    { refused: ["accounts.requestEmailCode", "accounts.confirmEmail"] },
    "/profile",
  );
  const details = card(page, "Your details");
  const change = details.getByRole("button", { name: "Change email" });
  await change.click();
  await focused(page).and(details.getByLabel("New email")).waitFor();
  const { email } = newStudent();
  await page.keyboard.type(email);
  await details.getByLabel("Your password", { exact: true }).fill("a guess");
  // A phone's keyboard leaves the form little room.
  await page.setViewportSize({ width: 390, height: 420 });
  await details.getByRole("button", { name: "Cancel" }).scrollIntoViewIfNeeded();
  await page.keyboard.press("Enter");
  const refusal = details.getByRole("alert").getByText("This is not your current password");
  const header = await page.getByRole("banner").boundingBox();
  await expect
    .poll(async () => (await refusal.boundingBox())?.y)
    .toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
  await expectAccessiblePart(details);
  await details.getByLabel("Your password", { exact: true }).fill(student.password);
  storefront.store.clock.advance({ seconds: 1 });
  await page.keyboard.press("Enter");
  await focused(page).and(details.getByLabel("Code")).waitFor();
  await details.getByText(`We sent a code to ${email}`).waitFor();
  await details.getByRole("button", { name: /^Send a new code in \d+ s$/ }).waitFor();
  const first = await newestCode(storefront.store, email);
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  const wrong = details.getByRole("alert").getByText("Invalid or expired OTP");
  await wrong.waitFor();
  storefront.store.clock.advance({ seconds: 1 });
  await page.clock.setFixedTime(Date.now() + 31_000);
  await details.getByRole("button", { name: "Send a new code", exact: true }).click();
  await details.getByText("A new code is on its way.").waitFor();
  expect(await wrong.count(), "beside the news of another code").toBe(0);
  expect(await newestCode(storefront.store, email)).not.toBe(first);
  await stopTheSecond(page);
  await details.getByLabel("Code").fill(await newestCode(storefront.store, email));
  await focused(page).and(change).waitFor();
  // The sixth digit has sent the code.
  await page.keyboard.press("Enter");
  await details.getByText("Your email is changed. Every other device was logged out.").waitFor();
  await details.getByText(email, { exact: true }).waitFor();
  await focused(page).and(change).waitFor();
  await page.keyboard.press("Shift");
  await page.keyboard.press("Enter");
  await focused(page).and(details.getByLabel("New email")).waitFor();
  expect(await details.getByText("Your email is changed.").count(), "of the change before").toBe(0);
  await page.reload();
  await details.getByText(email, { exact: true }).waitFor();
});

test("a phone that throws the tab away while its owner reads the mail still takes the code", async () => {
  const { page, student } = await visitAsStudent(storefront, {}, "/profile");
  const details = card(page, "Your details");
  await details.getByRole("button", { name: "Change email" }).click();
  const { email } = newStudent();
  await details.getByLabel("New email").fill(email);
  await details.getByLabel("Your password", { exact: true }).fill(student.password);
  await details.getByRole("button", { name: "Send code" }).click();
  await details.getByText(`We sent a code to ${email}`).waitFor();
  await page.reload();
  await details.getByText(`We sent a code to ${email}`).waitFor();
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(await kept()).not.toContain(student.password);
  // For another code the password is asked for again.
  expect(await details.getByRole("button", { name: /^Send a new code/ }).count()).toBe(0);
  await details.getByLabel("Code").fill(await newestCode(storefront.store, email));
  await details.getByText("Your email is changed. Every other device was logged out.").waitFor();
  expect(await kept()).not.toContain(email);

  const { phone } = newStudent();
  storefront.store.clock.advance({ seconds: 1 });
  await details.getByRole("button", { name: "Change mobile number" }).click();
  await details.getByLabel("New mobile number").fill(phone);
  await details.getByRole("button", { name: "Send code" }).click();
  await details.getByText(`change your mobile number to ${phone}`).waitFor();
  await page.clock.setFixedTime(Date.now() + 11 * 60_000);
  await page.reload();
  await details.getByText(email, { exact: true }).waitFor();
  expect(await details.getByLabel("Code").count(), "when the code is no longer valid").toBe(0);
});

test("the codes to a new number and a new email each count down to their own next code", async () => {
  const { page, student } = await visitAsStudent(storefront, {}, "/profile");
  const details = card(page, "Your details");
  const start = Date.now();
  await page.clock.setFixedTime(start);
  await details.getByRole("button", { name: "Change mobile number" }).click();
  const { email, phone } = newStudent();
  await details.getByLabel("New mobile number").fill(phone);
  await page.keyboard.press("Enter");
  await details.getByRole("button", { name: "Send a new code in 30 s", exact: true }).waitFor();

  await page.clock.setFixedTime(start + 20_000);
  await details.getByRole("button", { name: "Send a new code in 10 s", exact: true }).waitFor();
  await details.getByRole("button", { name: "Change email" }).click();
  await details.getByLabel("New email").fill(email);
  await details.getByLabel("Your password").fill(student.password);
  await page.keyboard.press("Enter");
  await details.getByRole("button", { name: "Send a new code in 30 s", exact: true }).waitFor();
  await details.getByRole("button", { name: "Send a new code in 10 s", exact: true }).waitFor();

  await page.reload();
  await details.getByRole("button", { name: "Send a new code in 10 s", exact: true }).waitFor();
});

test("a student who changes the password stays logged in here and nowhere else", async () => {
  const { page, visitor, student } = await visitAsStudent(
    storefront,
    { refused: ["accounts.changePassword"] },
    "/profile",
  );
  const other = await visitorAs(storefront.store, student);
  const password = card(page, "Password");
  const field = (label: string) => password.getByLabel(label, { exact: true });
  expect(await filledInBy(password)).toEqual([
    "username",
    "current-password",
    "new-password",
    "new-password",
  ]);
  await field("Current password").fill("a guess");
  await field("New password").fill("a staple and a clip");
  await field("Confirm password").fill("a staple");
  await page.keyboard.press("Enter");
  await password.getByText("New password and Confirm Password should be the same").waitFor();
  await field("Confirm password").fill("a staple and a clip");
  await page.keyboard.press("Enter");
  await password.getByRole("alert").getByText("This is not your current password").waitFor();
  await field("Current password").fill(student.password);
  await page.keyboard.press("Enter");
  await password.getByText("Your password is changed. Every other device was logged out.").waitFor();
  await expect.poll(() => field("New password").inputValue()).toBe("");
  for (const client of [visitor, other]) {
    expect((await client.get("/api/v1/users/getuser")).status).toBe(401);
  }
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
});

test("a student can save, edit, delete and restore addresses and choose the default, by keyboard", async () => {
  const { page } = await visitAsStudent(
    storefront,
    { refused: ["addresses.add", "addresses.update"] },
    "/profile",
  );
  const saved = card(page, "Saved addresses");
  const rows = saved.getByRole("listitem");
  const press = async (name: string) => {
    await saved.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await saved.getByText("No saved addresses yet").waitFor();
  await press("Add an address");
  await focused(page)
    .and(page.getByLabel("Delivery to", { exact: true }))
    .waitFor();
  await page.keyboard.press("Enter");
  await saved.getByText("Road number is required").waitFor();
  await fillAddress(page, ADDRESS);
  await rows.first().getByText("Default").waitFor();
  await focused(page)
    .and(saved.getByRole("button", { name: "Add an address" }))
    .waitFor();

  storefront.store.clock.advance({ seconds: 1 });
  await press("Add an address");
  await fillAddress(page, { ...ADDRESS, "Delivery to": "R. Verma", "Flat number": "House 7" });
  await rows.nth(1).getByText("R. Verma").waitFor();
  await expectAccessiblePart(saved);

  await page.route("**/api/trpc/addresses.{add,update}*", (route) => route.abort());
  const unreachable = saved.getByRole("alert").getByText("The store cannot be reached");
  for (const opener of ["Add an address", "Edit R. Verma, House 7"]) {
    await press(opener);
    await fillAddress(page, { ...ADDRESS, "Flat number": "House 7" });
    await unreachable.waitFor();
    await press("Cancel");
    await focused(page)
      .and(saved.getByRole("button", { name: opener }))
      .waitFor();
    expect(await unreachable.count()).toBe(0);
  }
  await page.unroute("**/api/trpc/addresses.{add,update}*");

  await press("Make default: R. Verma, House 7");
  await rows.first().getByText("R. Verma").waitFor();
  await expect.poll(() => saved.getByText("Default", { exact: true }).count()).toBe(1);
  await focused(page).getByText("Default").waitFor();
  await press("Edit R. Verma, House 7");
  await fillAddress(page, { "Flat number": "House 8" });
  await focused(page)
    .and(saved.getByRole("button", { name: "Edit R. Verma, House 8" }))
    .waitFor();

  await press("Delete R. Verma, House 8");
  await saved.getByText("“R. Verma, House 8” was deleted.").waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await focused(page)
    .and(saved.getByRole("button", { name: "Undo" }))
    .waitFor();
  // A second Enter is ignored as a double press; after another key Enter restores the address.
  await page.keyboard.press("Shift");
  await page.route("**/api/trpc/addresses.add*", (route) => route.abort());
  await page.keyboard.press("Enter");
  await saved.getByRole("alert").getByText("The store cannot be reached").waitFor();
  await page.unroute("**/api/trpc/addresses.add*");
  await press("Undo");
  await saved.getByText("“R. Verma, House 8” is back.").waitFor();
  await rows.first().getByText("House 8").waitFor();
  await expect.poll(() => saved.getByText("Default", { exact: true }).count()).toBe(1);
  await press("Edit R. Verma, House 8");
  await fillAddress(page, { "Flat number": "House 9" });
  await rows.first().getByText("House 9").waitFor();
  await focused(page)
    .and(saved.getByRole("button", { name: "Edit R. Verma, House 9" }))
    .waitFor();

  const other = `${ADDRESS["Delivery to"]}, ${ADDRESS["Flat number"]}`;
  await press(`Delete ${other}`);
  await saved.getByText(`“${other}” was deleted.`).waitFor();
  await page.keyboard.press("Shift");
  await press("Undo");
  await saved.getByText(`“${other}” is back.`).waitFor();
  await rows.nth(1).getByText(ADDRESS["Delivery to"], { exact: true }).waitFor();
  await rows.first().getByText("Default", { exact: true }).waitFor();
  await page.reload();
  await rows.first().getByText("House 9").waitFor();
});

test("a student's addresses are not shown to the next, who logs in after the session has ended", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  await visitor.mutate("addresses.add", {
    address: { country: "India", roadNo: "12", flatno: "House 7", fullname: "Asha Verma" },
  });
  const page = await visitAs(storefront, visitor, {}, "/profile");
  await page.getByText("House 7").waitFor();
  const { student: next } = await signedInStudent(storefront.store);
  await storefront.store.deps.db.deleteFrom("sessions").execute();
  // The page asks who is logged in once a minute.
  await page.clock.setFixedTime(Date.now() + 61_000);
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
  await page.waitForURL("**/faq");
  await page.goBack();
  await page.waitForURL("**/login?*");
  const shown: string[] = [];
  await page.exposeFunction("note", (text: string) => shown.push(text));
  await page.evaluate(() => {
    const note = (window as unknown as { note: (text: string) => void }).note;
    new MutationObserver(() => note(document.body.innerText)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.getByLabel("Email").fill(next.email);
  await page.getByLabel("Password", { exact: true }).fill(next.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/profile");
  await page.getByText("No saved addresses yet").waitFor();
  expect(shown.some((text) => text.includes("House 7"))).toBe(false);
});
