import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent } from "../factories/students.ts";
import {
  expectAccessibleScreen,
  expectAccessibleStates,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { drawn, openStorefront } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

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
/** The console of all tests of the staff. */
const tab = storefront.visitOnce("/admin/orders", () => sessionOf(admin.visitor));

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
      ["the mails", (page) => page.getByRole("list", { name: "Emails" }).waitFor()],
      ["a mail", openMail],
    ],
  ],
  [
    "/admin/audit",
    [
      ["the audit log", (page) => page.getByRole("list", { name: "What staff did" }).waitFor()],
      ["the account menu", pressFirst(/^My account$/)],
      ["an empty search", searchInVain],
    ],
  ],
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
  await page.getByRole("list", { name: "Emails" }).getByRole("button").first().click();
  await page.getByRole("dialog", { name: "Email" }).getByRole("tab", { name: "Text" }).waitFor();
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

async function searchInVain(page: Page) {
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Search" }).fill("zebra");
  await page.getByText("Nothing found").waitFor();
}

test.each(SCREENS)("%s fits every width and passes axe in light and dark", async (path, states) => {
  await openScreen(tab(), path);
  await expectAccessibleStates(tab(), states);
});

test("the navigation on a narrow screen opens, leads to a page and closes", async () => {
  const page = tab();
  await openScreen(page, "/admin/audit");
  await page.setViewportSize({ width: 390, height: 800 });
  const link = page.getByRole("link", { name: "People" });
  await link.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Open the navigation" }).click();
  await link.click();
  await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  await link.waitFor({ state: "hidden" });
});

test("the first Tab leads past the navigation to the content, and the colours that a button switches to stay after a reload", async () => {
  const page = tab();
  await page.setViewportSize({ width: 1366, height: 768 });
  await openScreen(page, "/admin/audit");
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Switch to dark colours" }).click();
  await expect.poll(scheme).toBe("dark");
  await page.reload();
  const back = page.getByRole("button", { name: "Switch to light colours" });
  await back.waitFor();
  expect(await scheme()).toBe("dark");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await page.keyboard.press("Tab");
  await skip.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();
  await back.click();
  await expect.poll(scheme).toBe("light");
});

test("a dead invitation says so, fits every width and passes axe in light and dark", async () => {
  const page = await storefront.visit("/admin/join?token=some", { refused: ["staff.invitation"] });
  await page.getByText("This invitation is no longer valid. Please ask for a new one").waitFor();
  await expectAccessibleScreen(page);
});

test("a screen whose link is pressed before the first one stands gets the focus, and the first one does not", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/robots.txt", sessionOf(visitor));
  await page.addInitScript(() => {
    // The press of a script is no gesture, by which the screen of orders could start its sound.
    window.addEventListener("click", (event) => event.stopImmediatePropagation());
    new MutationObserver((_, observer) => {
      const link = [...document.querySelectorAll("nav a")].find((a) => a.textContent?.includes("Emails"));
      if (!link) return;
      observer.disconnect();
      (link as HTMLElement).click();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/admin/people");
  await page.locator("main h1:focus", { hasText: "Emails" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Emails" }).waitFor();
  await drawn(page);
  expect(await page.locator("main h1:focus").count()).toBe(0);
});
