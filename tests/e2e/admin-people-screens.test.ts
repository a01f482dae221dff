import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { beforeAll, test } from "vitest";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import {
  expectAccessibleScreen,
  expectAccessibleStates,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();
let admin: StaffPerson;

/** Something is on every screen of the console's people. */
beforeAll(async () => {
  const { store } = storefront;
  admin = await signedInAdmin(store);
  const [first, second] = await shopIds(store);
  await signedInOwner(store, [first, second]);
  const { email } = newStudent();
  await admin.visitor.mutate("staff.invite", { email, role: "owner", shopIds: [first] });
  const message = {
    fullName: "Meera",
    email: "meera@college.example",
    subject: "",
    message: "Open on Sunday?",
  };
  await store.visitor().post("/api/v1/users/contactus", message);
});

const pressFirst = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Every stable state of every screen, each reached from the one before. */
const SCREENS: [string, ScreenStates][] = [
  [
    "/admin/people",
    [
      ["the people", (page) => page.getByRole("list", { name: "Invitations" }).waitFor()],
      ["an invitation", pressFirst(/^Invite$/)],
      ["a removal", afterDialog(pressFirst(/^Remove/))],
      ["a change", afterDialog(pressFirst(/^Change/))],
    ],
  ],
  ["/admin/messages", [["the messages", pressFirst(/Meera/)]]],
  [
    "/admin/mails",
    [
      ["the mails", (page) => page.getByRole("list", { name: "Mails" }).waitFor()],
      ["a mail", openMail],
    ],
  ],
  [
    "/admin/audit",
    [
      ["the audit log", (page) => page.getByRole("list", { name: "What staff did" }).waitFor()],
      ["the keyboard shortcuts", openShortcuts],
      ["the account menu", afterDialog(pressFirst(/^My account$/))],
    ],
  ],
  ["/admin/audit?search=zebra", [["an empty search", (page) => page.getByText("Nothing found").waitFor()]]],
  ["/admin/nowhere", [["an unknown page", (page) => page.getByText("Page not found").waitFor()]]],
  [
    "/admin/security",
    [
      ["the security", (page) => page.getByRole("button", { name: "Use an authenticator app" }).waitFor()],
      ["a new authenticator app", openTotp],
      ["the recovery codes", openRecoveryCodes],
    ],
  ],
];

/** The step after the open dialog is closed. */
function afterDialog(step: (page: Page) => Promise<unknown>) {
  return async (page: Page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await step(page);
  };
}

async function openMail(page: Page) {
  await page.getByRole("list", { name: "Mails" }).getByRole("button").first().click();
  await page.getByRole("dialog", { name: "Mail" }).getByRole("tab", { name: "Text" }).waitFor();
}

async function openTotp(page: Page) {
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  await page.getByRole("button", { name: "Show the QR code" }).click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
}

async function openRecoveryCodes(page: Page) {
  const secret = ((await page.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
  const timestamp = storefront.store.clock.now().getTime();
  await page
    .getByLabel("2. Enter the code that the app shows")
    .fill(new TOTP({ secret }).generate({ timestamp }));
  await page.getByRole("button", { name: "Add the app" }).click();
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
}

async function openShortcuts(page: Page) {
  await page.keyboard.press("Shift+?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
}

test.each(SCREENS)("%s fits every width and passes axe in light and dark", async (path, states) => {
  // A new app of one person would change what the others' screens show of their account.
  const { visitor } = path === "/admin/security" ? await signedInAdmin(storefront.store) : admin;
  await expectAccessibleStates(await storefront.visit(path, sessionOf(visitor)), states);
});

test("the navigation on a narrow screen opens, leads to a page and closes", async () => {
  const { visitor } = admin;
  const viewport = { width: 390, height: 800 };
  const page = await storefront.visit("/admin/audit", { ...sessionOf(visitor), viewport });
  const link = page.getByRole("link", { name: "People" });
  await link.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Open the navigation" }).click();
  await link.click();
  await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  await link.waitFor({ state: "hidden" });
});

test.each([
  ["the login", "/admin/login"],
  ["a dead invitation", "/admin/join?token=some"],
])("%s fits every width and passes axe in light and dark", async (_name, path) => {
  const page = await storefront.visit(path, { refused: ["staff.invitation"] });
  await page.getByRole("main").waitFor();
  await expectAccessibleScreen(page);
});

test("the screen for a student fits every width and passes axe in light and dark", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  const page = await storefront.visit("/admin/login", sessionOf(visitor));
  await page.getByRole("button", { name: "Use another account" }).waitFor();
  await expectAccessibleScreen(page);
});
