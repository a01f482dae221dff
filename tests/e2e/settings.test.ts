import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Device } from "#server/accounts/sessions.ts";
import { indianTime } from "#shared/indian-time.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { PRINT_PATH, SHOP_ID, visitAs, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

const ANDROID = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const colours = (page: Page) => page.locator("html").getAttribute("data-mantine-color-scheme");

async function signInElsewhere(student: Student, userAgent: string) {
  const device = storefront.store.visitor();
  await device.post("/api/v1/users/login", student, { "User-Agent": userAgent });
  return { isSignedIn: async () => (await device.get("/api/v1/users/getuser")).status === 200 };
}

test("the chosen appearance survives a reload, and can follow the device again", async () => {
  const { page } = await visitAsStudent(storefront, { colorScheme: "light" }, "/settings");
  const choose = (name: string) => card(page, "Appearance").getByRole("radio", { name }).check();
  await expect.poll(() => colours(page)).toBe("light");
  await choose("Dark");
  await expect.poll(() => colours(page)).toBe("dark");
  await page.reload();
  await card(page, "Appearance").getByRole("radio", { name: "Dark", checked: true }).waitFor();
  await expect.poll(() => colours(page)).toBe("dark");
  await choose("Same as my device");
  await expect.poll(() => colours(page)).toBe("light");
});

test("a student can log out other devices by keyboard, and stays logged in here", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  const phone = await signInElsewhere(student, ANDROID);
  const laptop = await signInElsewhere(student, LINUX);
  const library = await signInElsewhere(student, LINUX);
  storefront.store.clock.advance({ hours: 1 });
  await phone.isSignedIn();
  const known: Device[] = expectDone(await visitor.query("accounts.devices"));
  const { signedInAt, lastSeenAt } = known.find(({ name }) => name === "Chrome on Android") as Device;
  const page = await visitAs(storefront, visitor, {}, "/settings");
  const devices = card(page, "Logged-in devices");
  const rows = devices.getByRole("listitem");
  await rows.filter({ hasText: "This device" }).waitFor();
  await expect.poll(() => rows.count()).toBe(4);
  expect(await rows.filter({ hasText: "This device" }).getByRole("button").count()).toBe(0);
  const android = rows.filter({ hasText: "Chrome on Android" });
  await android.getByText(`Logged in ${indianTime(signedInAt)}`).waitFor();
  await android.getByText(`Last used ${indianTime(lastSeenAt)}`).waitFor();
  expect(lastSeenAt).not.toBe(signedInAt);
  await expectAccessibleScreen(page);

  await devices.getByRole("button", { name: "Log out Chrome on Android" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(":focus").getByText("Chrome on Android is logged out.").waitFor();
  await expect.poll(() => rows.count()).toBe(3);
  expect([await phone.isSignedIn(), await laptop.isSignedIn()]).toEqual([false, true]);

  await page.keyboard.press("Tab");
  await devices.getByRole("button", { name: "Log out everywhere else" }).press("Enter");
  await page.locator(":focus").getByText("Every other device is logged out.").waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  expect([await laptop.isSignedIn(), await library.isSignedIn()]).toEqual([false, false]);
  await page.reload();
  await rows.filter({ hasText: "This device" }).waitFor();
});

test("the focus stays where two devices with one name are logged out, one after the other", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  await signInElsewhere(student, LINUX);
  await signInElsewhere(student, LINUX);
  const page = await visitAs(storefront, visitor, {}, "/settings");
  const devices = card(page, "Logged-in devices");
  const rows = devices.getByRole("listitem");
  for (const left of [2, 1]) {
    await devices.getByRole("button", { name: "Log out Firefox on Linux" }).first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(left);
    await page.locator(":focus").getByText("Firefox on Linux is logged out.").waitFor();
    await page.keyboard.press("Shift");
  }
});

test("a long email does not make a dialog wider than its frame", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  const email = `${"a.very.long.name.".repeat(4)}${student.email}`;
  await storefront.store.deps.db
    .updateTable("users")
    .set({ email })
    .where("email", "=", student.email)
    .execute();
  const page = await visitAs(storefront, visitor, { viewport: { width: 360, height: 740 } }, "/settings");
  await page.getByRole("button", { name: "Delete my account" }).click();
  const submit = page.getByRole("dialog").getByRole("button", { name: "Delete account" });
  const right = async (part: Locator) => {
    const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
    return x + width;
  };
  await submit.waitFor();
  expect(await right(submit)).toBeLessThan((await right(page.getByRole("dialog"))) - 20);
});

test("a student can download their data, and delete the account once no order is open", async () => {
  const refused = ["privacy.deleteAccount"];
  const { page, visitor, student } = await visitAsStudent(storefront, { refused }, PRINT_PATH);
  await page.getByLabel("Message").fill("Bind it in zebra green");
  const { id, number } = await placeAnother(visitor, student, SHOP_ID);
  await page.goto("/settings");
  const data = card(page, "Your data");
  const download = page.waitForEvent("download");
  await data.getByRole("link", { name: "Download my data (JSON)" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^print-store-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
    account: { email: student.email },
    orders: [{ number, state: "placed" }],
  });

  const opener = data.getByRole("button", { name: "Delete my account" });
  await opener.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await dialog.getByText(student.email).waitFor();
  const password = dialog.getByLabel("Password", { exact: true });
  await password.fill(student.password);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.locator(":focus").and(opener).waitFor();
  await opener.press("Enter");
  await page.locator(":focus").and(password).waitFor();
  expect(await password.inputValue(), "nobody else finds the password").toBe("");
  await page.keyboard.type("a guess");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("This is not your current password").waitFor();
  await password.fill(student.password);
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText(`Order ${number} is not finished yet`).waitFor();
  await expectAccessibleScreen(page);

  await moveTo((await signedInAdmin(storefront.store)).visitor, id, "delivered");
  await password.press("Enter");
  await closePopup(page, "Your account is deleted");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain("zebra");
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByText("Login").waitFor();
  expect((await storefront.store.visitor().post("/api/v1/users/login", student)).status).toBe(401);
});
