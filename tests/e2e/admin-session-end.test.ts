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
import { answersCome, drawn, openStorefront } from "../setup/storefront.ts";
import { orderButton } from "./admin-orders-steps.ts";
import { openScreen } from "./admin-steps.ts";
import { pdfFile } from "./print-steps.ts";

const storefront = openStorefront();

let shop: string;
let owner: StaffPerson;
let partner: StaffPerson;
let counter: StaffPerson;
let orders: PlacedOrder[];
/** At another shop of the owner. */
let elsewhere: PlacedOrder;
/** A printing error of it is reported, with a photo. */
let misprinted: PlacedOrder;
beforeAll(async () => {
  const { store } = storefront;
  ({ id: shop } = await shownShop((await signedInAdmin(store)).visitor));
  owner = await signedInOwner(store, [shop, "deccan-sheets"]);
  partner = await signedInOwner(store, [shop]);
  counter = await signedInCounter(store, [shop]);
  const first = await placeOrder(store, shop);
  orders = [first, await placeAnother(first.visitor, first.student, shop)];
  elsewhere = await placeAnother(first.visitor, first.student, "deccan-sheets");
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
  await page.addInitScript(stopPolling);
  await page.goto(path);
  return page;
}

/** In the page: what asks again by itself after ten seconds or more would open the login before the button is pressed as well. */
function stopPolling(): void {
  const { setInterval } = window;
  window.setInterval = ((run: () => void, ms: number) =>
    ms < 10_000 ? setInterval(run, ms) : 0) as typeof setInterval;
}

/** How what is below the top layer is hidden from whoever passes by. */
const blurAtCorner = (page: Page) =>
  page.evaluate(() => {
    const top = document.elementFromPoint(1, 1);
    return top && getComputedStyle(top).backdropFilter;
  });

/** The statuses of the answers to this call. */
function answersOf(page: Page, call: string): number[] {
  const answers: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes(call)) answers.push(response.status());
  });
  return answers;
}

interface Step {
  fill(page: Page): Promise<unknown>;
  press(page: Page): Promise<unknown>;
  /** What was typed, which stays. */
  kept(page: Page): Promise<string>;
  typed: string;
  /** The call that is answered once; null where only `done` tells, or where it may be asked any number of times. */
  call: string | null;
  done(page: Page): Promise<unknown>;
}

const noteField = (page: Page) => page.getByLabel("New note");

/** A step beside which a note is typed. */
function withNote(note: string, step: Pick<Step, "press" | "call" | "done">): Step {
  return {
    ...step,
    fill: (page) => noteField(page).fill(note),
    kept: (page) => noteField(page).inputValue(),
    typed: note,
  };
}

const payment: Step = {
  async fill(page) {
    await button(page, "Take payment").click();
    await page.getByText("UPI", { exact: true }).last().click();
    await page.getByLabel("Amount in rupees").fill("1.25");
  },
  press: (page) => button(page, "Record payment").click(),
  kept: (page) => page.getByLabel("Amount in rupees").inputValue(),
  typed: "1.25",
  call: "payments.take",
  async done(page) {
    await page.getByText(`₹1.25 recorded for order ${orders[1]?.number}`).waitFor();
    const { readDb } = storefront.store.deps;
    const payments = readDb.selectFrom("payments").select(["method", "amount_paise"]).orderBy("id", "desc");
    expect(await payments.where("order_id", "=", orders[1]?.id ?? "").executeTakeFirst()).toEqual({
      method: "upi",
      amount_paise: 125,
    });
  },
};

const pack = withNote("He comes at five", {
  async press(page) {
    const opened = page.waitForEvent("popup");
    await button(page, "Print pack").click();
    const tab = await opened;
    downloaded = tab.waitForEvent("download");
    downloaded.catch(() => {});
    await tab.getByText(/^Your session has ended/).waitFor();
  },
  call: "pack.pdf",
  async done(page) {
    await expectPdf();
    await page.getByRole("button", { name: "Print pack", disabled: false }).waitFor();
  },
});

const file = withNote("She comes at six", {
  press: async (page) => startDownload(page, page.getByRole("link", { name: /^Download / }).first()),
  call: null,
  done: expectPdf,
});

const receipt = withNote("She comes at seven", {
  press: async (page) => startDownload(page, page.getByRole("link", { name: "Receipt" })),
  call: null,
  done: expectPdf,
});

