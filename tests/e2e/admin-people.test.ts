import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { VALIDATION } from "#shared/messages.ts";
import { mailsTo } from "../factories/mails.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import {
  changeStaff,
  invitationToken,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, delayRequests, openStorefront } from "../setup/storefront.ts";
import { visitBoard } from "./admin-orders-steps.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();

async function openPeople(refused: string[] = []): Promise<Page> {
  const { visitor } = await signedInAdmin(storefront.store);
  return storefront.visit("/admin/people", { ...sessionOf(visitor), refused });
}

/** An invitation by an admin, without a screen. */
async function inviteToCounter(email: string): Promise<void> {
  const { visitor } = await signedInAdmin(storefront.store);
  const invitation = { email, role: "counter", shopIds: ["deccan-sheets"] };
  expectDone(await visitor.mutate("staff.invite", invitation));
}

test("an invited person joins with the mailed link and works for their own shop only", async () => {
  const admin = await openPeople(["staff.invite"]);
  const { email } = newStudent();
  await admin.getByRole("button", { name: "Invite" }).click();
  const dialog = admin.getByRole("dialog", { name: "Invite to the staff" });
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  const wrong = dialog.locator(".mantine-InputWrapper-root", { has: admin.locator("[aria-invalid=true]") });
  await wrong.filter({ hasText: "Email" }).getByText(VALIDATION.email).waitFor();
  await wrong.filter({ hasText: "Shops" }).getByText("Choose at least one shop").waitFor();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("combobox", { name: "Shops" }).fill("Deccan Sheets");
  await admin.getByRole("option", { name: /^Deccan Sheets/ }).click();
  await admin.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  await admin.getByText(`An invitation is on its way to ${email}`).waitFor();
  await admin.getByRole("list", { name: "Invitations" }).getByText(email).waitFor();

  const token = await invitationToken(storefront.store, email);
  const page = await storefront.visit(`/admin/join?token=${token}`, { refused: ["staff.accept"] });
  await page.getByText(`${email} is invited to work at the counter of Deccan Sheets.`).waitFor();
  await page.getByLabel("Full name").fill("Ravi Kumar");
  await page.getByLabel("Mobile number").fill("12345");
  await page.getByRole("textbox", { name: "New password" }).fill("q");
  await page.getByRole("textbox", { name: "Confirm password" }).focus();
  await page.getByText("Staff passwords must be at least 12 characters long").waitFor();
  await page.getByRole("textbox", { name: "New password" }).fill("a long pass phrase");
  await page.getByRole("textbox", { name: "Confirm password" }).fill("a long pass phrase");
  await page.getByRole("button", { name: "Join the staff" }).click();
  await page.getByText("Phone number should be a 10-digit number").waitFor();
  await page.getByLabel("Mobile number").fill("");
  await page.getByRole("button", { name: "Join the staff" }).click();

  await page.getByRole("navigation", { name: "Console" }).waitFor();
  await page.getByRole("banner").getByText("Deccan Sheets").waitFor();
  await openScreen(admin, "/admin/orders");
  await admin.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await openScreen(admin, "/admin/people");
  await admin.getByRole("list", { name: "Staff", exact: true }).getByText(email).waitFor();
  expect(await admin.getByRole("list", { name: "Invitations" }).getByText(email).count()).toBe(0);
});

