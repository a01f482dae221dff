import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { eraseDeleted } from "#server/files/files.service.ts";
import { indianClock, indianDay } from "#shared/indian-time.ts";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { formatPaise } from "#shared/money.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import { takeCash } from "../factories/payments.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { editedPrices, expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours, visitorAt } from "../factories/visits.ts";
import { expectAccessiblePart, expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { readQrCode } from "../setup/read-qr-code.ts";
import { answersCome, closePopup, openStorefront, tryAgain } from "../setup/storefront.ts";
import {
  hurryUntil,
  keepDraft,
  pdfFile,
  pick,
  priceOf,
  row,
  SHOP_ID,
  total,
  visitAs,
  waitForPromise,
} from "./print-steps.ts";

const storefront = openStorefront();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
const CONSOLE = { viewport: { width: 1366, height: 768 } } as const;

let clerk: StaffPerson;
beforeAll(async () => {
  clerk = await signedInCounter(storefront.store, [SHOP_ID]);
  await removeHours(storefront.store, SHOP_ID);
});

const visitConsole = (path: string) => storefront.visit(path, { ...CONSOLE, ...sessionOf(clerk.visitor) });
const code = () => codeAt(clerk.visitor, SHOP_ID);

/** The page at the counter of a new visit whose list has this file already, on a phone whose clock may stand still. */
async function visitWithFile(name: string, { refused = [], now }: { refused?: string[]; now?: Date } = {}) {
  const visitor = await visitorAt(storefront.store, SHOP_ID, await code());
  const options = { ...PHONE, ...sessionOf(visitor, "visit"), refused };
  const page = await storefront.visit("/robots.txt", options);
  const { visit } = expectDone(await visitor.query("visits.page", { shopId: SHOP_ID }));
  const file = pdfFile(name, await pdfOfPages(2));
  await keepDraft({ page, visitor }, [file], SHOP_ID, `visit-${visit.ownerId}`);
  if (now) await page.clock.setFixedTime(now);
  await page.goto(`/at/${SHOP_ID}`);
  await row(page, name).waitFor();
  return { page, visitor };
}

const nameField = (page: Page) => page.getByLabel("Name to call out");
const sendButton = (page: Page) => page.getByRole("button", { name: "Send to the counter" });

test("somebody at the counter scans the code, uploads, gives a name, pays and gets the prints, without an account", async () => {
  const { store } = storefront;
  const screen = await visitConsole("/admin/counter");
  await screen.clock.install();
  const today = async () => expectDone(await clerk.visitor.query("counter.today", { shopId: SHOP_ID }));
  const before = await code();
  await screen.getByRole("button", { name: "Turn off" }).click();
  await screen.getByText("Visitors cannot order at the counter").waitFor();
  expect((await today()).isOn).toBe(false);
  await screen.getByRole("button", { name: "New code now" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "New code now" }).click();
  await screen.getByText("The counter has a new code").waitFor();
  expect(await code()).not.toBe(before);
  await screen.getByRole("button", { name: "Turn on" }).click();
  await screen.getByRole("button", { name: "Turn off" }).waitFor();
  expect((await today()).isOn).toBe(true);
  const setOpen = async (isOpen: boolean) => {
    const { visitor: admin } = await signedInAdmin(store);
    expectDone(await admin.mutate("shops.admin.setOpen", { shopId: SHOP_ID, isOpen, closedNote: "" }));
    await screen.clock.fastForward(30_000);
  };
  const closed = screen.getByText("The shop is closed, so the code takes no orders.");
  await setOpen(false);
  await closed.waitFor();
  await setOpen(true);
  await closed.waitFor({ state: "detached" });
  const qr = screen.getByRole("img", { name: /^QR code that opens the counter/ });
  await qr.waitFor();
  await expectAccessibleScreen(screen);
  const address = async () => `${store.url}/at/${SHOP_ID}?code=${await code()}`;
  const url = async () => readQrCode(await qr.screenshot());
  expect(await url()).toBe(await address());
  expectDone(await clerk.visitor.mutate("counter.renew", { shopId: SHOP_ID }));
  await screen.clock.fastForward(30_000);
  await expect.poll(url).toBe(await address());

  const phone = await storefront.visit((await url()) ?? "", PHONE);
  await nameField(phone).waitFor();
  await phone.waitForURL(`**/at/${SHOP_ID}`);
  expect(await sendButton(phone).isDisabled()).toBe(true);
  await pick(phone, "Choose PDF files", [pdfFile("Lab record.pdf", await pdfOfPages(12))]);
  await closePopup(phone, SUCCESS.fileUploaded.title);
  await expect.poll(() => row(phone, "Lab record.pdf").innerText()).toContain("12 pages");
  const promise = waitForPromise(phone, 3 * 12);
  await phone.getByLabel("Number of copies").fill("3");
  await promise;
  await sendButton(phone).click();
  await phone.getByText("Your name is required").waitFor();
  await nameField(phone).and(phone.locator(":focus")).waitFor();
  await nameField(phone).fill("Meera");
  await phone.reload();
  await expect.poll(() => row(phone, "Lab record.pdf").innerText()).toContain("12 pages");
  expect(await nameField(phone).inputValue()).toBe("Meera");
  await expectAccessibleScreen(phone);

  await screen.goto("/admin/orders");
  await screen.getByText("Live").first().waitFor();
  await phone.clock.install();
  /** The phone asks every few seconds. */
  const asks = () => phone.clock.fastForward(5000);
  await priceOf(phone).getByText("none at the counter").waitFor();
  await phone.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await sendButton(phone).dblclick();
  const mine = phone.getByRole("article", { name: /^Order / });
  await mine.getByText("Meera").waitFor();
  await phone.locator(":focus").and(mine).waitFor();
  await answersCome(phone);
  expect(await mine.count()).toBe(1);
  const number = (await mine.getAttribute("aria-label"))?.replace("Order ", "") ?? "";
  const stored = () =>
    store.deps.readDb
      .selectFrom("orders")
      .innerJoin("visits", "visits.user_id", "orders.user_id")
      .select(["total_paise", "files_delete_at", "expires_at"])
      .where("number", "=", number)
      .executeTakeFirstOrThrow();
  const { total_paise: total, expires_at: endsAt } = await stored();
  expect(await mine.innerText()).toMatch(/At the counter[\s\S]*To pay[\s\S]*12 pages × 3/);
  // What to say at the counter stands at the top.
  await expect.poll(() => phone.evaluate(() => scrollY)).toBe(0);
  await mine.getByText(formatPaise(total), { exact: true }).waitFor();
  const atTheLatest = (at: string | null) =>
    mine.getByText(`handed over, at ${indianClock(Date.parse(at ?? ""))} at the latest.`).waitFor();
  await atTheLatest(endsAt);
  await expectAccessiblePart(mine);

  const waiting = screen.locator("[data-column=counter]");
  await waiting.getByText("Meera").waitFor();
  expect(await waiting.innerText()).toMatch(/12 pages[\s\S]*At the counter · Unpaid, ₹/);
  await waiting.getByRole("button", { name: number, exact: true }).click();
  await screen.getByRole("button", { name: "Cancel order" }).click();
  await screen.getByText("Please tell Meera your reason.").waitFor();
  await screen.getByRole("button", { name: "Keep the order" }).click();
  await screen.getByRole("button", { name: "Take payment" }).click();
  await screen.getByRole("button", { name: "Record payment" }).click();
  await screen.getByRole("button", { name: "Record payment" }).waitFor({ state: "detached" });
  await asks();
  await mine.getByText("Paid", { exact: true }).waitFor();
  await mine.getByText(formatPaise(total), { exact: true }).waitFor();
  for (const step of ["Start printing", "Mark printed"]) {
    const button = waiting.getByRole("button", { name: `${step}: order ${number}` });
    await button.click();
  }
  await waiting.getByRole("button", { name: `Hand over: order ${number}` }).waitFor();
  await asks();
  await mine.getByText("Ready", { exact: true }).waitFor();
  expect(await mine.getByText("To pay").count()).toBe(0);
  await atTheLatest((await stored()).files_delete_at);
  await expectAccessiblePart(waiting);
  const storedFile = () =>
    store.deps.readDb
      .selectFrom("files")
      .select(["id", "erased_at"])
      .where("original_filename", "=", "Lab record.pdf")
      .executeTakeFirstOrThrow();
  const { log } = store.deps;
  const { level } = log;
  log.level = "silent";
  const release = await makeUnremovable(store, (await storedFile()).id);
  await waiting.getByRole("button", { name: `Hand over: order ${number}` }).click();
  await waiting.waitFor({ state: "detached" });
  await asks();
  await mine.getByText("Handed over", { exact: true }).waitFor();
  await mine.getByText("Your files are being deleted.").waitFor();
  await release();
  log.level = level;
  await eraseDeleted(store.deps);
  await asks();
  await mine.getByText(/^Your files were deleted at/).waitFor();
  expect((await storedFile()).erased_at).toEqual(expect.any(String));
});

test("the page says so where there is no code, a wrong one, or somebody is logged in", async () => {
  const path = `/at/${SHOP_ID}`;
  const without = await storefront.visit(path, { ...PHONE, refused: ["visits.open"] });
  await without.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
  await expectAccessibleScreen(without);
  await without.goto(`${path}?code=cAAAAAAAA`);
  await without.getByText("This code is not valid today").waitFor();
  expect(await without.getByRole("button", { name: "Try again" }).count()).toBe(0);
  const { visitor: student } = await signedInStudent(storefront.store);
  const loggedIn = await visitAs(storefront, student, PHONE, `${path}?code=${await code()}`);
  await loggedIn.getByRole("heading", { name: "You are logged in" }).waitFor();
  const link = loggedIn.getByRole("link", { name: "Order with your account" });
  expect(await link.getAttribute("href")).toBe(`/printnow?id=${SHOP_ID}`);
});

test("a counter whose prices could not be loaded can be tried again", async () => {
  const page = await storefront.visit("/about-us", { ...PHONE, refused: ["shops.byId"] });
  const calls = "**/api/trpc/*shops.byId*";
  const refusal = { message: "Too many requests", code: -32029, data: { appCode: "RATE_LIMITED" } };
  await page.route(calls, async (route) => {
    const place = new URL(route.request().url()).pathname
      .slice("/api/trpc/".length)
      .split(",")
      .indexOf("shops.byId");
    const answers = await (await route.fetch()).json();
    await route.fulfill({ status: 207, json: answers.with(place, { error: refusal }) });
  });
  // As by a link: the router follows the history.
  await page.evaluate((path) => history.pushState({}, "", path), `/at/${SHOP_ID}`);
  await page.getByText("Too many requests").waitFor();
  await tryAgain(page, calls);
  await page.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
});

test("a shop that would print it only after the visit says so before a file is chosen, and how to order instead", async () => {
  const { store } = storefront;
  const shop = await shownShop((await signedInAdmin(store)).visitor, undefined, {
    openingHours: `Mon-Sun ${hourInHalfADay(store.clock.now())}`,
  });
  const { visitor: staff } = await signedInCounter(store, [shop.id]);
  const visitor = await visitorAt(store, shop.id, await codeAt(staff, shop.id));
  const page = await storefront.visit(`/at/${shop.id}`, { ...PHONE, ...sessionOf(visitor, "visit") });
  await page
    .getByText(/can print this by .*, but your visit ends at .* and your files are deleted then/)
    .waitFor();
  const link = page.getByRole("link", { name: "Log in and order" });
  expect(await link.getAttribute("href")).toBe(`/printnow?id=${shop.id}`);
  expect(await sendButton(page).count()).toBe(0);
  await expectAccessibleScreen(page);
});

test("a visit that was opened, but could not be loaded then, is loaded by another press, and forgotten at its end", async () => {
  const page = await storefront.visit(`/at/${SHOP_ID}`, { ...PHONE, refused: ["visits.page"] });
  const calls = "**/api/trpc/*visits.page*";
  await page.clock.install();
  await page.route(calls, (route) => route.abort("connectionreset"));
  await page.goto(`/at/${SHOP_ID}?code=${await code()}`);
  await hurryUntil(page, () => page.getByRole("button", { name: "Try again" }).isVisible());
  await tryAgain(page, calls);
  await nameField(page).fill("Asha");
  await expect.poll(() => keptText(page)).toMatch(/Asha/);
  await endVisits();
  await page.clock.fastForward("01:01");
  await page.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
  // The field that had the focus is gone.
  await page.locator("main:focus").waitFor();
  await expect.poll(() => keptText(page)).not.toMatch(/Asha|visit-/);
});

/** The only hour of the day at which a shop is open that is closed now. */
function hourInHalfADay(now: Date): string {
  const hour = (new Date(now.getTime() + 5.5 * 3_600_000).getUTCHours() + 12) % 24;
  return `${hour}:00-${hour}:59`;
}

test("an order whose answer was lost and that was changed then is shown, and the next one goes out", async () => {
  const { page, visitor } = await visitWithFile("Lost.pdf", { refused: ["visits.place"] });
  await nameField(page).fill("Dev");
  const calls = "**/api/trpc/visits.place*";
  await page.route(calls, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.clock.install();
  await sendButton(page).click();
  await hurryUntil(page, () => page.getByRole("dialog", { name: FAILURE.order }).isVisible());
  expect(await closePopup(page, FAILURE.order)).toContain("Check your connection");
  await page.unroute(calls);
  await pick(page, "Choose PDF files", [pdfFile("Next.pdf", await pdfOfPages(2))]);
  await closePopup(page, SUCCESS.fileUploaded.title);
  await sendButton(page).click();
  expect(await closePopup(page, FAILURE.order)).toContain("already placed with other details");
  expect(await closePopup(page, "Already ordered")).toContain("“Lost.pdf”");
  const orders = page.getByRole("article", { name: /^Order / });
  await expect.poll(() => orders.count()).toBe(1);
  await row(page, "Lost.pdf").waitFor({ state: "detached" });
  await sendButton(page).click();
  await expect.poll(() => orders.count()).toBe(2);
  await page.locator(":focus").and(orders.first()).waitFor();

  const { body } = await visitor.query("visits.page", { shopId: SHOP_ID });
  const [held, cancelled] = body.result.data.visit.orders;
  for (const { id } of [held, cancelled]) expectDone(await takeCash(clerk.visitor, id, 100));
  const wait = { orderId: held.id, reason: "Page 2 is faint" };
  expectDone(await clerk.visitor.mutate("holds.hold", wait));
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const end = { orderId: cancelled.id, from: "placed", reason: "The printer is broken" };
  expectDone(await admin.mutate("board.cancel", end));
  await page.clock.fastForward(5000);
  await orders.first().getByText("On hold, please talk to the staff: Page 2 is faint").waitFor();
  const amounts = new RegExp(`Paid\\s+₹1\\.00\\s+To pay\\s+${formatPaise(held.duePaise - 100)}`);
  await expect.poll(() => orders.first().innerText()).toMatch(amounts);
  await orders.last().getByText("Cancelled: The printer is broken").waitFor();
  await orders.last().getByText("Ask at the counter for ₹1.00 back.").waitFor();
});

test("a visit that ends while its phone prepares an order says so, and leaves nothing in the browser", async () => {
  const { page } = await visitWithFile("Mine.pdf", { refused: ["visits.place"] });
  await nameField(page).fill("Asha");
  // The last that the page asks of the file, which would be refused as well.
  await row(page, "Mine.pdf").getByText("Every page is blank").waitFor();
  await endVisits();
  await sendButton(page).click();
  expect(await closePopup(page, FAILURE.order)).toContain("scan the code at the shop again");
  await page.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
  await expect.poll(() => keptText(page)).not.toMatch(/Asha|Mine|visit-/);
});

async function endVisits(): Promise<void> {
  const { deps, clock } = storefront.store;
  const over = { expires_at: clock.now().toISOString() };
  await deps.db.updateTable("visits").set(over).where("ended_at", "is", null).execute();
}

const keptText = (page: Page) => page.evaluate(() => JSON.stringify({ ...window.localStorage }));

test("a file that was left out of an order, such as a locked one, stays in the list for the next", async () => {
  const visitor = await visitorAt(storefront.store, SHOP_ID, await code());
  const page = await storefront.visit(`/at/${SHOP_ID}`, { ...PHONE, ...sessionOf(visitor, "visit") });
  const locked = pdfFile("Locked.pdf", await encryptedPdf(2, "AES-256", { user: "1234" }));
  await pick(page, "Choose PDF files", [pdfFile("Open.pdf", await pdfOfPages(2)), locked]);
  await closePopup(page, SUCCESS.fileUploaded.title);
  await page.getByLabel("Password of Locked.pdf").waitFor();
  await page.getByRole("radio", { name: "2", exact: true }).check();
  await nameField(page).fill("Dev");
  await sendButton(page).click();
  const order = page.getByRole("article", { name: /^Order / });
  const number = (await order.getAttribute("aria-label"))?.replace("Order ", "") ?? "";
  const { jobs } = await storefront.store.deps.readDb
    .selectFrom("orders")
    .select("jobs")
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(jobs ?? "[]")).toMatchObject([{ pagesPerSide: 2, pages: 1 }]);
  await row(page, "Open.pdf").waitFor({ state: "detached" });
  await page.getByLabel("Password of Locked.pdf").waitFor();
});

test("a look at another shop's counter leaves the files and the name of the visit in the browser", async () => {
  const other = await shownShop((await signedInAdmin(storefront.store)).visitor);
  const { page } = await visitWithFile("Mine.pdf");
  await nameField(page).fill("Asha");
  await page.goto(`/at/${other.id}`);
  await page.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
  await page.goto(`/at/${SHOP_ID}`);
  await expect.poll(() => row(page, "Mine.pdf").innerText()).toContain("2 pages");
  expect(await nameField(page).inputValue()).toBe("Asha");
});

test("the code of another shop asks before its visit takes the place of the one that the phone shows", async () => {
  const { store } = storefront;
  const { visitor: admin } = await signedInAdmin(store);
  const other = await shownShop(admin);
  const visitor = await visitorAt(store, SHOP_ID, await code());
  const path = `/at/${other.id}?code=${await codeAt(admin, other.id)}`;
  const page = await storefront.visit(path, { ...PHONE, ...sessionOf(visitor, "visit") });
  await page.getByRole("heading", { name: "You are at another counter" }).waitFor();
  await expectAccessibleScreen(page);
  expect((await visitor.query("visits.page", { shopId: SHOP_ID })).body.result.data.visit).not.toBeNull();
  await page.getByRole("button", { name: "Open this counter" }).click();
  await page.getByRole("heading", { name: "Print at the counter" }).waitFor();
});

test("whoever has ordered nothing yet can leave too, after a question: neither the files nor the name stay in the browser", async () => {
  const { page } = await visitWithFile("Secret.pdf");
  await nameField(page).fill("Asha");
  const forget = page.getByRole("button", { name: "Forget it on this phone now" });
  await forget.press("Enter");
  const focused = page.locator(":focus");
  await focused.and(page.getByText("Files that you have not sent are removed.")).waitFor();
  await expectAccessibleScreen(page, "asked whether to forget a visit");
  await page.getByRole("button", { name: "Keep it" }).click();
  await focused.and(forget).waitFor();
  expect(await keptText(page)).toMatch(/Asha/);
  await forget.click();
  await page.getByRole("button", { name: "Yes, forget it" }).click();
  await page.getByRole("heading", { name: "Scan the code at the shop" }).waitFor();
  await page.locator("main:focus").waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect.poll(() => keptText(page)).not.toMatch(/Asha|Secret|visit-/);
  expect((await page.context().cookies()).filter(({ name }) => name === "visit")).toEqual([]);
});

test("a visit that was over while its page was closed leaves nothing once any page is opened", async () => {
  // On the same day as the server: times of another day are written with the day.
  const opened = new Date(`${indianDay(new Date())}T12:00:00+05:30`);
  const { page } = await visitWithFile("Secret.pdf", { now: opened });
  await nameField(page).fill("Asha");
  await expect.poll(() => keptText(page)).toMatch(/Asha/);
  await page.goto("/about-us");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await keptText(page)).toMatch(/Asha/);
  const end = opened.getTime() + VISIT_HOURS * 60 * 60_000;
  // A further look at the counter does not put the end off.
  await page.clock.setFixedTime(end - 30 * 60_000);
  await page.goto(`/at/${SHOP_ID}`);
  await expect.poll(() => nameField(page).inputValue()).toBe("Asha");
  await page.clock.setFixedTime(end);
  await page.goto("/about-us");
  await expect.poll(() => keptText(page)).not.toMatch(/Asha|Secret|visit-/);
});

