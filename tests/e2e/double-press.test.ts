import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { ADDRESS } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { deliveredOrder } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { logIn, newStudent, signedInStudent } from "../factories/students.ts";
import { sessionOf, shareFiles } from "../setup/browser.ts";
import { answersCome, openStorefront, stopTheSecond } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";
import { pdfFile, rowNames, SHOP_ID, visitAs, visitAsStudent, visitWithFiles } from "./print-steps.ts";

// After the first click the next item moves under the pointer; the second click must not hit it. The board has its own tests.

const storefront = openStorefront();

/** Clicks twice at the same position, the second time after the item has disappeared. */
async function pressTwice(button: Locator, gone: Locator): Promise<void> {
  const page = button.page();
  await button.waitFor();
  await answersCome(page);
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await press(page, 1);
  // Not by waitFor, before which the mouse would be moved off the cover.
  await expect.poll(() => gone.count()).toBe(0);
  await press(page, 2);
  await page.mouse.move(0, 0);
  await page.locator("[data-press-guard]").first().waitFor({ state: "detached" });
}

async function press(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

test("one of several files is removed by a double click, one by Enter pressed twice, and another by Enter later", async () => {
  const one = await pdfOfPages(1);
  const files = ["A.pdf", "B.pdf", "C.pdf", "D.pdf"].map((name) => pdfFile(name, one));
  const { page } = await visitWithFiles(storefront, files);
  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  await pressTwice(remove("A.pdf"), remove("A.pdf"));
  await expect.poll(() => rowNames(page)).toEqual(["B.pdf", "C.pdf", "D.pdf"]);

  await remove("B.pdf").focus();
  await stopTheSecond(page);
  await page.keyboard.press("Enter");
  await remove("B.pdf").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await expect.poll(() => rowNames(page)).toEqual(["C.pdf", "D.pdf"]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => rowNames(page)).toEqual(["D.pdf"]);
});

test("a double click deletes one of several addresses", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  for (const flatno of ["House 1", "House 2", "House 3"]) {
    expectDone(await visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno } }));
  }
  const page = await visitAs(storefront, visitor, {}, "/profile");
  const remove = page.getByRole("button", { name: /^Delete .*House 2$/ });
  await pressTwice(remove, remove);
  await answersCome(page);
  const left = expectDone(await visitor.query("addresses.list"));
  expect(left.map(({ flatno }: { flatno: string }) => flatno).toSorted()).toEqual(["House 1", "House 3"]);
});

test("a double click removes one of several shared files, and the focus goes to the next one", async () => {
  const page = await storefront.visit("/about-us", { serviceWorkers: "allow" });
  const one = await pdfOfPages(1);
  await shareFiles(
    page,
    ["A.pdf", "B.pdf", "C.pdf"].map((name) => pdfFile(name, one)),
  );
  await page.getByRole("button", { name: "Remove A.pdf" }).waitFor();
  const [first = "", second = ""] = await rowNames(page);
  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  await pressTwice(remove(first), remove(first));
  await expect.poll(async () => (await rowNames(page)).length).toBe(2);
  await page.locator(":focus").and(remove(second)).waitFor();
  // After the last one, to the one before.
  const [, third = ""] = await rowNames(page);
  await remove(third).press("Enter");
  await page.locator(":focus").and(remove(second)).waitFor();
});

test("a double click removes one of several photos of a report, and the focus goes to the next one", async () => {
  const { visitor: staff } = await signedInOwner(storefront.store, [SHOP_ID]);
  const order = await deliveredOrder(storefront.store, staff, SHOP_ID);
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await page.getByRole("button", { name: "Report a printing error" }).click();
  const buffer = await sidewaysPhoto();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add photos" }).click();
  const names = ["A.jpg", "B.jpg", "C.jpg"];
  await (await choosing).setFiles(names.map((name) => ({ name, mimeType: "image/jpeg", buffer })));
  for (const name of names) await page.getByRole("img", { name }).waitFor();
  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  await pressTwice(remove("A.jpg"), remove("A.jpg"));
  await expect.poll(() => rowNames(page)).toEqual(["B.jpg", "C.jpg"]);
  await page.locator(":focus").and(remove("B.jpg")).waitFor();
});

test("the dialog that a double click on 'Delete my account' opens stays open", async () => {
  const { page } = await visitAsStudent(storefront, {}, "/settings");
  const button = page.getByRole("button", { name: "Delete my account" });
  await button.scrollIntoViewIfNeeded();
  const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 4, y + 4);
  await press(page, 1);
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await expect.poll(() => dialog.isVisible()).toBe(true);
  await answersCome(page);
  await press(page, 2);
  await page.mouse.move(0, 0);
  await page.locator("[data-press-guard]").first().waitFor({ state: "detached" });
  await answersCome(page);
  expect(await dialog.isVisible()).toBe(true);
});