const photo: Step = {
  ...withNote("The toner smudged", {
    async press(page) {
      opened = page.waitForEvent("popup");
      await page.getByRole("link", { name: "Open number 1" }).click();
    },
    call: null,
    done: async () => expect(await (await opened).evaluate(() => document.contentType)).toBe("image/webp"),
  }),
  async fill(page) {
    // It comes by a call of its own, which would open the login by itself.
    await page.getByRole("link", { name: "Open number 1" }).waitFor();
    await noteField(page).fill("The toner smudged");
  },
};

const menu: Step = {
  async fill(page) {
    await button(page, "Something has run out").click();
    await page.getByRole("switch", { name: "Spiral" }).waitFor();
  },
  async press(page) {
    const asked = page.waitForRequest(/stock\.setOut/);
    await page.getByRole("switch", { name: "Spiral" }).press("Space");
    await asked;
  },
  kept: async (page) => `on: ${await page.getByRole("switch", { name: "Spiral" }).isChecked()}`,
  typed: "on: true",
  // It is refused, as the shop has no other.
  call: null,
  async done(page) {
    await button(page, "Mark it out of stock anyway").waitFor();
    await button(page, "Keep it").click();
    await page.keyboard.press("Escape");
    await page.getByRole("switch", { name: "Spiral" }).waitFor({ state: "detached" });
  },
};

const upload: Step = {
  async fill(page) {
    await button(page, "New order").click();
    await page.getByLabel("Name to call out").fill("Meera");
  },
  press: async (page) =>
    page.locator("[role=dialog] input[type=file]").setInputFiles(pdfFile("Lab.pdf", await pdfOfPages(2))),
  kept: (page) => page.getByLabel("Name to call out").inputValue(),
  typed: "Meera",
  call: "/api/v1/uploads",
  done: (page) => page.getByRole("list", { name: "Files" }).getByText("2 pages").waitFor(),
};

const search: Step = {
  fill: (page) => orderButton(page, orders[1]?.number ?? "").waitFor(),
  press: (page) => page.getByLabel("Search orders").fill(orders[1]?.student.phone ?? ""),
  kept: (page) => page.getByLabel("Search orders").inputValue(),
  get typed() {
    return orders[1]?.student.phone ?? "";
  },
  call: null,
  done: (page) =>
    page
      .getByRole("table", { name: "Orders" })
      .getByText(orders[1]?.number ?? "")
      .waitFor(),
};

const picture: Step = {
  fill: (page) => page.getByLabel("College").fill("Thapar Institute"),
  press: async (page) => page.locator("input[type=file]").setInputFiles(await picked()),
  kept: (page) => page.getByLabel("College").inputValue(),
  typed: "Thapar Institute",
  call: "shops.admin.uploadPhoto",
  done: (page) => page.locator("main form img[src^='/shop-photos/']").waitFor(),
};

const csv: Step = {
  async fill(page) {
    await page.getByLabel("From").fill("2026-01-31");
    await page.waitForURL(/fromDay=2026-01-31/);
    await button(page, "CSV").click();
  },
  press: async (page) => startDownload(page, page.getByRole("menuitem", { name: "Orders" })),
  kept: (page) => page.getByLabel("From").inputValue(),
  typed: "2026-01-31",
  call: "book.confirmExport",
  async done() {
    const [headings, ...rows] = (await readFile(await (await downloaded).path(), "utf8")).split("\r\n");
    expect(headings).toContain("Order,Placed,Shop,Student,");
    const numbers = rows.map((row) => row.split(",")[0]);
    expect(numbers).toContain(orders[1]?.number);
    expect(numbers).not.toContain(elsewhere.number);
  },
};

const secondFactor: Step = {
  async fill(page) {
    await page.getByRole("textbox", { name: "New password" }).fill("half of it");
    await button(page, "Use an authenticator app").click();
  },
  press: (page) => button(page, "Show the QR code").click(),
  kept: (page) => page.getByRole("textbox", { name: "New password" }).inputValue(),
  typed: "half of it",
  call: "accounts.startTotp",
  done: (page) => page.getByText("1. Scan this with the app.").waitFor(),
};

