import { TOTP } from "otpauth";
import type { Page, Route } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { setStaffSecondFactorRequired } from "#server/accounts/second-factor.service.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import {
  invitationToken,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInOwner,
} from "../factories/staff.ts";
import { newestCode, newStudent, visitorAs } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront, stopTheSecond } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();

afterEach(() => transact(storefront.store.deps.db, (trx) => setStaffSecondFactorRequired(trx, false)));

/** The screen of their security, for somebody who has just logged in. */
async function visitSecurity({ visitor }: StaffPerson, refused: string[]): Promise<Page> {
  const page = await storefront.visit("/admin/security", { ...sessionOf(visitor), refused });
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  return page;
}

async function logIn(page: Page, { person }: StaffPerson): Promise<void> {
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(person.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My account" }).click();
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
}

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My account" }).click();
  await page.getByRole("link", { name: "Security" }).click();
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
}

/** Long enough for two lines on a phone. */
const PASSKEY = "Office PC at the counter, beside the large colour printer";
const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name"));

const codeFor = (secret: string) =>
  new TOTP({ secret }).generate({ timestamp: storefront.store.clock.now().getTime() });

test("a passkey can be added and then logs in by itself, but not without user verification", async () => {
  const admin = await signedInAdmin(storefront.store);
  const refused = ["accounts.login", "accounts.loginWithPasskey"];
  // Passkeys need a host name.
  const baseURL = storefront.store.url.replace("127.0.0.1", "localhost");
  const page = await storefront.visit("/admin/login", { baseURL, refused });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await logIn(page, admin);
  await openSecurity(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill(PASSKEY);
  await page.getByRole("button", { name: "Add the passkey" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await codes.waitFor();
  await expect.poll(() => codes.getByRole("listitem").count()).toBe(10);
  await page.emulateMedia({ media: "print" });
  const printed = (await page.locator("body").innerText()).trim().split(/\n+/);
  expect(printed[0]).toBe("Save these recovery codes");
  expect(printed).toHaveLength(2 + 10);
  await page.emulateMedia({ media: null });
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("list", { name: "Second factors" }).getByText(PASSKEY).waitFor();
  await expect.poll(() => focusedText(page)).toBe("Create new recovery codes");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("Again");
  await page.getByRole("button", { name: "Add the passkey" }).click();
  await page.getByText("This device has a passkey for your account already").waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await page.setViewportSize({ width: 320, height: 640 });
  // The navigation slides out first.
  await expect
    .poll(() => page.getByRole("button", { name: `Remove ${PASSKEY}` }).evaluate(isCut))
    .toBe(false);
  await page.setViewportSize({ width: 1280, height: 720 });
  await logOut(page);

  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  await logOut(page);

  await logIn(page, admin);
  await page.getByText("Recovery code").waitFor();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByText("No passkey was used. Please try again").waitFor();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  await openSecurity(page);
  await page.getByRole("button", { name: `Remove ${PASSKEY}` }).click();
  await page.getByText("The second factor was removed").waitFor();
  await expect.poll(() => focusedText(page)).toBe("Second factor");
});

test("an authenticator app is set up with its key, and its code is asked for at the next login, and before new recovery codes are made", async () => {
  const [shopId] = await shopIds(storefront.store);
  const owner = await signedInOwner(storefront.store, [shopId]);
  const refused = [
    "accounts.login",
    "accounts.loginWithOtp",
    "accounts.finishLogin",
    "accounts.startTotp",
    "accounts.addTotp",
    "accounts.newRecoveryCodes",
    "accounts.removeTotp",
  ];
  const page = await visitSecurity(owner, refused);
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  await page.route(/startTotp/, (route) => route.abort(), { times: 1 });
  await page.locator("button:focus", { hasText: "Show the QR code" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("The store cannot be reached").waitFor();
  await page.getByRole("button", { name: "Show the QR code" }).click();
  const qrCode = page.getByRole("img", { name: "QR code for your authenticator app" });
  await qrCode.waitFor();
  // Whoever takes too long begins anew.
  const error = { code: -32000, message: "This took too long", data: { appCode: "GONE" } };
  const tooLate = (route: Route) => route.fulfill({ status: 410, json: [{ error }] });
  await page.route("**/api/trpc/accounts.addTotp*", tooLate, { times: 2 });
  await page.getByLabel("2. Enter the code that the app shows").fill("000000");
  await page.getByRole("button", { name: "Add the app" }).click();
  await page.getByText("This took too long").waitFor();
  await page.getByRole("button", { name: "Show the QR code" }).click();
  await qrCode.waitFor();
  expect(await page.getByText("This took too long").count()).toBe(0);
  const secret = ((await page.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
  await expect.poll(() => focusedField(page)).toBe("code");
  await page.keyboard.type(codeFor(secret));
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("list", { name: "Second factors" }).getByText("Authenticator app").waitFor();
  // An address without a name, as that of the tests, has no passkeys.
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await logOut(page);
  expect(await page.getByRole("button", { name: "Log in with a passkey" }).count()).toBe(0);

  await logIn(page, owner);
  await page.getByLabel("Code from your authenticator app").fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("This code is wrong, expired or already used").waitFor();
  await page.getByRole("button", { name: `Not ${owner.person.email}? Start again` }).click();
  await logIn(page, owner);
  storefront.store.clock.advance({ seconds: 30 });
  await page.getByLabel("Code from your authenticator app").fill(codeFor(secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();

  storefront.store.clock.advance({ minutes: 10 });
  await openSecurity(page);
  await page.getByRole("button", { name: "Create new recovery codes" }).click();
  const question = page.getByRole("dialog", { name: "Confirm it is you" });
  await question.getByLabel("Or a code from your authenticator app").fill(codeFor(secret));
  await question.getByRole("button", { name: "Confirm" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect.poll(() => codes.count()).toBe(10);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await logOut(page);

  // The store's own login leads there too.
  const { email, password } = owner.person;
  await page.goto("/login");
  await page.getByLabel("This is a shared computer").check();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/login");
  storefront.store.clock.advance({ seconds: 1 });
  await storefront.store.visitor().mutate("accounts.requestLoginOtp", { email });
  await page.evaluate((address) => sessionStorage.setItem("otpEmail", address), email);
  await page.goto("/login-with-otp");
  await page.getByLabel("Code").fill(await newestCode(storefront.store, email));
  await page.waitForURL("**/admin/login");

  // What was said there holds for the session, and for what the browser keeps.
  storefront.store.clock.advance({ seconds: 30 });
  await page.getByLabel("Code from your authenticator app").fill(codeFor(secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  const session = (await page.context().cookies()).find(({ name }) => name === "session");
  expect(session?.expires).toBe(-1);
  expect(await page.evaluate(() => localStorage.getItem("shared-computer"))).toBe("yes");
  await openSecurity(page);
  await page.getByRole("button", { name: "Remove Authenticator app" }).click();
  await page.getByText("The second factor was removed").waitFor();
  await page.getByRole("list", { name: "Second factors" }).waitFor({ state: "detached" });
});

test("if owners need a second factor, it is set up right after the password, and its recovery codes can be copied and do not go by a reload", async () => {
  const { store } = storefront;
  const [shopId] = await shopIds(store);
  const [admin, owner] = [await signedInAdmin(store), await signedInOwner(store, [shopId])];
  const page = await storefront.visit("/admin/people", {
    ...sessionOf(admin.visitor),
    refused: ["accounts.login", "staff.accept"],
  });
  await page.getByRole("switch", { name: "Owners and counter staff must use a second factor" }).click();
  await page.getByRole("switch", { checked: true }).waitFor();
  await logOut(page);
  // So it is for somebody who joins.
  const invited = newStudent();
  const invitation = { email: invited.email, role: "counter", shopIds: [shopId] };
  expectDone(await (await signedInAdmin(store)).visitor.mutate("staff.invite", invitation));
  await page.goto(`/admin/join?token=${await invitationToken(store, invited.email)}`);
  await page.getByLabel("Full name").fill(invited.fullName);
  await page.getByRole("textbox", { name: "New password" }).fill("a long pass phrase");
  await page.getByRole("textbox", { name: "Confirm password" }).fill("a long pass phrase");
  await page.getByRole("button", { name: "Join the staff" }).click();
  await page.getByText("Your role requires a second factor").waitFor();
  await page.getByRole("button", { name: `Not ${invited.email}? Start again` }).click();
  await logIn(page, owner);
  await page.getByText("Your role requires a second factor").waitFor();
  await page.goto("/admin/orders");
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  await page.getByRole("button", { name: "Show the QR code" }).click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = ((await page.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("2. Enter the code that the app shows").fill(codeFor(secret));
  await page.getByRole("button", { name: "Add the app" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  // The word goes after a second, too.
  await stopTheSecond(page);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect((await page.evaluate(() => navigator.clipboard.readText())).split("\n")).toEqual(
    await codes.getByRole("listitem").allInnerTexts(),
  );
  const asks = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(await page.evaluate(asks), "before a reload").toBe(true);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();
});

test("recovery codes that a login over the screen brings stay while the person saves them in another window", async () => {
  const { store } = storefront;
  const [shopId] = await shopIds(store);
  const [admin, owner] = [await signedInAdmin(store), await signedInOwner(store, [shopId])];
  const refused = ["accounts.login", "stats.read"];
  const page = await storefront.visit("/robots.txt", { ...sessionOf(owner.visitor), refused });
  await page.goto("/admin/shops");
  await page.getByRole("heading", { name: "Shops", level: 1 }).waitFor();
  await answersCome(page);
  await admin.visitor.mutate("staff.setSecondFactorRule", { required: true });
  // Not by its link, which the login may cover already.
  await openScreen(page, "/admin/stats");
  await page.getByRole("textbox", { name: "Password" }).fill(owner.person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  await page.getByRole("button", { name: "Show the QR code" }).click();
  const secret = ((await page.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("2. Enter the code that the app shows").fill(codeFor(secret));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await codes.waitFor();
  await page.evaluate(async () => {
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    for (let call = 0; call < 3; call++) await fetch("/api/trpc/accounts.me");
  });
  expect(await codes.isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: "Start again" }).isVisible()).toBe(false);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("staff can end their other sessions, one or all, and change their password in the console with the current one", async () => {
  const { store } = storefront;
  const [shopId] = await shopIds(store);
  const owner = await signedInOwner(store, [shopId]);
  const others = [await visitorAs(store, owner.person), await visitorAs(store, owner.person)];
  const page = await visitSecurity(owner, ["accounts.login", "accounts.changePassword"]);
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  const statuses = async () =>
    (await Promise.all(others.map((visitor) => visitor.query("staff.myShops")))).map(({ status }) => status);
  await expect.poll(() => sessions.count()).toBe(3);
  const own = sessions.filter({ hasText: "(this one)" });
  expect([await own.count(), await own.getByRole("button").count()]).toEqual([1, 0]);
  await sessions
    .getByRole("button", { name: /^Log out / })
    .first()
    .click();
  await expect.poll(() => sessions.count()).toBe(2);
  expect((await statuses()).toSorted()).toEqual([200, 401]);
  await page.getByRole("button", { name: "Log out everywhere else" }).click();
  await expect.poll(() => sessions.count()).toBe(1);
  expect(await statuses()).toEqual([401, 401]);
  const elsewhere = await visitorAs(store, owner.person);
  const fill = async (current: string, next: string) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password").fill(next);
    await page.getByLabel("Confirm password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await fill(owner.person.password, "too short");
  await page.getByText("must be at least 12 characters long").waitFor();
  await fill("not the password", "seven staples and a clip");
  await page.getByText("This is not your current password").waitFor();
  expect((await elsewhere.query("staff.myShops")).status).toBe(200);

  await fill(owner.person.password, "seven staples and a clip");
  await page.getByText("Your password is changed, and every other device is logged out").waitFor();
  await expect.poll(() => page.getByLabel("New password").inputValue()).toBe("");
  expect((await elsewhere.query("staff.myShops")).status).toBe(401);
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await logOut(page);
  await logIn(page, owner);
  await page.getByText("Invalid email or password").waitFor();
  await logIn(page, { ...owner, person: { ...owner.person, password: "seven staples and a clip" } });
  await page.getByRole("navigation", { name: "Console" }).waitFor();
});

test("confirming the identity keeps other tabs logged in and live", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const [shopId] = await shopIds(store);
  const board = await storefront.visit("/admin/orders", sessionOf(admin.visitor));
  const first = await placeOrder(store, shopId);
  await board.getByText(first.number).first().waitFor();
  const own = await board.context().newPage();
  const follows = () => own.waitForRequest(/orders\.live/);
  await Promise.all([follows(), own.goto("/orders")]);
  store.clock.advance({ minutes: 10 });

  const people = await board.context().newPage();
  await people.goto("/admin/people");
  await people.getByRole("button", { name: "Invite" }).click();
  await people.getByRole("textbox", { name: "Email" }).fill("new@shop.example");
  await people.getByRole("radio", { name: "Admin" }).check();
  await people.getByRole("button", { name: "Send the invitation" }).click();
  await people.getByLabel("Your password").fill(admin.person.password);
  const taken = [board.waitForRequest(/board\.live/), follows()];
  await people.getByRole("button", { name: "Confirm", exact: true }).click();
  await people.getByText("new@shop.example").first().waitFor();
  await Promise.all(taken);

  const next = await placeOrder(store, shopId);
  await board.getByText(next.number).first().waitFor();
  await own.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(own.url()).pathname).toBe("/orders");
});
