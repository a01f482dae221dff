import { readFile } from "node:fs/promises";
import type { Download, Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import { twoColours } from "../factories/photos.ts";
import { type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { logIn } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";
import { orderButton } from "./admin-orders-steps.ts";
import { pdfFile } from "./print-steps.ts";

const storefront = openStorefront();

let shop: string;
let owner: StaffPerson;
let partner: StaffPerson;
let counter: StaffPerson;
let orders: PlacedOrder[];
/** A printing error of it is reported, with a photo. */
let misprinted: PlacedOrder;
beforeAll(async () => {
  const { store } = storefront;
  ({ id: shop } = await shownShop((await signedInAdmin(store)).visitor));
  owner = await signedInOwner(store, [shop]);
  partner = await signedInOwner(store, [shop]);
  counter = await signedInCounter(store, [shop]);
  const first = await placeOrder(store, shop);
  orders = [first, await placeAnother(first.visitor, first.student, shop)];
  misprinted = await deliveredOrder(store, owner.visitor, shop);
  const photo = await sendPhoto(misprinted.visitor, new Uint8Array(await twoColours().png().toBuffer()));
  expectDone(await reportError(misprinted, [expectDone(photo).id]));
});

const dialog = (page: Page) =>
  page.getByRole("dialog", { name: /^Your session has ended|is logged in now$/ });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const picked = async () => ({
  name: "front.jpg",
  mimeType: "image/jpeg",
  buffer: await twoColours().jpeg().toBuffer(),
});

async function logInOver(page: Page, { person }: StaffPerson): Promise<void> {
  await dialog(page).getByLabel("Email").fill(person.email);
  await dialog(page).getByRole("textbox", { name: "Password" }).fill(person.password);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
}

async function endSessions({ userId }: StaffPerson): Promise<void> {
  await storefront.store.deps.db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

let downloaded: Promise<Download>;
let opened: Promise<Page>;

/** Presses what downloads a file, which may come only after the login. */
async function startDownload(page: Page, link: Locator): Promise<void> {
  downloaded = page.waitForEvent("download");
  downloaded.catch(() => {});
  await link.click();
}

async function expectPdf(): Promise<void> {
  const bytes = await readFile(await (await downloaded).path());
  expect(bytes.subarray(0, 4).toString()).toBe("%PDF");
}

/** Opens a screen as the owner, logged in anew: a test before has ended the session, or somebody has replaced it. */
async function visitAsOwner(path: string): Promise<Page> {
  await logIn(owner.visitor, owner.person);
  // The browser logs every refused request.
  const page = await storefront.visit("/robots.txt", { ...sessionOf(owner.visitor), refused: ["/"] });
  // The stream of events would open the login before the button is pressed.
  await page.context().route(/board\.live/, () => {});
  await page.goto(path);
  return page;
}

/** The statuses of the answers to this call. */
function answersOf(page: Page, call: string): number[] {
  const answers: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes(call)) answers.push(response.status());
  });
  return answers;
}