// The body of a refused pack or upload is not read, so their requests never end, and these steps come last.
describe("each time that the session has ended on the server, the same person logs in over the screen, and goes on with", () => {
  test.each([
    {
      what: "a form, the downloads of a file and of a receipt, and a print pack in a new tab",
      path: () => `/admin/orders?order=${orders[1]?.id}`,
      steps: [payment, file, receipt, pack],
    },
    {
      what: "a photo of a printing error in a new tab",
      path: () => `/admin/orders?order=${misprinted.id}`,
      steps: [photo],
    },
    {
      what: "a menu, a search, and a file of a walk-in order",
      path: () => `/admin/orders?shop=${shop}`,
      steps: [menu, search, upload],
    },
    { what: "a picture in a form", path: () => `/admin/shops/${shop}`, steps: [picture] },
    { what: "the CSV of a period", path: () => `/admin/payments?shop=${shop}`, steps: [csv] },
    { what: "a second factor", path: () => "/admin/security", steps: [secondFactor] },
  ])("$what", async ({ path, steps }) => {
    const page = await visitAsOwner(path());
    for (const { fill, press, kept, typed, call, done } of steps) {
      await fill(page);
      await answersCome(page);
      await endSessions(owner);
      const answers = call ? answersOf(page, call) : [200];
      await press(page);
      await dialog(page).waitFor();
      expect(await blurAtCorner(page)).toBe("blur(14px)");
      expect(await kept(page)).toBe(typed);
      await page.keyboard.press("Escape");
      await logInOver(page, owner);
      await dialog(page).waitFor({ state: "detached" });
      await done(page);
      await expect.poll(() => answers.filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

test("in three tabs of one person what was typed stays, and one login lets all of them go on, each once", async () => {
  const form = await visitAsOwner(`/admin/shops/${shop}`);
  const openTab = async (path: string) => {
    const tab = await form.context().newPage();
    await tab.addInitScript(stopPolling);
    await tab.goto(path);
    return tab;
  };
  const panel = await openTab(`/admin/orders?order=${orders[1]?.id}`);
  const list = await openTab(`/admin/orders?shop=${shop}`);
  await form.getByLabel("College").fill("College of three tabs");
  await noteField(panel).fill("He comes with three tabs");
  await orderButton(list, orders[1]?.number ?? "").waitFor();
  const tabs = [form, panel, list];
  for (const tab of tabs) await answersCome(tab);
  const saved = answersOf(form, "shops.admin.update");
  const noted = answersOf(panel, "board.note");
  await endSessions(owner);
  await button(form, "Save").click();
  await button(panel, "Add").click();
  await search.press(list);
  for (const tab of tabs) await dialog(tab).waitFor();
  await logInOver(panel, owner);
  await dialog(panel).waitFor({ state: "detached" });
  for (const tab of tabs) {
    // As when they come back to it.
    await tab.evaluate(() => window.dispatchEvent(new Event("focus")));
    await dialog(tab).waitFor({ state: "detached" });
  }
  await form.getByText("is saved").waitFor();
  await panel.getByRole("listitem").getByText("He comes with three tabs").waitFor();
  await search.done(list);
  expect(await search.kept(list)).toBe(search.typed);
  await expect
    .poll(() => [saved, noted])
    .toEqual([
      [401, 200],
      [401, 200],
    ]);
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

  test("a form and a print pack do nothing in their name; its owner can log in again, and it is done once", async () => {
    const page = await typeCollege("Typed by the owner");
    const answers = answersOf(page, "shops.admin.update");
    const logInBeside = async ({ visitor, person }: StaffPerson) => {
      await logIn(visitor, person);
      const { storageState } = sessionOf(visitor);
      if (typeof storageState === "object") await page.context().addCookies(storageState.cookies);
    };
    const told = dialog(page).getByText(`(${partner.person.email}) has logged in in this browser`);
    await logInBeside(partner);
    await button(page, "Save").click();
    await told.waitFor();
    expect((await college()).college).not.toBe("Typed by the owner");
    await logInOver(page, owner);
    await page.getByText("is saved").waitFor();
    expect([await field(page).inputValue(), answers]).toEqual(["Typed by the owner", [401, 200]]);
    expect((await college()).college).toBe("Typed by the owner");

    await openScreen(page, `/admin/orders?order=${orders[1]?.id}`);
    await button(page, "Print pack").waitFor();
    await answersCome(page);
    await logInBeside(partner);
    const packs = answersOf(page, "pack.pdf");
    await button(page, "Print pack").click();
    await told.waitFor();
    await expect.poll(() => packs).toEqual([401]);

    // Whoever has logged in again elsewhere goes on here as soon as they come back.
    await logInBeside(owner);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await dialog(page).waitFor({ state: "detached" });
    await expect.poll(() => packs).toEqual([401, 200]);
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
    await button(page, `Continue as ${counter.person.fullName}, and discard it`).click();
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
    await button(page, `Continue as ${counter.person.fullName}, and discard it`).waitFor();
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
  // What comes would take the place of what was kept.
  await page.context().route(/board\.(read|page|live)/, () => {});
  await page.getByLabel("Email").fill(stranger.person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(stranger.person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await drawn(page);
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