test("people are changed and invitations sent again; they are no longer listed once they are removed or withdrawn, also where that is refused because it came too late", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const [{ email, fullName }, other] = [newStudent(), newStudent()];
  for (const invited of [email, other.email]) await inviteToCounter(invited);
  await store.deps.db
    .updateTable("staff_invitations")
    .set({ expires_at: store.clock.now().toISOString() })
    .where("email", "=", other.email)
    .execute();
  const { userId, person } = await signedInCounter(store, ["deccan-sheets"]);
  const page = await storefront.visit("/admin/people", {
    ...sessionOf(admin.visitor),
    refused: ["staff.withdraw", "staff.remove"],
  });
  const invitationOf = (invited: string) =>
    page.getByRole("list", { name: "Invitations" }).getByRole("listitem").filter({ hasText: invited });
  await invitationOf(email)
    .getByText(/^Valid until /)
    .waitFor();
  await invitationOf(other.email)
    .getByText(/^Expired, invited by /)
    .waitFor();
  await page.getByRole("button", { name: `Send again to ${other.email}` }).click();
  await page.getByText(`A new link is on its way to ${other.email}`).waitFor();
  await invitationOf(other.email)
    .getByText(/^Valid until /)
    .waitFor();
  expect(await mailsTo(store, other.email)).toHaveLength(2);
  const withdrawOther = page.getByRole("button", { name: `Withdraw the invitation to ${other.email}` });
  await withdrawOther.click();
  await page.getByText(`The invitation to ${other.email} was withdrawn`).waitFor();
  await withdrawOther.waitFor({ state: "detached" });
  const withdraw = page.getByRole("button", { name: `Withdraw the invitation to ${email}` });
  await withdraw.waitFor();
  const password = "a long pass phrase";
  const account = { fullName, phone: "", password, confirmpassword: password };
  const token = await invitationToken(store, email);
  expectDone(await store.visitor().mutate("staff.accept", { token, account }));
  await withdraw.click();
  await page.getByText("This invitation was already accepted or withdrawn").waitFor();
  await withdraw.waitFor({ state: "detached" });

  await page.getByRole("button", { name: `Change ${person.fullName}` }).click();
  const work = page.getByRole("dialog", { name: `Role and shops of ${person.fullName}` });
  await work.getByRole("radio", { name: "Owner" }).check();
  await work.getByRole("combobox", { name: "Shops" }).fill("Desert");
  await page.getByRole("option", { name: /^Desert Lamp Prints/ }).click();
  await page.keyboard.press("Tab");
  await work.getByRole("button", { name: "Save" }).click();
  await page.getByText(`${person.fullName} has the new role and shops now`).waitFor();
  const places = store.deps.readDb.selectFrom("shop_staff").select("shop_id").where("user_id", "=", userId);
  expect((await places.orderBy("shop_id").execute()).map(({ shop_id }) => shop_id)).toEqual([
    "deccan-sheets",
    "desert-lamp-prints",
  ]);
  const { role } = await store.deps.readDb
    .selectFrom("users")
    .select("role")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  expect(role).toBe("owner");

  await page.getByRole("button", { name: `Reset second factor of ${person.fullName}` }).click();
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await page.getByText(`${person.fullName} has no second factor now and is logged out`).waitFor();

  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  await remove(fullName).click();
  await page.getByRole("button", { name: "Remove from the staff" }).click();
  await page.getByText(`${fullName} was removed from the staff and logged out`).waitFor();
  await remove(fullName).waitFor({ state: "detached" });
  expectDone(await admin.visitor.mutate("staff.remove", { userId }));
  await remove(person.fullName).click();
  await page.getByRole("button", { name: "Remove from the staff" }).click();
  await remove(person.fullName).waitFor({ state: "detached" });
});

test("an invited student joins with their existing account, and staff of another shop with theirs, without a new password", async () => {
  const { student } = await signedInStudent(storefront.store);
  await inviteToCounter(student.email);
  const token = await invitationToken(storefront.store, student.email);
  const page = await storefront.visit(`/admin/join?token=${token}`);
  await page.getByText(`You already have an account as ${student.fullName}`).waitFor();
  await page.getByRole("textbox", { name: "New password" }).fill("a long pass phrase");
  await page.getByRole("textbox", { name: "Confirm password" }).fill("a long pass phrase");
  await page.getByRole("button", { name: "Join with this account" }).click();
  await page.getByRole("banner").getByText("Deccan Sheets").waitFor();

  const { person } = await signedInCounter(storefront.store, ["desert-lamp-prints"]);
  const owner = await signedInOwner(storefront.store, ["deccan-sheets"]);
  const invitation = { email: person.email, role: "counter", shopIds: ["deccan-sheets"] };
  expectDone(await owner.visitor.mutate("staff.invite", invitation));
  const path = `/admin/join?token=${await invitationToken(storefront.store, person.email)}`;
  const theirs = await storefront.visit(path);
  await theirs.getByText("Your password stays the same").waitFor();
  await theirs.getByRole("button", { name: "Join with this account" }).click();
  await theirs.waitForURL("**/admin/orders");
});