describe("when the session has ended on the server, the same person logs in over the screen, and goes on with", () => {
  test.each([
    {
      what: "a form",
      path: () => `/admin/orders?order=${orders[0]?.id}`,
      async fill(page: Page) {
        await button(page, "Take payment").click();
        await page.getByText("UPI", { exact: true }).last().click();
        await page.getByLabel("Amount in rupees").fill("1.25");
      },
      press: (page: Page) => button(page, "Record payment").click(),
      kept: (page: Page) => page.getByLabel("Amount in rupees").inputValue(),
      typed: () => "1.25",
      call: "payments.take",
      done: (page: Page) => page.getByText(`₹1.25 recorded for order ${orders[0]?.number}`).waitFor(),
    },
    {
      what: "a search",
      path: () => `/admin/orders?shop=${shop}`,
      fill: (page: Page) => orderButton(page, orders[1]?.number ?? "").waitFor(),
      press: (page: Page) => page.getByLabel("Search orders").fill(orders[1]?.student.phone ?? ""),
      kept: (page: Page) => page.getByLabel("Search orders").inputValue(),
      typed: () => orders[1]?.student.phone,
      // It may be asked any number of times.
      call: null,
      done: (page: Page) =>
        page
          .locator("table")
          .or(page.getByRole("table"))
          .getByText(orders[1]?.number ?? "")
          .waitFor(),
    },
    {
      what: "a picture in a form",
      path: () => `/admin/shops/${shop}`,
      fill: (page: Page) => page.getByLabel("College").fill("Thapar Institute"),
      press: async (page: Page) => page.locator("input[type=file]").setInputFiles(await picked()),
      kept: (page: Page) => page.getByLabel("College").inputValue(),
      typed: () => "Thapar Institute",
      call: "shops.admin.uploadPhoto",
      done: (page: Page) => page.locator("main form img[src^='/shop-photos/']").waitFor(),
    },
    {
      what: "a file of a walk-in order",
      path: () => `/admin/orders?shop=${shop}`,
      async fill(page: Page) {
        await button(page, "New order").click();
        await page.getByLabel("Name to call out").fill("Meera");
      },
      press: async (page: Page) =>
        page.locator("[role=dialog] input[type=file]").setInputFiles(pdfFile("Lab.pdf", await pdfOfPages(2))),
      kept: (page: Page) => page.getByLabel("Name to call out").inputValue(),
      typed: () => "Meera",
      call: "/api/v1/uploads",
      done: (page: Page) => page.getByRole("list", { name: "Files" }).getByText("2 pages").waitFor(),
    },
    {
      what: "a print pack in a new tab",
      path: () => `/admin/orders?order=${orders[1]?.id}`,
      fill: (page: Page) => page.getByLabel("New note").fill("He comes at five"),
      async press(page: Page) {
        const opened = page.waitForEvent("popup");
        await button(page, "Print pack").click();
        await (await opened).getByText(/^Your session has ended/).waitFor();
      },
      kept: (page: Page) => page.getByLabel("New note").inputValue(),
      typed: () => "He comes at five",
      call: "pack.pdf",
      done: (page: Page) => page.getByRole("button", { name: "Print pack", disabled: false }).waitFor(),
    },
    {
      what: "the download of a file",
      path: () => `/admin/orders?order=${orders[1]?.id}`,
      fill: (page: Page) => page.getByLabel("New note").fill("She comes at six"),
      press: async (page: Page) =>
        startDownload(page, page.getByRole("link", { name: /^Download / }).first()),
      kept: (page: Page) => page.getByLabel("New note").inputValue(),
      typed: () => "She comes at six",
      // Only the download tells whether it was answered.
      call: null,
      done: expectPdf,
    },
    {
      what: "the download of a receipt",
      path: () => `/admin/orders?order=${orders[1]?.id}`,
      fill: (page: Page) => page.getByLabel("New note").fill("She comes at seven"),
      press: async (page: Page) => startDownload(page, page.getByRole("link", { name: "Receipt" })),
      kept: (page: Page) => page.getByLabel("New note").inputValue(),
      typed: () => "She comes at seven",
      call: null,
      done: expectPdf,
    },
    {
      what: "a photo of a printing error in a new tab",
      path: () => `/admin/orders?order=${misprinted.id}`,
      async fill(page: Page) {
        // It comes by a call of its own, which would open the login by itself.
        await page.getByRole("link", { name: "Open number 1" }).waitFor();
        await page.getByLabel("New note").fill("The toner smudged");
      },
      async press(page: Page) {
        opened = page.waitForEvent("popup");
        await page.getByRole("link", { name: "Open number 1" }).click();
      },
      kept: (page: Page) => page.getByLabel("New note").inputValue(),
      typed: () => "The toner smudged",
      call: null,
      done: async () => expect(await (await opened).evaluate(() => document.contentType)).toBe("image/webp"),
    },
    {
      what: "the CSV of a period",
      path: () => `/admin/payments?shop=${shop}`,
      fill: (page: Page) => button(page, "CSV").click(),
      press: async (page: Page) => startDownload(page, page.getByRole("menuitem", { name: "Orders" })),
      kept: async () => "",
      typed: () => "",
      call: null,
      done: async () => expect((await (await downloaded).path()).length).toBeGreaterThan(0),
    },
    {
      what: "a menu",
      path: () => `/admin/orders?shop=${shop}`,
      async fill(page: Page) {
        await button(page, "Something has run out").click();
        await page.getByRole("switch", { name: "Spiral" }).waitFor();
      },
      press: (page: Page) => page.getByRole("switch", { name: "Spiral" }).click({ force: true }),
      kept: async (page: Page) => `on: ${await page.getByRole("switch", { name: "Spiral" }).isChecked()}`,
      typed: () => "on: true",
      // It is refused, as the shop has no other.
      call: null,
      done: (page: Page) => button(page, "Mark it out anyway").waitFor(),
    },
    {
      what: "a second factor",
      path: () => "/admin/security",
      async fill(page: Page) {
        await page.getByRole("textbox", { name: "New password" }).fill("half of it");
        await button(page, "Use an authenticator app").click();
      },
      press: (page: Page) => button(page, "Show the QR code").click(),
      kept: (page: Page) => page.getByRole("textbox", { name: "New password" }).inputValue(),
      typed: () => "half of it",
      call: "accounts.startTotp",
      done: (page: Page) => page.getByText("1. Scan this with the app.").waitFor(),
    },
  ])("$what", async ({ path, fill, press, kept, typed, call, done }) => {
    const page = await visitAsOwner(path());
    await fill(page);
    await answersCome(page);
    await endSessions(owner);
    const answers = call ? answersOf(page, call) : [200];
    await press(page);
    await dialog(page).waitFor();
    expect(await kept(page)).toBe(typed());
    await page.keyboard.press("Escape");
    await logInOver(page, owner);
    await dialog(page).waitFor({ state: "detached" });
    await done(page);
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe("when somebody else has logged in in this browser", () => {
  const college = () =>
    storefront.store.deps.readDb
      .selectFrom("shops")
      .select("college")
      .where("id", "=", shop)
      .executeTakeFirstOrThrow();
  const field = (page: Page) => page.getByLabel("College");

  /** The owner's screen, in which something is typed. */
  async function typeCollege(text: string): Promise<Page> {
    const page = await visitAsOwner(`/admin/shops/${shop}`);
    await field(page).fill(text);
    await answersCome(page);
    return page;
  }

  test("a form does nothing in their name; its owner can log in again, and it is done once", async () => {
    const page = await typeCollege("Typed by the owner");
    const answers = answersOf(page, "shops.admin.update");
    const { storageState } = sessionOf(partner.visitor);
    if (typeof storageState === "object") await page.context().addCookies(storageState.cookies);
    await button(page, "Save").click();
    await dialog(page).getByText(`(${partner.person.email}) has logged in in this browser`).waitFor();
    expect((await college()).college).not.toBe("Typed by the owner");
    await logInOver(page, owner);
    await page.getByText("is saved").waitFor();
    expect([await field(page).inputValue(), answers]).toEqual(["Typed by the owner", [401, 200]]);
    expect((await college()).college).toBe("Typed by the owner");
  });

  test("in another tab, the first tab says so at once, and what was typed there is dropped only if they choose it", async () => {
    const page = await typeCollege("Never sent");
    const answers = answersOf(page, "shops.admin.update");
    await endSessions(owner);
    // It asks for the owner's login already, as after any call that was refused.
    await page.evaluate(() => window.dispatchEvent(new StorageEvent("storage", { key: "owner" })));
    await dialog(page).waitFor();
    const other = await page.context().newPage();
    await other.goto("/admin");
    await other.getByLabel("Email").fill(counter.person.email);
    await other.getByRole("textbox", { name: "Password" }).fill(counter.person.password);
    await other.keyboard.press("Enter");
    await other.getByRole("navigation", { name: "Console" }).waitFor();

    await dialog(page).getByText(counter.person.email).waitFor();
    expect(await field(page).inputValue()).toBe("Never sent");
    const loaded = page.waitForEvent("load");
    await button(page, `Go on as ${counter.person.fullName}, and drop it`).click();
    await loaded;
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    await page.getByRole("button", { name: "My account" }).click();
    await page.getByText(`${counter.person.email}, counter`).waitFor();
    expect([answers, (await college()).college]).not.toContain("Never sent");
    expect(answers).toEqual([]);
  });

  test("over the screen, they are asked before what was typed is dropped", async () => {
    const page = await typeCollege("Not theirs");
    await endSessions(owner);
    await button(page, "Save").click();
    const forgotten = page.waitForEvent("popup");
    await dialog(page).getByRole("link", { name: "Forgot your password?" }).click();
    await forgotten;
    await logInOver(page, counter);
    await button(page, `Go on as ${counter.person.fullName}, and drop it`).waitFor();
    await logInOver(page, owner);
    await page.getByText("is saved").waitFor();
    expect((await college()).college).toBe("Not theirs");
  });
});

test("after a logout the next person in the tab sees nothing of the last one", async () => {
  const admin = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/orders", { ...sessionOf(admin.visitor), refused: ["/"] });
  const mine = orderButton(page, orders[0]?.number ?? "");
  await mine.waitFor();
  await page.getByRole("button", { name: "My account" }).click();
  await button(page, "Log out").click();
  const stranger = await signedInCounter(storefront.store, ["deccan-sheets"]);
  await page.context().route(/board\.(list|live|columns)/, () => {});
  await page.getByLabel("Email").fill(stranger.person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(stranger.person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  await page.getByRole("link", { name: "Orders" }).click();
  await page.waitForURL("**/admin/orders*");
  expect(await mine.count()).toBe(0);
});

test("a logout takes notices and questions off the screens of all tabs", async () => {
  const admin = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/people", { ...sessionOf(admin.visitor), refused: ["/"] });
  const other = await page.context().newPage();
  await page.context().route("**/staff.setSecondFactorRule*", (route) => route.abort());
  await other.goto("/admin/people");
  for (const tab of [page, other]) {
    await tab.getByRole("switch", { name: /must use a second factor/ }).click();
    await tab.getByText("That did not work").waitFor();
  }
  await other.getByRole("button", { name: `Remove ${owner.person.fullName}`, exact: true }).click();
  await other.getByRole("dialog", { name: `Remove ${owner.person.fullName}?` }).waitFor();
  await page.getByRole("button", { name: "My account" }).click();
  await button(page, "Log out").click();
  for (const tab of [page, other]) {
    await button(tab, "Log in").waitFor();
    await answersCome(tab);
    await expect.poll(() => tab.getByRole("alert").or(tab.getByRole("dialog")).count()).toBe(0);
  }
});