test("a double click withdraws one of several invitations", async () => {
  const admin = await signedInAdmin(storefront.store);
  const shops = (await shopIds(storefront.store)).slice(0, 1);
  const emails = Array.from({ length: 3 }, () => newStudent().email).toSorted();
  for (const email of emails) {
    expectDone(await admin.visitor.mutate("staff.invite", { email, role: "owner", shopIds: shops }));
  }
  const page = await storefront.visit("/admin/people", sessionOf(admin.visitor));
  const listed = expectDone(await admin.visitor.query("staff.list")).invitations;
  const withdraw = page.getByRole("button", { name: `Withdraw the invitation to ${listed[0].email}` });
  await pressTwice(withdraw, withdraw);
  await answersCome(page);
  const left = expectDone(await admin.visitor.query("staff.list")).invitations;
  expect(left).toEqual(listed.slice(1));
});

test("a double click removes one of several files of an order at the counter", async () => {
  const admin = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/orders?shop=deccan-sheets", sessionOf(admin.visitor));
  await page.getByRole("button", { name: "New order", exact: true }).click();
  const form = page.getByRole("dialog", { name: "New order at the counter" });
  const one = await pdfOfPages(1);
  const files = ["A.pdf", "B.pdf", "C.pdf"].map((name) => pdfFile(name, one));
  await form.locator("input[type=file]").setInputFiles(files);
  await expect.poll(() => form.getByText("1 page", { exact: true }).count()).toBe(3);
  const remove = form.getByRole("button", { name: "Remove A.pdf" });
  await pressTwice(remove, remove);
  expect(await rowNames(page)).toEqual(["B.pdf", "C.pdf"]);
});

test("a double click ends one of several sessions", async () => {
  const admin = await signedInAdmin(storefront.store);
  for (let count = 0; count < 3; count++) await logIn(storefront.store.visitor(), admin.person);
  const page = await storefront.visit("/admin/security", sessionOf(admin.visitor));
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await rows.nth(3).waitFor();
  await pressTwice(rows.getByRole("button").first(), rows.nth(3));
  await answersCome(page);
  expect(await rows.count()).toBe(3);
});

test("a double click marks a message as answered, and not as not answered again", async () => {
  const { store } = storefront;
  const message = { ...newStudent(), subject: "Hours", message: "When do you open?" };
  await store.visitor().post("/api/v1/users/contactus", message);
  const admin = await signedInAdmin(store);
  const page = await storefront.visit("/admin/messages", sessionOf(admin.visitor));
  await page.getByRole("button", { name: new RegExp(message.fullName) }).click();
  await page.getByText(/^Marked read by/).waitFor();
  const answered = page.getByRole("button", { name: "Mark as answered" });
  await pressTwice(answered, answered);
  await answersCome(page);
  await page.getByText(/^Marked answered by/).waitFor();
});

describe("a dialog that a double click opens stays open", () => {
  let admin: StaffPerson;
  beforeAll(async () => {
    admin = await signedInAdmin(storefront.store);
  });
  const tab = storefront.visitOnce("/admin/security", () => sessionOf(admin.visitor));

  test.each([
    ["/admin/people", "Invite", "Invite to the staff"],
    ["/admin/people", /^Change /, /^Role and shops of /],
    ["/admin/people", /^Remove /, /^Remove /],
    ["/admin/people", /^Reset second factor of /, /^Reset the second factor of /],
    ["/admin/counter?shop=deccan-sheets", "New code now", "Make a new code?"],
    // By day there is "Close early today", too, which asks nothing.
    ["/admin/shops/deccan-sheets", /^Close (?!early)/, /^Close /],
    ["/admin/mails", /@/, "Email"],
  ] as const)("%s, %s", async (path, name, title) => {
    const page = tab();
    await openScreen(page, path);
    const button = page.getByRole("main").getByRole("button", { name }).first();
    const dialog = page.getByRole("dialog", { name: title });
    await button.waitFor();
    await answersCome(page);
    await button.hover({ position: { x: 8, y: 8 } });
    await press(page, 1);
    // Not by waitFor, before which the mouse would be moved off the cover.
    await expect.poll(() => dialog.isVisible()).toBe(true);
    await press(page, 2);
    await answersCome(page);
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

test("a button whose call failed can be pressed again by a mouse that has not moved", async () => {
  const admin = await signedInAdmin(storefront.store);
  const shops = (await shopIds(storefront.store)).slice(0, 1);
  const { email } = newStudent();
  expectDone(await admin.visitor.mutate("staff.invite", { email, role: "owner", shopIds: shops }));
  const page = await storefront.visit("/admin/people", {
    ...sessionOf(admin.visitor),
    refused: ["staff.withdraw"],
  });
  await page.route("**/staff.withdraw*", (route) => route.abort(), { times: 1 });
  const withdraw = page.getByRole("button", { name: `Withdraw the invitation to ${email}` });
  await withdraw.click();
  // By no locator: the mouse would be moved off the cover first.
  const covers = () => page.evaluate(() => document.querySelectorAll("[data-press-guard]").length);
  await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain("cannot be reached");
  await expect.poll(covers).toBe(0);
  await press(page, 1);
  await withdraw.waitFor({ state: "detached" });
});