test("ten minutes after login an invitation asks for the password, and is then sent as filled in", async () => {
  const { visitor, person } = await signedInAdmin(storefront.store);
  const admin = await storefront.visit("/admin/people", {
    ...sessionOf(visitor),
    refused: ["staff.invite", "accounts.confirm"],
  });
  const { email } = newStudent();
  storefront.store.clock.advance({ minutes: 10 });
  await admin.getByRole("button", { name: "Invite" }).click();
  const dialog = admin.getByRole("dialog", { name: "Invite to the staff" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByText("Admin", { exact: true }).click();
  await dialog.getByRole("button", { name: "Send the invitation" }).click();

  const question = admin.getByRole("dialog", { name: "Confirm it is you" });
  await question.getByLabel("Your password").press("Escape");
  await question.waitFor({ state: "hidden" });
  await dialog.getByText("Please confirm your identity and try again").waitFor();
  await expect.poll(() => dialog.getByLabel("Email").inputValue()).toBe(email);

  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  await question.getByRole("button", { name: "Close" }).click();
  await question.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  await question.getByLabel("Your password").fill("not my password");
  await question.getByRole("button", { name: "Confirm" }).click();
  await question.getByText("This is not your current password").waitFor();
  await question.getByLabel("Your password").fill(person.password);
  await question.getByRole("button", { name: "Confirm" }).click();

  await admin.getByText(`An invitation is on its way to ${email}`).waitFor();
  expect(await invitationToken(storefront.store, email)).toBeTruthy();
});

test("an owner who gets a second shop sees it at once, and the first no more once it is taken from them", async () => {
  const [first] = await shopIds(storefront.store);
  const owner = await signedInOwner(storefront.store, [first]);
  const admin = await signedInAdmin(storefront.store);
  const order = await placeOrder(storefront.store, first);
  const page = await visitBoard(storefront, owner, {
    path: `/admin/orders?shop=${first}&order=${order.id}`,
    refused: ["/api/trpc/"],
  });
  const panel = page.getByRole("complementary");
  await panel.getByText(order.student.email).waitFor();
  const change = (shopIds: string[]) => changeStaff(admin.visitor, owner.userId, { role: "owner", shopIds });
  expectDone(await change([first, "deccan-sheets"]));

  await page.getByRole("combobox", { name: "Shop" }).click();
  await page.getByRole("option", { name: /^Deccan Sheets/ }).waitFor();
  await expect.poll(() => page.getByRole("option").count()).toBe(3);

  expectDone(await change(["deccan-sheets"]));
  await panel.getByText("This order could not be loaded").waitFor();
  await expect.poll(() => page.getByText(order.number).count()).toBe(0);
  await page.getByText("The orders could not be loaded").waitFor({ state: "detached" });
  await page.getByText("No open orders").waitFor();
});

test("a removed person is asked to log in on their next action, and can use the console no more", async () => {
  const [first] = await shopIds(storefront.store);
  const owner = await signedInOwner(storefront.store, [first]);
  const page = await storefront.visit("/admin/audit", {
    ...sessionOf(owner.visitor),
    refused: ["audit.list"],
  });
  await page.getByRole("heading", { name: "Audit log" }).waitFor();
  await answersCome(page);

  const admin = await signedInAdmin(storefront.store);
  expectDone(await admin.visitor.mutate("staff.remove", { userId: owner.userId }));

  await page.getByRole("searchbox", { name: "Search" }).fill("anything");
  const login = page.getByRole("dialog", { name: "Your session has ended" });
  await login.getByRole("textbox", { name: "Password" }).fill(owner.person.password);
  await login.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText(`You are logged in as ${owner.person.email}`).waitFor();
});

test("an owner who is made counter staff has their screens as soon as they log in again", async () => {
  const [first] = await shopIds(storefront.store);
  const { visitor, person, userId } = await signedInOwner(storefront.store, [first]);
  const page = await storefront.visit("/admin/audit", { ...sessionOf(visitor), refused: ["audit.list"] });
  await page.getByRole("heading", { name: "Audit log" }).waitFor();
  await answersCome(page);
  const admin = await signedInAdmin(storefront.store);
  expectDone(await changeStaff(admin.visitor, userId, { role: "counter", shopIds: [first] }));

  await page.getByRole("searchbox", { name: "Search" }).fill("anything");
  const login = page.getByRole("dialog", { name: "Your session has ended" });
  await login.getByRole("textbox", { name: "Password" }).fill(person.password);
  await login.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  const nav = page.getByRole("navigation", { name: "Console" });
  await nav.getByRole("link", { name: "Orders" }).waitFor();
  expect(await nav.getByRole("link", { name: "Audit log" }).count()).toBe(0);
});

test("an owner of one shop can invite to its counter by entering an address only", async () => {
  const [first] = await shopIds(storefront.store);
  const owner = await signedInOwner(storefront.store, [first]);
  const partner = await signedInOwner(storefront.store, [first]);
  await rename(partner.userId, "Other Owner");
  const counter = await signedInCounter(storefront.store, [first]);
  await rename(counter.userId, "Counter Person");
  const page = await storefront.visit("/admin/people", sessionOf(owner.visitor));
  await page.getByRole("button", { name: "Remove Counter Person" }).waitFor();
  await page.getByText(`${owner.person.fullName} (you)`, { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /Other Owner/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite to the staff" });
  expect(await dialog.getByRole("radio").count()).toBe(0);
  const { email } = newStudent();
  await dialog.getByLabel("Email").fill(email);
  // A second invitation would void the link of the first, which is mailed already.
  await dialog.getByRole("button", { name: "Send the invitation" }).dblclick();
  await page.getByText(`An invitation is on its way to ${email}`).waitFor();
  await page.getByRole("list", { name: "Invitations" }).getByText(email).waitFor();
  await answersCome(page);
  expect(await mailsTo(storefront.store, email)).toHaveLength(1);
});

test("counter staff see only the orders of their shop", async () => {
  const [first] = await shopIds(storefront.store);
  const { visitor } = await signedInCounter(storefront.store, [first]);
  const page = await storefront.visit("/admin/people", sessionOf(visitor));
  const menu = page.getByRole("navigation", { name: "Console" });
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  expect(await menu.getByRole("link").allInnerTexts()).toEqual(["Orders", "Counter", "Close the day"]);
  for (const path of ["", "/stats", "/payments", "/audit", "/shops", `/shops/${first}`]) {
    await menu.getByRole("link", { name: "Counter" }).click();
    await page.waitForURL("**/admin/counter");
    await openScreen(page, `/admin${path}`);
    await page.waitForURL("**/admin/orders");
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  }
});

async function rename(userId: string, fullName: string): Promise<void> {
  const { db } = storefront.store.deps;
  await db.updateTable("users").set({ full_name: fullName }).where("id", "=", userId).execute();
}

test("one of many people is found by name, email, phone or shop", async () => {
  const { store } = storefront;
  const [first, second] = await shopIds(store);
  const otherClerk = await signedInCounter(store, [first]);
  for (let n = 0; n < 7; n++) await signedInCounter(store, [first]);
  const wanted = await signedInCounter(store, [second]);
  const page = await openPeople();
  const rows = page.getByRole("list", { name: "Staff", exact: true }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBeGreaterThan(9);
  const { name: shop } = await store.deps.readDb
    .selectFrom("shops")
    .select("name")
    .where("id", "=", second)
    .executeTakeFirstOrThrow();
  const [one, other] = [wanted.person, otherClerk.person];
  // Each finds somebody else than the one before.
  for (const [words, { email }] of [
    [one.fullName, one],
    [other.email.toUpperCase(), other],
    [one.phone.slice(2), one],
    [`${other.fullName.split(" ")[0]} ${other.phone}`, other],
    [`${shop} ${one.phone}`, one],
  ] as const) {
    await page.getByRole("searchbox", { name: "Find a person" }).fill(words);
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining(email)]);
  }
  await page.getByRole("searchbox", { name: "Find a person" }).fill("nobody at all");
  await page.getByText("Nobody found").waitFor();
  expect(await rows.count()).toBe(0);
});

test("an answer that comes late leaves the dialogs that were opened meanwhile", async () => {
  const shop = await shownShop((await signedInAdmin(storefront.store)).visitor);
  const [first, second] = [
    await signedInCounter(storefront.store, [shop.id]),
    await signedInCounter(storefront.store, [shop.id]),
  ];
  const owner = await signedInOwner(storefront.store, [shop.id]);
  const page = await storefront.visit("/admin/people", sessionOf(owner.visitor));
  const dialog = page.getByRole("dialog");
  const close = dialog.getByRole("button", { name: "Close", exact: true });
  const change = ({ person }: typeof first) =>
    page.getByRole("button", { name: `Change ${person.fullName}`, exact: true });

  const saveFirst = await delayRequests(page, "**/api/trpc/staff.change*");
  await change(first).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await close.click();
  await change(second).click();
  saveFirst();
  await page.getByText(`${first.person.fullName} has the new role and shops now`).waitFor();
  await answersCome(page);
  await page.getByRole("dialog", { name: `Role and shops of ${second.person.fullName}` }).waitFor();
  await close.click();

  const sendFirst = await delayRequests(page, "**/api/trpc/staff.invite*");
  const { email } = newStudent();
  await page.getByRole("button", { name: "Invite" }).click();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  await close.click();
  await page.getByRole("button", { name: "Invite" }).click();
  await dialog.getByLabel("Email").fill("next@college.example");
  sendFirst();
  await page.getByText(`An invitation is on its way to ${email}`).waitFor();
  await answersCome(page);
  expect(await dialog.getByLabel("Email").inputValue()).toBe("next@college.example");
});