test("a price that has changed needs a second press, and leaving forgets the visit on this phone: nothing of it stays in the browser", async () => {
  const { page } = await visitWithFile("Secret.pdf", { refused: ["visits.place"] });
  await nameField(page).fill("Asha");
  const before = await total(page);
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const raised = await editedPrices(admin, SHOP_ID, ({ printedColours }) => ({
    printedColours: printedColours.map((colour) => ({ ...colour, pricePaise: colour.pricePaise + 200 })),
  }));
  expectDone(await admin.mutate("prices.save", raised));
  await sendButton(page).click();
  await closePopup(page, FAILURE.order);
  await expect.poll(() => total(page)).not.toBe(before);
  await sendButton(page).click();
  const order = page.getByRole("article", { name: /^Order / });
  await order.waitFor();
  const switchTo = (isOn: boolean) => clerk.visitor.mutate("counter.switch", { shopId: SHOP_ID, isOn });
  onTestFinished(async () => void expectDone(await switchTo(true)));
  expectDone(await switchTo(false));
  await page.reload();
  await page.getByText("takes no orders by this code at the moment").waitFor();
  expect([await sendButton(page).count(), await order.count()]).toEqual([0, 1]);
  await page.getByRole("button", { name: "Forget it on this phone now" }).click();
  await page.getByText("note their numbers first").waitFor();
  await page.getByRole("button", { name: "Yes, forget it" }).click();
  await page.getByRole("heading", { name: /takes no orders here$/ }).waitFor();
  await expect.poll(() => keptText(page)).not.toMatch(/Asha|Secret|visit-/);
  expect((await page.context().cookies()).filter(({ name }) => name === "visit")).toEqual([]);
});
