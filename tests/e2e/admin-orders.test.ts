import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Download, Locator, Page, Route } from "playwright-core";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { longDay } from "#admin/lib/times.ts";
import { addressLine } from "#shared/format.ts";
import { HOLD_DAYS } from "#shared/holds.ts";
import { addDays } from "#shared/indian-time.ts";
import { formatPaise, toRupees } from "#shared/money.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, getShop, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, refundByUpi, refundCash, takeByUpi, takeCash } from "../factories/payments.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { removeHours } from "../factories/visits.ts";
import { expectAccessiblePart, expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { answersCome, delayRequests, openStorefront } from "../setup/storefront.ts";
import {
  backCloses,
  column,
  focusedNumber,
  loseAnswer,
  numbersIn,
  orderButton,
  press,
  status,
  visitBoard,
} from "./admin-orders-steps.ts";
import { pdfFile, SHOP_ID } from "./print-steps.ts";

const storefront = openStorefront();
let owner: StaffPerson;
let first: PlacedOrder;
beforeAll(async () => {
  first = await placeOrder(storefront.store, SHOP_ID);
  await moveTo((await signedInAdmin(storefront.store)).visitor, first.id, "delivered");
  owner = await signedInOwner(storefront.store, [SHOP_ID]);
});

/** Otherwise each test would draw the orders of all tests before it. */
afterEach(async () => {
  await storefront.store.deps.db.updateTable("orders").set({ state: "cancelled" }).execute();
});

/** Another order of the same student. */
const another = () => placeAnother(first.visitor, first.student, SHOP_ID);

test("a student's order appears live, is completed by keyboard, and its file is deleted", async () => {
  const clerk = await signedInOwner(storefront.store, [SHOP_ID, "deccan-sheets"]);
  const console = await visitBoard(storefront, clerk, { path: `/admin/orders?shop=${SHOP_ID}` });
  await countChimes(console);
  await console.getByText("No open orders").waitFor();
  await console.getByRole("button", { name: "Mute the sound for new orders" }).click();
  const unheard = await another();
  await column(console, "Placed").getByText(unheard.number).waitFor();
  expect(await chimes(console), "while it is muted").toBe(0);
  const cancel = { orderId: unheard.id, from: "placed", reason: "It was ordered twice" };
  expectDone(await clerk.visitor.mutate("board.cancel", cancel));
  await console.getByText("No open orders").waitFor();
  await console.getByRole("button", { name: "Sound a chime for new orders" }).click();

  // One of another shop than the chosen one is not counted.
  await placeAnother(first.visitor, first.student, "deccan-sheets");
  const order = await another();
  await column(console, "Placed").getByText(order.number).waitFor();
  await column(console, "Placed").getByText("Please staple at the top left").waitFor();
  await expect.poll(() => console.title()).toBe("(1) Orders · Print Store staff");
  await console.getByRole("status").getByText("1 new order", { exact: true }).waitFor();
  await console
    .getByRole("link", { name: /^Orders/ })
    .getByLabel("1 new")
    .waitFor();
  await expect.poll(() => chimes(console)).toBe(1);

  await press(console, "j");
  await expect.poll(() => focusedNumber(console)).toBe(order.number);
  await expect.poll(() => console.title()).toBe("Orders · Print Store staff");
  await press(console, "Enter");
  const panel = console.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "notes.pdf", exact: true }).waitFor();
  await panel.getByRole("button", { name: "Print pack" }).waitFor();
  const [ticket, ...pages] = await readPages(await saved(console, () => press(console, "o")));
  expect(ticket).toContain(order.number);
  expect(pages).toHaveLength(3);
  await press(console, "m");
  await column(console, "Printing").getByText(order.number).waitFor();
  expect(await isOnDisk(storefront.store, order.fileId)).toBe(true);
  await press(console, "m");
  await column(console, "Printed").getByText(order.number).waitFor();
  await panel.getByText(/^Will be deleted at /).waitFor();
  expect(await isOnDisk(storefront.store, order.fileId)).toBe(true);
  await press(console, "m");
  await column(console, "Dispatched").getByText(order.number).waitFor();
  await panel.getByText(/^Deleted .* by /).waitFor();
  expect(await panel.getByRole("button", { name: "Print pack" }).count()).toBe(0);
  expect(await isOnDisk(storefront.store, order.fileId)).toBe(false);
  await expect.poll(() => focusedNumber(console)).toBe(order.number);
  await press(console, "m");
  const deliver = console.getByRole("dialog").getByRole("button", { name: /^Delivered, ₹[\d.]+ paid$/ });
  await deliver.and(console.locator(":focus")).waitFor();
  await press(console, "Enter");
  await console.getByRole("dialog").waitFor({ state: "detached" });
  await press(console, "Escape");
  await console.getByText("No open orders").waitFor();
  const paid = await storefront.store.deps.readDb
    .selectFrom("orders")
    .select(["state", "paid_paise", "total_paise"])
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  expect([paid.state, paid.paid_paise]).toEqual(["delivered", paid.total_paise]);
});

test("Print opens the pack and moves the order to printing, also where an answer is lost; several chosen orders are one pack", async () => {
  const orders = [await another(), await another()];
  const page = await visitBoard(storefront, owner, { refused: ["board.move"] });
  await page.route("**/api/trpc/board.move?*", loseAnswer, { times: 1 });
  const [first, second] = orders;
  const [ticket, ...pages] = await readPages(
    await saved(page, () => page.getByRole("button", { name: `Print: order ${first?.number}` }).click()),
  );
  expect(ticket).toContain(first?.number);
  expect(pages).toHaveLength(3);
  await column(page, "Printing")
    .getByText(first?.number ?? "")
    .waitFor();
  expect(await page.getByText("The store cannot be reached").count()).toBe(0);

  for (const order of orders) await page.getByLabel(`Select order ${order.number}`).check();
  const together = await readPages(
    await saved(page, () => page.getByRole("button", { name: "Print (2)" }).click()),
  );
  expect(together.filter((text) => /^Order .*, page 1/.test(text))).toHaveLength(2);
  await column(page, "Printing")
    .getByText(second?.number ?? "")
    .waitFor();
});

test("on a phone a moved card says in its place where it went, until somebody moves it on, and Undo brings it back, by key too", async () => {
  const orders = [await another(), await another()];
  const page = await visitBoard(storefront, owner, { viewport: { width: 390, height: 844 } });
  const [first] = orders;
  const number = first?.number ?? "";
  const placed = await numbersIn(page.locator("[data-column=placed]"));
  const card = page.getByRole("listitem").filter({ hasText: number });
  const tab = (name: string) => page.getByRole("radio", { name: new RegExp(`^${name}`) });
  await card.getByRole("button", { name: `Start printing: order ${number}` }).click();
  const note = page.getByRole("listitem").filter({ hasText: `${number} moved to Printing` });
  await note.waitFor();
  expect(await tab("Placed").isChecked()).toBe(true);
  expect(await page.locator(".mantine-Notification-root").count()).toBe(0);
  await expectAccessiblePart(note);
  await page.setViewportSize({ width: 390, height: 844 });
  await note.getByRole("button", { name: /^Undo/ }).click();
  await note.waitFor({ state: "detached" });
  await orderButton(page, number).waitFor();
  await expect.poll(() => numbersIn(page.locator("[data-column=placed]"))).toEqual(placed);

  await page.locator("[data-moved]").first().waitFor({ state: "detached" });
  await orderButton(page, number).focus();
  await press(page, "m");
  await note.waitFor();
  const stateOf = (id = "") => owner.visitor.query("board.order", { orderId: id });
  await expect.poll(async () => expectDone(await stateOf(first?.id)).state).toBe("printing");
  await press(page, "u");
  await orderButton(page, number).waitFor();
  await expect.poll(async () => expectDone(await stateOf(first?.id)).state).toBe("placed");

  await page.locator("[data-moved]").first().waitFor({ state: "detached" });
  await card.getByRole("button", { name: `Start printing: order ${number}` }).click();
  await note.waitFor();
  await expect.poll(async () => expectDone(await stateOf(first?.id)).state).toBe("printing");
  const further = { orderId: first?.id, from: "printing", to: "printed" };
  expectDone(await (await signedInAdmin(storefront.store)).visitor.mutate("board.move", further));
  await note.waitFor({ state: "detached" });
  expect(await orderButton(page, number).isVisible()).toBe(false);
  await page
    .getByRole("radiogroup", { name: "State" })
    .getByText(/^Printed/)
    .click();
  await orderButton(page, number).waitFor();
  await page.waitForURL(/column=printed/);
});

test("on a phone an order that is opened covers the list and takes the focus", async () => {
  const { number } = await another();
  const page = await visitBoard(storefront, owner, { viewport: { width: 390, height: 844 } });
  await page.getByRole("radio", { name: /^Placed/ }).check({ force: true });
  await orderButton(page, number).click();
  await page
    .getByRole("complementary", { name: `Order ${number}` })
    .and(page.locator(":focus"))
    .waitFor();
});

test("the note of a move goes when somebody else cancels the order: its Undo could only be refused", async () => {
  const order = await another();
  await another();
  const page = await visitBoard(storefront, owner, { refused: ["board.move"] });
  const note = page.getByText("moved to Printing");
  await page.getByRole("button", { name: `Start printing: order ${order.number}` }).click();
  await note.waitFor();
  const admin = await signedInAdmin(storefront.store);
  const cancel = { orderId: order.id, from: "printing", reason: "It was ordered twice" };
  await expect.poll(async () => (await seenByStaff(admin.visitor, order.id)).state).toBe("printing");
  expectDone(await admin.visitor.mutate("board.cancel", cancel));
  await orderButton(page, order.number).waitFor({ state: "detached" });
  await note.waitFor({ state: "detached" });
  await press(page, "u");
  const { fullName } = admin.person;
  await page
    .getByRole("alert")
    .getByText(`${fullName} has already marked order ${order.number} as cancelled`)
    .waitFor();
});

test("P keeps the keys on the board: the next order, or the only one, which D hands over, also without its code for a reason", async () => {
  const admin = await signedInAdmin(storefront.store);
  const shop = await shownShop(admin.visitor, undefined, { offersPickup: true });
  const place = () => placeAnother(first.visitor, first.student, shop.id, "pickup");
  const orders = [await place(), await place()];
  const page = await visitBoard(storefront, await signedInCounter(storefront.store, [shop.id]));
  const dialog = page.getByRole("dialog");
  await press(page, "j");
  for (const [index, { number }] of orders.entries()) {
    await expect.poll(() => focusedNumber(page)).toBe(number);
    await saved(page, () => page.keyboard.press("p"));
    await column(page, "Printing").getByText(number).waitFor();
    await expect.poll(() => focusedNumber(page)).toBe(orders[index + 1]?.number ?? number);
    if (index === 0) await press(page, "d");
    else await page.getByRole("button", { name: `Hand over now: order ${number}` }).click();
    await dialog.getByRole("heading", { name: `Hand over order ${number}` }).waitFor();
    await press(page, "Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focusedNumber(page)).toBe(number);
    await press(page, "h");
    await page.locator("[data-moved]").waitFor({ state: "detached" });
  }

  const [, last] = orders as [PlacedOrder, PlacedOrder];
  await orderButton(page, last.number).focus();
  await press(page, "d");
  await dialog.getByRole("button", { name: "Without the code" }).click();
  await dialog.getByLabel("Reason for no code").fill("Her phone is empty");
  await dialog.getByText("UPI", { exact: true }).click();
  await dialog.getByRole("button", { name: /^Hand over, ₹[\d.]+ paid$/ }).click();
  await dialog.waitFor({ state: "detached" });
  const { state, totalPaise, payments, notes } = await seenByStaff(admin.visitor, last.id);
  expect(state).toBe("delivered");
  expect(payments).toEqual([
    expect.objectContaining({ kind: "payment", method: "upi", amountPaise: totalPaise }),
  ]);
  expect(notes).toEqual([
    expect.objectContaining({ body: "Handed over without the code: Her phone is empty" }),
  ]);
});

test("a payment and a hand-over whose answers were lost are done when they are pressed again, each once, and the rest of a partly paid order is asked for", async () => {
  const admin = await signedInAdmin(storefront.store);
  const shop = await shownShop(admin.visitor, undefined, { offersPickup: true });
  const { id: orderId, number } = await placeAnother(first.visitor, first.student, shop.id, "pickup");
  await moveTo(admin.visitor, orderId, "printed");
  const { pickupCode } = await seenByStudent(first.visitor, orderId);
  const counter = await signedInCounter(storefront.store, [shop.id]);
  const page = await visitBoard(storefront, counter, { refused: ["payments.take", "board.handOver"] });
  await orderButton(page, number).click();
  const panel = page.getByRole("complementary", { name: `Order ${number}` });
  await panel.getByRole("button", { name: "Take payment" }).click();
  await panel.getByLabel("Amount in rupees").fill("5");
  await page.route("**/api/trpc/payments.take?*", loseAnswer, { times: 1 });
  await panel.getByRole("button", { name: "Record payment" }).click();
  await panel.getByText("The store cannot be reached").waitFor();
  await panel.getByRole("button", { name: "Record payment" }).click();
  await page.getByText(`₹5.00 recorded for order ${number}`).waitFor();
  const { totalPaise } = await seenByStaff(admin.visitor, orderId);
  const [rest, total] = [formatPaise(totalPaise - 500), formatPaise(totalPaise)];
  const card = page.getByRole("listitem").filter({ has: orderButton(page, number) });
  await card.getByText(`Unpaid, ${rest} of ${total}`).waitFor();
  // What gives money back is the owner's.
  await panel.getByText(`${rest} of ${total} to pay`).waitFor();
  expect(await panel.getByRole("button", { name: /^(Cancel order|Refund|Reverse)/ }).count()).toBe(0);
  await press(page, "Escape");
  await expect.poll(() => focusedNumber(page)).toBe(number);

  await page.route("**/api/trpc/board.handOver?*", loseAnswer, { times: 1 });
  const dialog = page.getByRole("dialog");
  await press(page, "d");
  await dialog.getByText(rest, { exact: true }).waitFor();
  await dialog.getByText(`unpaid of ${total}`, { exact: true }).waitFor();
  await dialog.getByLabel("Pickup code").fill(pickupCode);
  await dialog.getByRole("button", { name: /^Hand over, ₹\d+ paid$/ }).click();
  await dialog.getByText("The store cannot be reached").waitFor();
  await dialog.getByRole("button", { name: "Hand over", exact: true }).click();
  await page.getByText(`Order ${number} is handed over`).waitFor();
  const { state, payments } = await seenByStaff(admin.visitor, orderId);
  expect(state).toBe("delivered");
  expect(payments.map(({ amountPaise }: { amountPaise: number }) => amountPaise)).toEqual([
    ...[500, totalPaise - 500],
  ]);
});

/** Keeps the page's request for a pack from the server until `release` is called. */
async function holdPack(page: Page): Promise<{ asked: Promise<void>; release: () => void }> {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route("**/pack.pdf", async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: held.resolve };
}

test("an order that somebody else prints at this moment is not printed twice: its card says who was first, or a notice where that is out of sight", async () => {
  const order = await another();
  const admin = await signedInAdmin(storefront.store);
  const page = await visitBoard(storefront, owner, { refused: ["board.move"] });
  const { asked, release } = await holdPack(page);
  await orderButton(page, order.number).focus();
  await page.keyboard.press("p");
  await asked;
  await page.route("**/api/trpc/board.live*", (route) => route.abort());
  await moveTo(admin.visitor, order.id, "printing");
  release();
  const card = page.getByRole("listitem").filter({ hasText: order.number });
  await card
    .getByRole("alert")
    .getByText(`${admin.person.fullName} has already marked order ${order.number} as printing`)
    .waitFor();
  await expect.poll(() => page.context().pages().length).toBe(1);
  await answersCome(page);
  await expect.poll(() => numbersIn(column(page, "Printing"))).toContain(order.number);
  expect(await page.getByText(/moved to Printing/).count(), "a note with an Undo of their move").toBe(0);
  await card.getByRole("button", { name: `Close the message about order ${order.number}` }).click();
  await card.getByRole("alert").waitFor({ state: "detached" });

  const move = async (from: string, to: string) =>
    expectDone(await admin.visitor.mutate("board.move", { orderId: order.id, from, to }));
  await move("printing", "placed");
  const again = await holdPack(page);
  await card.getByRole("button", { name: /^Print: / }).click();
  await again.asked;
  await page.setViewportSize({ width: 1280, height: 150 });
  await page.evaluate(() => scrollTo(0, 0));
  await move("placed", "printing");
  again.release();
  const notice = page.getByRole("alert").filter({ hasText: "That did not work" });
  await notice
    .getByText(`${admin.person.fullName} has already marked order ${order.number} as printing`)
    .waitFor();
});

test("a note that was begun is not lost without a question when another order is opened", async () => {
  const [first, second] = [await another(), await another()];
  const page = await visitBoard(storefront, owner, {
    path: `/admin/orders?order=${first.id}`,
    refused: ["board.note"],
  });
  const note = page.getByLabel("New note");
  await note.fill("Comes at five");
  await page.getByLabel("Search orders").fill(first.number);
  await page.getByRole("table", { name: "Orders" }).waitFor();
  await page.getByLabel("Search orders").fill("");
  await orderButton(page, second.number).click();
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  await leaving.getByRole("button", { name: "Stay" }).click();
  await leaving.waitFor({ state: "hidden" });
  await expect.poll(() => note.inputValue()).toBe("Comes at five");
  const add = page.getByRole("button", { name: "Add", exact: true });
  await page.route("**/api/trpc/board.note*", loseAnswer, { times: 1 });
  await add.click();
  await page.getByText("That did not work").waitFor();
  expect(await note.inputValue(), "after a failed call").toBe("Comes at five");
  const release = await delayRequests(page, "**/api/trpc/board.note*");
  await add.click();
  await note.fill("And pays by card");
  release();
  // The note itself may be shown already, by a live event.
  await page.getByRole("button", { name: "Add", exact: true, disabled: false }).waitFor();
  await page.getByRole("listitem").getByText("Comes at five").waitFor();
  expect(await note.inputValue(), "what was typed meanwhile").toBe("And pays by card");
  const same = page.getByRole("complementary").getByRole("listitem").filter({ hasText: "Comes at five" });
  expect(await same.count(), "one note, of which an answer was lost").toBe(1);
  await note.fill("Comes at five");
  await add.click();
  await expect.poll(() => same.count()).toBe(2);
  await note.fill("");
  await orderButton(page, second.number).click();
  await page.getByRole("complementary", { name: `Order ${second.number}` }).waitFor();
});

test("a pack of several orders is opened without the one that somebody else prints at this moment", async () => {
  const orders = [await another(), await another()];
  const [theirs, mine] = orders;
  const admin = await signedInAdmin(storefront.store);
  const page = await visitBoard(storefront, owner);
  const { asked, release } = await holdPack(page);
  for (const order of orders) await page.getByLabel(`Select order ${order.number}`).check();
  const pack = saved(page, () => page.getByRole("button", { name: "Print (2)" }).click());
  await asked;
  await moveTo(admin.visitor, theirs?.id ?? "", "printing");
  release();
  await page
    .getByText(`${admin.person.fullName} has already marked order ${theirs?.number} as printing`)
    .waitFor();
  const pages = await readPages(await pack);
  expect(pages.join()).toContain(mine?.number);
  expect(pages.join()).not.toContain(theirs?.number);
});

test("a pack of several orders that was refused for some names them, and one more press prints the rest", async () => {
  const orders = [await another(), await another(), await another()];
  const [cancelled, held, printable] = orders;
  const admin = await signedInAdmin(storefront.store);
  const page = await visitBoard(storefront, owner, { refused: ["/admin/orders/"] });
  for (const order of orders) await page.getByLabel(`Select order ${order.number}`).check();
  const reason = "Page 3 is missing";
  const cancel = { orderId: cancelled?.id, from: "placed", reason };
  expectDone(await admin.visitor.mutate("board.cancel", cancel));
  expectDone(await admin.visitor.mutate("holds.hold", { orderId: held?.id, reason }));
  await page.getByRole("button", { name: "Print (3)" }).click();
  await page
    .getByRole("alert")
    .getByText(
      `Order ${cancelled?.number} is cancelled. Order ${held?.number} is on hold: release it before you print it. Press Print again for the rest`,
    )
    .waitFor();
  await status(page, "1 order selected").waitFor();
  const pages = await readPages(
    await saved(page, () => page.getByRole("button", { name: "Print (1)" }).click()),
  );
  expect(pages[0]).toContain(printable?.number);
  await page.getByRole("region", { name: "Selected orders" }).waitFor({ state: "detached" });
  await column(page, "Printing")
    .getByText(printable?.number ?? "")
    .waitFor();
});

test("an order stays where it is when the tab of its pack is closed while the pack is made", async () => {
  const order = await another();
  const page = await visitBoard(storefront, owner);
  const { asked, release } = await holdPack(page);
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: `Print: order ${order.number}` }).click();
  const tab = await opened;
  await asked;
  await tab.close();
  release();
  await page.getByText("The tab of the print pack was closed").waitFor();
  await answersCome(page);
  await column(page, "Placed").getByText(order.number).waitFor();
});

test("a print pack is made once however often its key is pressed, and a blocked tab does not block the console", async () => {
  const order = await another();
  const path = `/admin/orders?order=${order.id}`;
  const page = await visitBoard(storefront, owner, { path, refused: ["/admin/orders/"] });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Print pack" }).waitFor();
  let asked = 0;
  const held = Promise.withResolvers<void>();
  await page.route("**/pack.pdf", async (route) => {
    asked++;
    await held.promise;
    await route.fulfill({ status: 409, contentType: "text/plain", body: "The printer is on strike" });
  });
  const devTools = await page.context().newCDPSession(page);
  // As an old computer is: the second press comes before the screen has been drawn again.
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  // But not as soon as a scanner's.
  await Promise.all([page.keyboard.press("o"), sleep(60).then(() => page.keyboard.press("o"))]);
  await page.keyboard.down("o");
  await page.keyboard.down("o");
  await page.keyboard.up("o");
  await expect.poll(() => asked).toBeGreaterThan(0);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect.poll(() => page.context().pages().length).toBe(2);
  held.resolve();
  await panel.getByText("The printer is on strike").waitFor();
  expect(asked).toBe(1);

  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.keyboard.press("o");
  await panel.getByText("Your browser blocked the print pack").waitFor();
  expect(asked).toBe(1);
  expect(new URL(page.url()).search).toContain(order.id);
});

test("a cancellation that failed leaves no message for the next one; it ends the order only in the state that was seen, and is made once where its answer is lost", async () => {
  const order = await another();
  const admin = await signedInAdmin(storefront.store);
  const path = `/admin/orders?order=${order.id}`;
  const page = await visitBoard(storefront, owner, { path, refused: ["board.cancel"] });
  const pass = (route: Route) => route.continue();
  const outcomes = [(route: Route) => route.abort(), pass, loseAnswer];
  await page.route("**/api/trpc/board.cancel?*", (route) => (outcomes.shift() ?? pass)(route));
  const open = page.getByRole("button", { name: "Cancel order" });
  const dialog = page.getByRole("dialog", { name: `Cancel order ${order.number}` });
  const message = dialog.getByText("The store cannot be reached");
  await open.click();
  await dialog.getByLabel("Reason").fill("Page 3 is missing");
  await dialog.getByRole("button", { name: "Cancel the order" }).click();
  await message.waitFor();
  await dialog.getByRole("button", { name: "Keep the order" }).click();
  await dialog.waitFor({ state: "detached" });
  await press(page, "c");
  await dialog.getByLabel("Reason").and(page.locator(":focus")).waitFor();
  expect(await message.count()).toBe(0);
  await page.keyboard.type("Page 3 is missing");
  await moveTo(admin.visitor, order.id, "printing");
  await column(page, "Printing").getByText(order.number).waitFor();
  await press(page, "Tab", "Tab", "Enter");
  await dialog
    .getByText(`${admin.person.fullName} has already marked order ${order.number} as printing`)
    .waitFor();

  const back = { orderId: order.id, from: "printing", to: "placed" };
  expectDone(await admin.visitor.mutate("board.move", back));
  const send = dialog.getByRole("button", { name: "Cancel the order" });
  await send.click();
  await message.waitFor();
  await orderButton(page, order.number).waitFor({ state: "detached" });
  await send.click();
  await page.getByText(`Order ${order.number} is cancelled`).waitFor();
  const mails = await mailsTo(storefront.store, order.student.email);
  const told = mails.filter(({ subject }) => subject === `Order ${order.number} is cancelled`);
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("Page 3 is missing")]);
  await page.getByRole("complementary").getByText("Page 3 is missing").waitFor();
});

test("the dialog that cancels a paid order says how much is to be given back, and how it was paid", async () => {
  const order = await another();
  const { totalPaise } = await seenByStaff(owner.visitor, order.id);
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const dialog = page.getByRole("dialog", { name: `Cancel order ${order.number}` });
  await page.getByRole("button", { name: "Cancel order" }).click();
  await dialog.getByText("This cannot be undone").waitFor();
  expect(await dialog.getByText("give back").count()).toBe(0);
  expectDone(await takeCash(owner.visitor, order.id, 1000));
  expectDone(await takeByUpi(owner.visitor, order.id, totalPaise - 1000));
  await dialog
    .getByText(
      `Please give back ${formatPaise(totalPaise)}. Recorded: Cash ₹10.00, UPI ${formatPaise(totalPaise - 1000)}`,
    )
    .waitFor();
  expectDone(await refundCash(owner.visitor, order.id, 300));
  await dialog
    .getByText(
      `Please give back ${formatPaise(totalPaise - 300)}. Recorded: Cash ₹10.00, UPI ${formatPaise(totalPaise - 1000)}, Cash -₹3.00`,
    )
    .waitFor();
});

test("X does not select an order on hold, which could not be moved with the others, and says why", async () => {
  const [held, free] = [await another(), await another()];
  const page = await visitBoard(storefront, owner);
  const selected = page.getByRole("region", { name: "Selected orders" });
  await orderButton(page, held.number).focus();
  await press(page, "x");
  await selected.waitFor();
  // It is deselected all the same where it was put on hold since.
  expectDone(await owner.visitor.mutate("holds.hold", { orderId: held.id, reason: "Page 2 is cut off" }));
  await page.getByText("On hold", { exact: true }).and(page.locator("li *")).waitFor();
  await press(page, "x");
  await selected.waitFor({ state: "detached" });
  await press(page, "x");
  await page.getByRole("alert").getByText(`Order ${held.number} is on hold: release it first`).waitFor();
  expect(await selected.count()).toBe(0);
  await orderButton(page, free.number).focus();
  await press(page, "x");
  await status(page, "1 order selected").waitFor();
});

test("what is refused of an order because it is on hold is said on its card, until somebody releases it", async () => {
  const order = await another();
  expectDone(await owner.visitor.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const [hold] = (await seenByStaff(owner.visitor, order.id)).holds;
  const page = await visitBoard(storefront, owner);
  const refusal = page.getByRole("listitem").getByText(`Order ${order.number} is on hold: release it first`);
  for (const key of ["m", "x"]) {
    await orderButton(page, order.number).focus();
    await press(page, key);
    await refusal.waitFor();
    await page.getByRole("button", { name: `Close the message about order ${order.number}` }).click();
    await refusal.waitFor({ state: "detached" });
  }
  await orderButton(page, order.number).focus();
  await press(page, "m");
  await refusal.waitFor();
  expectDone(await owner.visitor.mutate("holds.release", { orderId: order.id, holdId: hold.id }));
  await refusal.waitFor({ state: "detached" });
});

test("Back closes a dialog over the board, which does not come back with the board, nor does the note of the last move", async () => {
  const order = await another();
  await moveTo(owner.visitor, order.id, "dispatched");
  const waiting = await another();
  const page = await visitBoard(storefront, owner);
  const note = page.getByText("moved to Printing");
  await page.getByRole("button", { name: `Start printing: order ${waiting.number}` }).click();
  await note.waitFor();
  await page.getByRole("link", { name: "Counter" }).click();
  await page.getByRole("heading", { name: "Counter", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Orders" }).click();
  await orderButton(page, waiting.number).waitFor();
  expect(await note.count(), "the note of a move before").toBe(0);
  await page.getByRole("button", { name: `Mark delivered: order ${order.number}` }).click();
  const dialog = page.getByRole("dialog", { name: `Delivered: order ${order.number}` });
  await dialog.waitFor();
  await backCloses(page, true);
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/admin/orders");
  await page.goBack();
  await page.waitForURL("**/admin/counter");
  await page.getByRole("link", { name: "Orders" }).click();
  await orderButton(page, order.number).waitFor();
  await status(page, "Live").waitFor();
  expect(await dialog.count()).toBe(0);
});

test.each([
  { what: "whole", answers: false },
  { what: "after their headers", answers: true },
])(
  "the board, the table and an open order follow within half a minute where live events are kept back, $what",
  async ({ answers }) => {
    const proxy = createServer((_request, response) => {
      if (answers) response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    }).listen(0);
    onTestFinished(() => void proxy.close().closeAllConnections());
    const page = await storefront.visit("/robots.txt", sessionOf(owner.visitor));
    await page.clock.install();
    let streams = 0;
    await page.route("**/api/trpc/board.live*", (route) => {
      streams++;
      return route.continue({ url: `http://localhost:${(proxy.address() as AddressInfo).port}/` });
    });
    const opened = await another();
    await page.goto(`/admin/orders?order=${opened.id}`);
    await orderButton(page, opened.number).waitFor();
    await expect.poll(() => streams).toBe(1);
    await page.clock.fastForward(10_000);
    await page.getByText("Connection lost").waitFor();
    const order = await another();
    // It connects again in vain meanwhile.
    await page.clock.fastForward(5_000);
    await expect.poll(() => streams).toBeGreaterThanOrEqual(2);
    await page.clock.fastForward(25_000);
    await orderButton(page, order.number).waitFor();
    await press(page, "t");
    await page.getByRole("table", { name: "Orders" }).waitFor();
    await moveTo(owner.visitor, opened.id, "printing");
    const late = await another();
    await page.clock.fastForward(30_000);
    await page.getByRole("table", { name: "Orders" }).getByText(late.number).waitFor();
    await page.getByRole("complementary").getByRole("button", { name: "Mark printed" }).waitFor();
  },
);

test("several orders are moved at once, whoever is late is told who was first, and money that is owed is asked for alone, and may stay owed", async () => {
  const orders = [await another(), await another(), await another()];
  // Without the live stream the screen misses changes by others.
  const page = await storefront.visit("/robots.txt", {
    ...sessionOf(owner.visitor),
    refused: ["board.live"],
  });
  await page.route("**/api/trpc/board.live*", (route) => route.abort());
  await page.goto("/admin/orders");
  const admin = await signedInAdmin(storefront.store);
  for (const { number } of orders) await page.getByLabel(`Select order ${number}`).check();
  await moveTo(admin.visitor, orders[1]?.id ?? "", "printed");

  await page.getByRole("button", { name: "Start printing (3)" }).click();

  await page
    .getByRole("alert")
    .getByText(`${admin.person.fullName} has already marked order ${orders[1]?.number} as printed`)
    .waitFor();
  await column(page, "Printed")
    .getByText(orders[1]?.number ?? "")
    .waitFor();
  const printing = () => numbersIn(column(page, "Printing"));
  await expect.poll(printing).toEqual(expect.arrayContaining([orders[0]?.number, orders[2]?.number]));
  expect(await printing()).not.toContain(orders[1]?.number);

  const [unpaid, , paid] = orders as [PlacedOrder, PlacedOrder, PlacedOrder];
  expectDone(await payInFull(owner.visitor, paid.id));
  const both = [unpaid.id, paid.id];
  const { db } = storefront.store.deps;
  await db.updateTable("orders").set({ state: "dispatched" }).where("id", "in", both).execute();
  await page.reload();
  for (const { number } of [unpaid, paid]) await page.getByLabel(`Select order ${number}`).check();
  await page.getByRole("button", { name: "Mark delivered (2)" }).click();
  await page
    .getByText(
      new RegExp(`^Order ${unpaid.number} has ₹.* left to pay: choose it alone and press Mark delivered`),
    )
    .waitFor();
  await orderButton(page, paid.number).waitFor({ state: "detached" });
  await column(page, "Dispatched").getByText(unpaid.number).waitFor();
  await page.getByRole("button", { name: `Mark delivered: order ${unpaid.number}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delivered, not paid" }).click();
  await orderButton(page, unpaid.number).waitFor({ state: "detached" });
  expect(await seenByStaff(admin.visitor, unpaid.id)).toMatchObject({ state: "delivered", payments: [] });
});

test("of chosen orders that one press moves to different states each group is told of, and can be taken back", async () => {
  const [placed, printing] = [await another(), await another()];
  await moveTo(owner.visitor, printing.id, "printing");
  const page = await visitBoard(storefront, owner);
  for (const { number } of [placed, printing]) await page.getByLabel(`Select order ${number}`).check();
  await press(page, "m");
  const notice = (text: string) => page.getByRole("alert").filter({ hasText: text });
  await notice(`Order ${printing.number} is printed. Its files will be deleted at`)
    .getByRole("button", { name: "Undo" })
    .waitFor();
  await notice(`Order ${placed.number} is printing`).getByRole("button", { name: "Undo" }).click();
  await column(page, "Placed").getByText(placed.number).waitFor();
  await column(page, "Printed").getByText(printing.number).waitFor();
});

test("changes by others appear without a reload, an order goes on from where they moved it, and only valid moves are offered", async () => {
  const order = await another();
  const admin = await signedInAdmin(storefront.store);
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Start printing" }).waitFor();

  await admin.visitor.mutate("board.note", { orderId: order.id, body: "Wants it stapled" });
  await panel.getByText("Wants it stapled").waitFor();
  await orderButton(page, order.number).focus();
  await press(page, "Escape");
  await panel.waitFor({ state: "detached" });
  await moveTo(admin.visitor, order.id, "printed");
  await column(page, "Printed").getByText(order.number).waitFor();
  await orderButton(page, order.number).focus();
  await press(page, "m");
  await column(page, "Dispatched").getByText(order.number).waitFor();
  await orderButton(page, order.number).click();
  await panel.getByRole("button", { name: "Mark delivered" }).waitFor();
  await panel.getByRole("button", { name: "Cancel order" }).waitFor();
  // The screen shows its own move before the server knows it.
  await expect.poll(async () => (await seenByStaff(admin.visitor, order.id)).state).toBe("dispatched");
  const isMoved = await admin.visitor.mutate("board.move", {
    orderId: order.id,
    from: "dispatched",
    to: "delivered",
  });
  expectDone(isMoved);
  await panel.getByRole("button", { name: "Mark delivered" }).waitFor({ state: "detached" });
  expect(await panel.getByRole("button", { name: "Cancel order" }).count()).toBe(0);
});

test("a hold that the student answers while the clerk looks is seen on the card and in the open order", async () => {
  const order = await another();
  const { visitor } = order;
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  const card = page.locator("li", { has: orderButton(page, order.number) });
  const ask = async (reason: string) => {
    expectDone(await owner.visitor.mutate("holds.hold", { orderId: order.id, reason }));
    return (await seenByStudent(visitor, order.id)).hold.id as string;
  };
  const change = async (holdId: string, changes: object) => {
    const wished = { orderId: order.id, holdId, ...changes };
    const { after } = expectDone(await visitor.query("holds.quote", wished));
    expectDone(await visitor.mutate("holds.change", { ...wished, expectedTotalPaise: after.totalPaise }));
  };

  const form = panel.getByLabel("What is wrong (the student reads this)");
  await panel.getByRole("button", { name: "Put on hold" }).click();
  await form.waitFor();
  const asked = await ask("Page 2 is cut off");
  await card.getByText("On hold", { exact: true }).waitFor();
  await form.waitFor({ state: "detached" });
  expect(await panel.getByRole("button", { name: "Print pack" }).count()).toBe(0);
  expect(await card.getByRole("button", { name: /^Print:/ }).count()).toBe(0);
  expectDone(
    await visitor.mutate("holds.answer", { orderId: order.id, holdId: asked, answer: "Print it as it is" }),
  );
  await card.getByText("On hold · answered").waitFor();
  await panel.getByText("Print it as it is").waitFor();
  await panel.getByRole("button", { name: "Ask again" }).waitFor();
  expect(await form.count(), "a form that comes back by itself").toBe(0);

  const file = await ask("The file cannot be printed");
  await panel.getByText("The file cannot be printed").waitFor();
  await change(file, { files: [{ fileId: order.fileId, fileUrl: await uploadPages(visitor, 7) }] });
  await card.getByText("7 pages × 2").waitFor();
  await card.getByRole("button", { name: /^Print:/ }).waitFor();
  await panel.getByText("The student changed the order").waitFor();

  const option = await ask("The paper has run out");
  await card.getByText("On hold", { exact: true }).waitFor();
  await panel.getByText("The paper has run out").waitFor();
  const unanswered = panel.getByText(`No answer for ${HOLD_DAYS} days`);
  expect(await unanswered.count()).toBe(0);
  const { clock, deps } = storefront.store;
  const created_at = new Date(clock.now().getTime() - (HOLD_DAYS + 1) * 86_400_000).toISOString();
  await deps.db.updateTable("order_holds").set({ created_at }).where("id", "=", option).execute();
  expectDone(await owner.visitor.mutate("board.note", { orderId: order.id, body: "She is at home" }));
  await unanswered.waitFor();
  const { paperTypes } = await getShop(visitor, SHOP_ID);
  const { options } = await seenByStudent(visitor, order.id);
  const paper = paperTypes.find(({ _id }) => _id !== options[0].paperTypes);
  await change(option, { options: [{ paperTypes: paper?._id }] });
  await card.getByText("On hold", { exact: true }).waitFor({ state: "detached" });
  await card.getByText(paper?.name ?? "no paper").waitFor();
});

test("of files that are kept until another day the day and the time of their deletion are said", async () => {
  const order = await another();
  await moveTo(owner.visitor, order.id, "printed");
  expectDone(await owner.visitor.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByText(/^Will be deleted at \d+ [A-Z][a-z]+, \d+:\d\d [ap]m$/).waitFor();
  await panel.getByText("It can then leave the shop.").waitFor();
});

test("everything can be done by keyboard: navigating, selecting, moving, adding notes, searching", async () => {
  const orders = [await another(), await another()];
  const { db } = storefront.store.deps;
  await db
    .updateTable("orders")
    .set({ address: JSON.stringify(ADDRESS) })
    .execute();
  const page = await visitBoard(storefront, owner);
  const placed = await numbersIn(column(page, "Placed"));
  await press(page, "j", "j");
  await expect.poll(() => focusedNumber(page)).toBe(placed[1]);
  await press(page, "ArrowUp");
  await expect.poll(() => focusedNumber(page)).toBe(placed[0]);
  await press(page, "Enter");
  await page.getByRole("complementary").getByText("Print job").waitFor();
  const fact = (name: string) =>
    page
      .locator("dt", { hasText: new RegExp(`^${name}$`) })
      .locator("+ dd")
      .innerText();
  expect(await Promise.all(["Pages", "Copies", "Deliver to"].map(fact))).toEqual([
    ...["3", "2", addressLine(ADDRESS)],
  ]);
  const { id, quote } = await seenByStaff(owner.visitor, new URL(page.url()).searchParams.get("order") ?? "");
  expect(id).toBeTruthy();
  const prices = await page
    .getByRole("table", { name: "Price" })
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.map((row) => [row.firstElementChild?.textContent, row.lastElementChild?.textContent]),
    );
  const { subTotalPaise, taxPaise, deliveryFeePaise, totalPaise } = quote;
  expect(Object.fromEntries(prices)).toMatchObject({
    Subtotal: formatPaise(subTotalPaise),
    Tax: formatPaise(taxPaise),
    "Delivery fee": formatPaise(deliveryFeePaise),
    Total: formatPaise(totalPaise),
  });
  // Tab leads to the panel, past the other orders.
  expect(await orderButton(page, placed[1] ?? "").getAttribute("tabindex")).toBe("-1");
  await press(page, "Escape");
  await expect.poll(() => focusedNumber(page)).toBe(placed[0]);
  await press(page, "x", "j", "x");
  await page.getByText("2 orders selected").waitFor();
  await press(page, "m");
  for (const number of placed.slice(0, 2)) await column(page, "Printing").getByText(number).waitFor();

  await press(page, "/");
  await page.keyboard.type(orders[1]?.number ?? "");
  await page.getByRole("table", { name: "Orders" }).waitFor();
  await expect
    .poll(() => numbersIn(page.getByRole("table", { name: "Orders" })))
    .toEqual([orders[1]?.number]);
  await press(page, "Tab");
  await page.getByRole("heading", { name: "Orders", level: 1 }).click();
  await press(page, "j", "Enter");
  await page.getByLabel("New note").waitFor();
  await press(page, "n");
  await page.getByLabel("New note").and(page.locator(":focus")).waitFor();
  // Elsewhere these letters are shortcuts.
  await page.keyboard.type("jump back to the mark");
  await press(page, "Tab", "Enter");
  await page.getByRole("complementary").getByRole("list").getByText("jump back to the mark").waitFor();
  await page.getByRole("heading", { name: "Orders", level: 1 }).click();
  await press(page, "Shift+?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("Cancel the order, with a reason").waitFor();
  const keys = await help.locator("kbd").allInnerTexts();
  expect(keys).toEqual([...new Set(keys)]);
  await press(page, "Escape");
  await help.waitFor({ state: "detached" });
  await press(page, "w");
  const focused = page.locator(":focus");
  await focused.and(page.getByLabel("What is wrong (the student reads this)")).waitFor();
  await press(page, "Tab", "Enter");
  await focused.and(page.getByLabel("What is wrong (the student reads this)")).waitFor();
  await press(page, "Shift+Tab", "ArrowRight");
  const ring = (element: Element) => getComputedStyle(element).outlineColor;
  expect(
    await focused.evaluate((reason) => getComputedStyle(reason.nextElementSibling ?? reason).outlineColor),
  ).toBe(await focused.evaluate(ring));
  await press(page, "Tab", "Tab", "Enter");
  await focused.getByText("Release", { exact: true }).waitFor();
  await press(page, "Shift", "Enter");
  await focused.getByText("Put on hold", { exact: true }).waitFor();
  await page.getByText(/^Released by the shop, /).waitFor();
  await press(page, "Shift");
  await page.getByRole("button", { name: "Take payment" }).press("Enter");
  await focused.and(page.getByRole("form", { name: "Take payment" })).waitFor();
  await press(page, "Shift");
  await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await focused.filter({ hasText: "Pay on delivery" }).waitFor();
  await press(page, "v");
  await page.getByRole("dialog").getByText("Page 1 of 3").waitFor();
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press(page, "Escape", "b");
  await column(page, "Placed").waitFor();
});

test("where the viewer of pages cannot be loaded, the file is offered for download and the screen stays", async () => {
  const order = await another();
  const page = await visitBoard(storefront, owner, { refused: ["/assets/"] });
  await orderButton(page, order.number).click();
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Print pack" }).focus();
  await page.route("**/assets/*.js", (route) => route.abort());
  await press(page, "v");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The pages cannot be shown here").waitFor();
  await dialog.getByRole("link", { name: "Download" }).waitFor();
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });
  await panel.locator("button:focus").filter({ hasText: "Print pack" }).waitFor();
});

test("a viewer that is closed while its file still comes leaves nothing at work, and opens again", async () => {
  const order = await another();
  const page = await visitBoard(storefront, owner);
  await orderButton(page, order.number).click();
  await page.getByRole("button", { name: "Print pack" }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route("**/files/**", (route) => held.promise.then(() => route.continue()));
  await press(page, "v");
  await expect.poll(() => page.workers().length).toBe(1);
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  held.resolve();
  await expect.poll(() => page.workers().length).toBe(0);
  await press(page, "v");
  await page.getByRole("dialog").getByText("Page 1 of 3").waitFor();
  await press(page, "Escape");
  await expect.poll(() => page.workers().length).toBe(0);
});

test("the URL contains the table's filters, which survive a reload", async () => {
  const order = await another();
  await moveTo(owner.visitor, order.id, "printing");
  const page = await visitBoard(storefront, owner);
  await press(page, "t");
  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "Printing" }).click();
  await page.getByRole("searchbox", { name: "Search orders" }).fill(order.number);
  await expect.poll(() => numbersIn(page.getByRole("table", { name: "Orders" }))).toEqual([order.number]);
  await page.reload();
  await expect.poll(() => numbersIn(page.getByRole("table", { name: "Orders" }))).toEqual([order.number]);
  await expect.poll(() => page.getByRole("combobox", { name: "State" }).inputValue()).toBe("Printing");
  const from = page.getByLabel("Placed from");
  await from.pressSequentially("11212025");
  await page.waitForURL(/fromDay=2025-11-21/);
  await from.press("ArrowDown");
  await page.waitForURL(/fromDay=2024-11-21/);
  expect(await from.inputValue()).toBe("2024-11-21");
  const sorted = page.getByRole("columnheader", { name: "Placed" });
  // Chosen states begin with the newest.
  for (const order of ["descending", "ascending", "descending"]) {
    await expect.poll(() => sorted.getAttribute("aria-sort")).toBe(order);
    await sorted.getByRole("button").click();
  }
  await page.getByRole("checkbox", { name: "Reported printing errors" }).check();
  await page.waitForURL(/reported=true/);
  await expect.poll(() => page.getByRole("combobox", { name: "State" }).inputValue()).toBe("All");
});

test("the papers and colours of a shop can be chosen as filters while students do not see it, and the board shows the orders that match", async () => {
  const admin = await signedInAdmin(storefront.store);
  const { id: shopId } = await shownShop(admin.visitor, {
    ...smallPriceList(),
    printedColours: [priceEntry("Black & White", 50), priceEntry("Colour", 400, { inColour: true })],
  });
  const place = () => placeAnother(first.visitor, first.student, shopId);
  const [paid, unpaid] = [await place(), await place()];
  expectDone(await payInFull(admin.visitor, paid.id));
  expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: true }));
  const page = await visitBoard(storefront, await signedInCounter(storefront.store, [shopId]));
  await page.getByRole("combobox", { name: "Paper" }).click();
  await expect.poll(() => page.getByRole("option").allInnerTexts()).toEqual(["70 GSM", "A4"]);
  await page.getByRole("combobox", { name: "Colour" }).click();
  await page.getByRole("option", { name: "Colour" }).click();
  await page.waitForURL(/colour=Colour/);
  await page.getByText("No open order matches these filters").waitFor();
  await page.getByRole("combobox", { name: "Paper" }).click();
  await page.getByRole("option", { name: "A4" }).click();
  await page.getByRole("button", { name: "On hold", exact: true }).click();
  await page.getByRole("combobox", { name: "Due" }).click();
  await page.getByRole("option", { name: "Late" }).click();
  await page.waitForURL(/due=late/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL((url) => !/colour|paper|onHold|due/.test(url.search));
  await orderButton(page, paid.number).waitFor();
  await page.getByRole("button", { name: "Pickup", exact: true }).click();
  await page.getByText("No open order matches these filters").waitFor();
  await page.getByRole("button", { name: "Delivery", exact: true }).click();
  await orderButton(page, paid.number).waitFor();
  await page.getByRole("button", { name: "Unpaid", exact: true }).click();
  await orderButton(page, paid.number).waitFor({ state: "detached" });
  expect(await numbersIn(column(page, "Placed"))).toEqual([unpaid.number]);
});

test("two tabs share one stream and the mute of the sound, one that is out of sight notifies of new orders once that is allowed, and the second takes over when the first is closed", async () => {
  const page = await visitBoard(storefront, owner);
  await page.getByRole("button", { name: "Mute the sound for new orders" }).click();
  const second = await page.context().newPage();
  // The notifications that it shows, as a tab behind another window.
  const shown: string[] = [];
  await second.exposeFunction("show", (title: string) => void shown.push(title));
  await second.addInitScript(() => {
    const isInSight = () => document.documentElement.dataset.inSight !== undefined;
    Object.defineProperty(document, "hidden", { get: () => !isInSight() });
    window.Notification = class extends EventTarget {
      static permission = "default";
      static requestPermission = async () => "granted";
      constructor(title: string) {
        super();
        (window as unknown as { show: (title: string) => void }).show(title);
      }
    } as typeof Notification;
  });
  const streams: string[] = [];
  second.on("request", (request) => {
    if (request.url().includes("board.live")) streams.push(request.url());
  });
  await second.goto("/admin/orders");
  await status(second, "Live").waitFor();
  await second.getByRole("button", { name: "Sound a chime for new orders" }).waitFor();
  const allow = second.getByRole("button", { name: "Allow notifications" });
  await allow.click();
  await allow.waitFor({ state: "detached" });
  const order = await another();
  for (const tab of [page, second]) await orderButton(tab, order.number).waitFor();
  expect(streams).toHaveLength(0);
  await expect.poll(() => shown).toEqual(["New order"]);

  await page.close();
  const later = await another();
  await orderButton(second, later.number).waitFor();
  await expect.poll(() => shown).toEqual(["New order", "2 new orders"]);
  await second.evaluate(() => {
    document.documentElement.dataset.inSight = "";
  });
  const seen = await another();
  await orderButton(second, seen.number).waitFor();
  await expect.poll(() => second.title()).toMatch(/^\(3\) /);
  expect(shown, "while the tab is in sight").toHaveLength(2);
  // After the last event that the first one has passed on, so that none is missed between them.
  expect(streams).toEqual([expect.stringContaining("lastEventId")]);
});

test("a search from the board lists open orders before those that are done, newest first, and its end brings the board back", async () => {
  const { store } = storefront;
  const { id } = await shownShop((await signedInAdmin(store)).visitor);
  const clerk = await signedInOwner(store, [id]);
  const done = await placeOrder(store, id);
  const orders = [done];
  for (let count = 0; count < 3; count++) {
    store.clock.advance({ seconds: 1 });
    orders.push(await placeAnother(done.visitor, done.student, id));
  }
  const [, early, alsoDone, late] = orders;
  await moveTo(clerk.visitor, done.id, "delivered");
  await moveTo(clerk.visitor, alsoDone?.id ?? "", "delivered");
  const page = await visitBoard(storefront, clerk);
  await column(page, "Placed")
    .getByText(late?.number ?? "")
    .waitFor();
  const searchField = page.getByRole("searchbox", { name: "Search orders" });
  await searchField.fill(done.student.fullName);
  await page.getByRole("table").getByText(done.number).waitFor();
  expect(await numbersIn(page.getByRole("table"))).toEqual(
    [late, early, alsoDone, done].map((order) => order?.number),
  );
  await searchField.fill("");
  await column(page, "Placed")
    .getByText(early?.number ?? "")
    .waitFor();
  expect(new URL(page.url()).search).toBe("");

  // Somebody types on after a pause, while the search begins on a slow network.
  await page.clock.install();
  await page.clock.fastForward("01:00");
  const release = await delayRequests(page, "**/api/trpc/accounts.me*");
  const begun = page.waitForRequest("**/api/trpc/accounts.me*");
  await searchField.pressSequentially("Asha");
  await page.clock.fastForward(300);
  await begun;
  await searchField.press("Space");
  release();
  await page.waitForURL(/search=Asha/);
  await searchField.pressSequentially("Verma");
  expect(await searchField.inputValue()).toBe("Asha Verma");

  // A scanner types the link of a ticket's code.
  await searchField.fill(`${store.url}/admin/orders?order=${early?.id}`);
  await page.getByRole("complementary", { name: `Order ${early?.number}` }).waitFor();
});

test("a search with many open orders does not show the finished ones of the search before", async () => {
  const { store } = storefront;
  const { id } = await shownShop((await signedInAdmin(store)).visitor);
  const clerk = await signedInOwner(store, [id]);
  const done = await placeOrder(store, id);
  await moveTo(clerk.visitor, done.id, "delivered");
  const open = await placeOrder(store, id);
  await copyOrder(store, open, Array(LIST_ROWS).fill({ placedAt: "2026-01-01T08:00:00.000Z" }));
  const page = await visitBoard(storefront, clerk);
  const table = page.getByRole("table", { name: "Orders" });
  const searchField = page.getByRole("searchbox", { name: "Search orders" });
  await searchField.fill("nobody of this name");
  await page.getByText("Try a part of the name, the phone or the order number.").waitFor();
  await searchField.fill(done.number);
  await expect.poll(() => numbersIn(table)).toEqual([done.number]);
  await searchField.fill(open.student.phone);
  await expect.poll(async () => (await numbersIn(table)).length).toBeGreaterThan(1);
  await answersCome(page);
  expect(await numbersIn(table)).not.toContain(done.number);
});

test("a clerk enters an order for somebody at the counter, paid, and prints it from its panel", async () => {
  const name = `Meera ${crypto.randomUUID().slice(0, 8)}`;
  const console = await visitBoard(storefront, owner, { refused: ["/api/v1/uploads", "visits.walkIn"] });
  await console.getByRole("link", { name: "Counter" }).click();
  await console.getByRole("link", { name: "Orders" }).click();
  await console.getByRole("button", { name: "New order", exact: true }).click();
  const form = console.getByRole("dialog", { name: "New order at the counter" });
  const enter = form.getByRole("button", { name: /^Enter order/ });
  await form.getByLabel("Name to call out").and(console.locator(":focus")).waitFor();
  await form.getByLabel("Copies").focus();
  await enter.click();
  await form.getByRole("alert").getByText("Please enter the name to call out").waitFor();
  await form.getByLabel("Name to call out").and(console.locator(":focus[aria-invalid=true]")).waitFor();
  await form.getByLabel("Name to call out").fill(name);
  // What was entered is lost only by the button that closes it, or by leaving after a question.
  await console.keyboard.press("Escape");
  await console.goBack();
  await console.getByRole("button", { name: "Stay" }).click();
  const file = pdfFile("Essay.pdf", await pdfOfPages(4));
  await form.locator("input[type=file]").setInputFiles(file);
  await form.getByRole("listitem").filter({ hasText: "Essay.pdf" }).getByText("4 pages").waitFor();
  await form.getByLabel("Copies").fill("");
  await form.getByLabel("Copies").pressSequentially("३");
  expect(await form.getByLabel("Copies").inputValue()).toBe("3");
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "Front.jpg", mimeType: "image/jpeg", buffer: Buffer.from("ffd8ffe0", "hex") });
  await form
    .getByRole("listitem")
    .filter({ hasText: "Front.jpg" })
    .getByText("“Front.jpg” is a picture (JPG), not a PDF. Open it, print it to a PDF, and upload that")
    .waitFor();
  await form.getByRole("button", { name: "Remove Front.jpg" }).click();
  const chooseWrong = async (wrong: string) => {
    await form.locator("input[type=file]").setInputFiles(pdfFile(wrong, await pdfOfPages(2)));
    await form.getByRole("listitem").filter({ hasText: wrong }).getByText("2 pages").waitFor();
  };
  const { readDb } = storefront.store.deps;
  const isDeleted = async (wrong: string) => {
    const files = readDb.selectFrom("files").select("deleted_at").where("original_filename", "=", wrong);
    return (await files.executeTakeFirstOrThrow()).deleted_at !== null;
  };
  const [removed, left] = [`Removed ${name}.pdf`, `Left ${name}.pdf`];
  await chooseWrong(removed);
  await form.getByRole("button", { name: `Remove ${removed}` }).click();
  await expect.poll(() => isDeleted(removed)).toBe(true);
  await console.route("**/api/v1/uploads*", (route) => route.abort(), { times: 1 });
  await form.locator("input[type=file]").setInputFiles(pdfFile("Lost.pdf", await pdfOfPages(1)));
  const lost = form.getByRole("listitem").filter({ hasText: "Lost.pdf" });
  await lost.getByText("The connection was lost. Please choose it again").waitFor();
  await form.getByRole("button", { name: "Remove Lost.pdf" }).click();
  const locked = await encryptedPdf(3, "AES-256", { user: "sesame" });
  await form.locator("input[type=file]").setInputFiles(pdfFile("Locked.pdf", locked));
  const password = form.getByLabel("Password of Locked.pdf");
  await password.fill("simsalabim");
  await password.press("Enter");
  await form.getByText(/not the password/).waitFor();
  await enter.click();
  await form.getByText("Please enter the password of the locked file, or remove it").waitFor();
  await console.mouse.click(4, 4);
  await expectAccessibleScreen(console);
  await password.fill("sesame");
  await form.getByRole("button", { name: "Unlock Locked.pdf" }).click();
  await form.getByRole("listitem").filter({ hasText: "Locked.pdf" }).getByText("3 pages").waitFor();
  await form
    .locator("input[type=file]")
    .setInputFiles(pdfFile("Broken.pdf", Buffer.from("%PDF-1.7 no more")));
  await form.getByRole("listitem").filter({ hasText: "Broken.pdf" }).getByRole("alert").waitFor();
  await enter.click();
  await form.getByText("Please remove the file that could not be read").waitFor();
  await form.getByRole("button", { name: "Remove Broken.pdf" }).click();

  // What was chosen runs out: nothing else is entered instead.
  const [, binding] = (await getShop(owner.visitor, SHOP_ID)).bindingOptions;
  const setOut = async (isOut: boolean) =>
    expectDone(
      await owner.visitor.mutate("stock.setOut", { shopId: SHOP_ID, optionId: binding?._id, isOut }),
    );
  const field = form.getByRole("combobox", { name: "Binding" });
  await field.click();
  await console.getByRole("option", { name: binding?.name ?? "", exact: true }).click();
  const price = await form.getByRole("status").innerText();
  await setOut(true);
  for (const _ of ["first", "again"]) {
    await enter.click();
    await answersCome(console);
    await form.getByText(`This shop has run out of “${binding?.name}” for now`).waitFor();
    expect([await field.inputValue(), await form.getByRole("status").innerText()]).toEqual([
      `${binding?.name} · out of stock`,
      price,
    ]);
  }
  await setOut(false);
  const { db } = storefront.store.deps;
  const inDays = new Date(storefront.store.clock.now().getTime() + 3 * 86_400_000);
  const day = inDays.toUTCString().slice(0, 3);
  await db
    .updateTable("shops")
    .set({ opening_hours: `${day} 9:00-18:00` })
    .where("id", "=", SHOP_ID)
    .execute();
  await form.getByRole("radiogroup", { name: "Paid" }).getByText("UPI", { exact: true }).click();
  await enter.dblclick();
  await form
    .getByRole("alert")
    .getByText(/^This would be ready by .* Enter it only if you print it before/)
    .waitFor();
  await expectAccessiblePart(form);
  await form.getByRole("button", { name: /^Enter it all the same, ₹/ }).click();

  const panel = console.getByRole("complementary", { name: /^Order / });
  await panel.getByText(/^Paid, ₹/).waitFor();
  await panel.getByText(name).first().waitFor();
  await panel.getByText(/^Will be deleted at /).waitFor();
  const orders = await readDb
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["orders.id", "orders.pages", "orders.copies", "orders.total_paise", "orders.paid_paise"])
    .where("users.full_name", "=", name)
    .execute();
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({ pages: 7, copies: 3, paid_paise: orders[0]?.total_paise });
  const { payments } = await seenByStaff(owner.visitor, orders[0]?.id ?? "");
  expect(payments.map(({ method }: { method: string }) => method)).toEqual(["upi"]);
  const receipt = console.waitForEvent("download");
  await panel.getByRole("link", { name: "Receipt" }).click();
  expect((await receipt).suggestedFilename()).toMatch(/^Receipt .*\.pdf$/);

  await console.getByRole("button", { name: "New order", exact: true }).click();
  await chooseWrong(left);
  await form.getByRole("button", { name: "Close", exact: true }).click();
  await expect.poll(() => isDeleted(left)).toBe(true);
});

test("an order for somebody at the counter whose answer comes late leaves the next one as it is typed, which may be paid later, and is entered once though its answer is lost", async () => {
  const { store } = storefront;
  await removeHours(store, SHOP_ID);
  const page = await visitBoard(storefront, owner, { refused: ["visits.walkIn"] });
  await page.getByRole("button", { name: "New order", exact: true }).click();
  const form = page.getByRole("dialog", { name: "New order at the counter" });
  const name = form.getByLabel("Name to call out");
  const choose = async (file: string) => {
    await form.locator("input[type=file]").setInputFiles(pdfFile(file, await pdfOfPages(2)));
    await form.getByRole("listitem").filter({ hasText: file }).getByText("2 pages").waitFor();
  };
  await name.fill("Meera");
  await choose("First.pdf");
  const release = await delayRequests(page, "**/api/trpc/visits.walkIn*");
  await form.getByRole("button", { name: /^Enter order/ }).click();
  await form.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "New order", exact: true }).click();
  const ravi = `Ravi ${crypto.randomUUID().slice(0, 8)}`;
  await name.fill(ravi);
  await choose("Second.pdf");
  release();
  await page.getByText(/^Order .* is entered/).waitFor();
  await answersCome(page);
  expect(await name.inputValue()).toBe(ravi);
  await form.getByRole("listitem").filter({ hasText: "Second.pdf" }).waitFor();
  expect(page.url()).not.toContain("order=");

  await form.getByText("Pays later").click();
  await page.route("**/api/trpc/visits.walkIn?*", loseAnswer, { times: 1 });
  const enter = form.getByRole("button", { name: "Enter order", exact: true });
  await enter.click();
  await form.getByText("The store cannot be reached").waitFor();
  await enter.click();
  await page.waitForURL(/order=/);
  const ordersOfRavi = store.deps.readDb
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select("orders.id")
    .where("users.full_name", "=", ravi);
  expect(await ordersOfRavi.execute()).toHaveLength(1);
  const orderId = new URL(page.url()).searchParams.get("order") ?? "";
  expect(await seenByStaff(owner.visitor, orderId)).toMatchObject({ paidPaise: 0, payments: [] });
});

test("Back closes an order for somebody at the counter, and asks first if it was begun; the board below stays", async () => {
  const admin = await signedInAdmin(storefront.store);
  const page = await visitBoard(storefront, admin, { path: "/admin/orders?shop=deccan-sheets" });
  await page.getByRole("combobox", { name: "Shop" }).click();
  await page.getByRole("option", { name: /^Red Soil/ }).click();
  await page.waitForURL("**/admin/orders?shop=red-soil-prints");
  await page.getByRole("button", { name: "New order", exact: true }).click();
  const form = page.getByRole("dialog", { name: "New order at the counter" });
  await backCloses(page, true);
  await form.getByLabel("Name to call out").fill("Meera");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.goBack();
  await question.waitFor();
  await backCloses(page, true);
  await page.goBack();
  await question.waitFor({ state: "detached" });
  await backCloses(page, true);
  expect(await form.getByLabel("Name to call out").inputValue()).toBe("Meera");
  await page.goBack();
  await question.getByRole("button", { name: "Leave", exact: true }).click();
  await form.waitFor({ state: "detached" });
  await backCloses(page, false);
  await page.goBack();
  await page.waitForURL("**/admin/orders?shop=deccan-sheets");
});

test("the payments and the closing of a day pass axe and say what came in and what was given back, and a day is closed with what was counted", async () => {
  const { store } = storefront;
  const { id: shopId } = await shownShop((await signedInAdmin(store)).visitor);
  const { visitor: staff, person } = await signedInOwner(store, [shopId]);
  const place = () => placeAnother(first.visitor, first.student, shopId);
  const [unpaid, paid, cancelled] = [await place(), await place(), await place()];
  expectDone(await payInFull(staff, paid.id));
  const { paidPaise: total } = await seenByStaff(staff, paid.id);
  expectDone(await takeByUpi(staff, cancelled.id, total - 500));
  expectDone(await takeCash(staff, cancelled.id, 500));
  expectDone(await refundCash(staff, cancelled.id, 200));
  expectDone(await refundByUpi(staff, cancelled.id, 100));
  const cancel = { orderId: cancelled.id, from: "placed", reason: "Page 3 was blank" };
  expectDone(await staff.mutate("board.cancel", cancel));
  const [older = ""] = await copyOrder(store, paid, [
    { placedAt: "2025-01-31T08:00:00.000Z", state: "cancelled" },
  ]);

  const page = await storefront.visit("/admin/payments", sessionOf(staff));
  await page.getByRole("heading", { name: "Payments", level: 1 }).waitFor();
  await expect
    .poll(() => linesOf(page.getByRole("main")))
    .toEqual([
      ["Ordered", formatPaise(2 * total), "2 orders"],
      ["Collected", formatPaise(2 * total - 300), "After refunds"],
      ["Cash", formatPaise(total + 300), "₹2.00 refunded"],
      ["UPI", formatPaise(total - 600), "₹1.00 refunded"],
      ["Unpaid", formatPaise(total), "Of these orders"],
      ["To refund", formatPaise(total - 300), "Of these orders"],
    ]);
  await expectAccessibleScreen(page);
  const table = page.getByRole("table", { name: "Orders" });
  const amountsOf = async ({ number }: PlacedOrder) =>
    (await table.getByRole("row").filter({ hasText: number }).getByRole("cell").allInnerTexts()).slice(-5);
  const amount = formatPaise(total);
  await expect.poll(() => amountsOf(unpaid)).toEqual([amount, "–", amount, "–", "–"]);
  expect(await amountsOf(paid)).toEqual([amount, amount, "–", "–", "–"]);
  const left = formatPaise(total - 300);
  expect(await amountsOf(cancelled)).toEqual([amount, left, "–", "₹3.00", left]);
  const filter = page.getByRole("radiogroup", { name: "Filter" });
  await filter.getByText(/^Unpaid/).click();
  await expect.poll(() => table.getByText(paid.number).count()).toBe(0);
  await table.getByText(unpaid.number).waitFor();
  await filter.getByText(/^Paid/).click();
  await expect.poll(() => table.getByText(unpaid.number).count()).toBe(0);
  await table.getByText(paid.number).waitFor();
  const forgotten = page.getByRole("alert").filter({ hasText: `1 older order: ${amount} still to refund` });
  await forgotten.getByRole("button", { name: "Show them" }).click();
  await table.getByText(older).waitFor();
  expect(await table.getByText(paid.number).count()).toBe(0);
  await page.getByText("Totals are added up for a year at most").waitFor();
  expect(await linesOf(page.getByRole("main"))).toEqual([]);

  await page.goto("/admin/closing");
  const form = page.getByRole("form", { name: "Close the day" });
  await form.getByLabel("Counted cash").fill("a lot");
  await form.getByRole("button", { name: /^Close / }).click();
  await form.getByText("An amount such as 2350 or 2350.50").waitFor();
  await form.getByLabel("Counted cash").fill("12,34,567.50");
  // The field of the reason is to be filled in first.
  await form.getByText("An amount such as 2350 or 2350.50").waitFor({ state: "detached" });
  await form.getByText(/too much$/).waitFor();
  await expectAccessibleScreen(page);
  await form.getByLabel("Why it differs").fill("The change of yesterday");
  // An amount is corrected; meanwhile it may be right.
  await form.getByLabel("Counted cash").fill("12,34,567.");
  await form.getByLabel("Why it differs").waitFor({ state: "detached" });
  await form.getByLabel("Counted cash").fill("12,34,567.50");
  await form.getByRole("button", { name: /^Close / }).dblclick();
  await page.getByText(/^Closed by /).waitFor();
  const sheet = page.getByRole("article");
  const counted = 1_234_567_50;
  const difference = counted - (total + 300);
  expect(await linesOf(sheet)).toEqual([
    ["Cash taken", formatPaise(total + 500)],
    ["Cash refunded", "-₹2.00"],
    ["Expected cash", formatPaise(total + 300)],
    ["Counted cash", "₹12,34,567.50"],
    ["Difference", formatPaise(difference)],
    ["UPI taken", formatPaise(total - 500)],
    ["UPI refunded", "-₹1.00"],
    ["UPI", formatPaise(total - 600)],
    ["Collected", formatPaise(2 * total - 300)],
  ]);
  const clerks = sheet.getByRole("table", { name: "By clerk" }).getByRole("row");
  expect(await clerks.nth(1).locator("th, td").allInnerTexts()).toEqual([
    ...[person.fullName, formatPaise(total + 500), formatPaise(total - 500), "₹3.00"],
  ]);
  expect(await sheet.innerText()).toContain("Note: The change of yesterday");
  await expectAccessibleScreen(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  const rows = (await readFile(await file.path(), "utf8")).split("\r\n");
  expect(Object.fromEntries(rows.map((row) => row.split(",").slice(2)))).toMatchObject({
    "Cash taken": String(toRupees(total + 500)),
    "Cash refunded": "2",
    "Expected cash": String(toRupees(total + 300)),
    "Counted cash": "1234567.5",
    Difference: String(toRupees(difference)),
    "UPI taken": String(toRupees(total - 500)),
    "UPI refunded": "1",
    [`Cash taken by ${person.fullName}`]: String(toRupees(total + 500)),
    [`UPI taken by ${person.fullName}`]: String(toRupees(total - 500)),
    [`Cash refunded by ${person.fullName}`]: "2",
    [`UPI refunded by ${person.fullName}`]: "1",
  });

  // A day before was forgotten.
  const today = await page.getByLabel("Day", { exact: true }).inputValue();
  const [yesterday, forgot] = [addDays(today, -1), addDays(today, -2)];
  await store.deps.db.insertInto("book_days").values({ shop_id: shopId, day: forgot, note: "" }).execute();
  const dayAfter = page.getByRole("button", { name: "The day after" });
  await dayAfter.click();
  await page.getByText("This day has not begun.").waitFor();
  expect(await dayAfter.isDisabled()).toBe(true);
  const dayBefore = page.getByRole("button", { name: "The day before" });
  for (const day of [today, yesterday]) {
    await dayBefore.click();
    await page.getByRole("article", { name: longDay(day) }).waitFor();
  }
  await page
    .getByRole("alert")
    .filter({ hasText: "Not closed yet" })
    .getByRole("button", { name: longDay(forgot) })
    .click();
  await page.getByRole("article", { name: longDay(forgot) }).waitFor();
  await form.getByRole("button", { name: `Close ${longDay(forgot)}` }).waitFor();
});

/** The texts of each line of the list of amounts in this part of the screen. */
function linesOf(part: Locator): Promise<(string | null)[][]> {
  return part
    .locator("dl > div")
    .evaluateAll((lines) => lines.map(({ children }) => [...children].map(({ textContent }) => textContent)));
}

test("counted cash is not lost without a question, by another day, shop or screen", async () => {
  const { visitor } = await signedInOwner(storefront.store, [SHOP_ID, "deccan-sheets"]);
  const page = await storefront.visit("/admin/closing", sessionOf(visitor));
  const chooseShop = async (name: RegExp) => {
    await page.getByRole("main").getByRole("combobox", { name: "Shop" }).click();
    await page.getByRole("option", { name }).click();
  };
  await chooseShop(/^Deccan Sheets/);
  const counted = page.getByRole("form", { name: "Close the day" }).getByLabel("Counted cash");
  await counted.fill("240");
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  const dayField = page.getByLabel("Day", { exact: true });
  const day = await dayField.inputValue();
  await dayField.fill(addDays(day, -1));
  await leaving.getByRole("button", { name: "Stay" }).click();
  expect(await dayField.inputValue()).toBe(day);
  await chooseShop(/^Red Soil/);
  await leaving.getByRole("button", { name: "Stay" }).click();
  expect(await counted.inputValue()).toBe("240");
  await page.getByRole("link", { name: "Counter" }).click();
  await leaving.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Counter", exact: true }).waitFor();
});

test("a day that ends while its cash is counted stays on the screen, with what was typed", async () => {
  const { id } = await shownShop((await signedInAdmin(storefront.store)).visitor);
  const clerk = await signedInCounter(storefront.store, [id]);
  const page = await storefront.visit("/admin/orders", sessionOf(clerk.visitor));
  await page.clock.install();
  await page.goto("/admin/closing");
  const form = page.getByRole("form", { name: "Close the day" });
  await form.getByLabel("Counted cash").waitFor();
  const dayField = page.getByLabel("Day", { exact: true });
  const day = await dayField.inputValue();
  const tomorrow = addDays(day, 1);
  expect(await dayField.getAttribute("max")).toBe(tomorrow);
  await form.getByLabel("Counted cash").fill("240");
  // The server's time goes on with the page's.
  await page.route(/\/api\/trpc\/(?!board\.live)/, async (route) => {
    const response = await route.fetch();
    const time = await page.evaluate(() => Date.now());
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(time).toUTCString() } });
  });
  await page.clock.fastForward("24:00:00");
  await expect.poll(() => dayField.getAttribute("max")).toBe(addDays(tomorrow, 1));
  await answersCome(page);
  expect(await dayField.inputValue()).toBe(day);
  expect(await form.getByLabel("Counted cash").inputValue()).toBe("240");
  await dayField.fill("");
  await dayField.blur();
  await expect.poll(() => dayField.inputValue()).toBe(day);
});

/** The download that this action starts, in this tab or a new one. */
async function saved(page: Page, act: () => Promise<void>): Promise<Uint8Array> {
  const download = new Promise<Download>((resolve) => {
    page.once("download", resolve);
    // Listened to at once: the download comes with the tab.
    page.once("popup", (popup) => popup.once("download", resolve));
  });
  const [file] = await Promise.all([download, act()]);
  return new Uint8Array(await readFile(await file.path()));
}

/** Counts the tones played from now on. */
async function countChimes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when) {
      const { dataset } = document.documentElement;
      dataset.tones = String(Number(dataset.tones ?? 0) + 1);
      start.call(this, when);
    };
  });
}

/** A chime has two tones. */
async function chimes(page: Page): Promise<number> {
  return (await page.evaluate(() => Number(document.documentElement.dataset.tones ?? 0))) / 2;
}

test("a closed shop is large on the board, and its clerk opens it with one press", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const shopId = SHOP_ID;
  const clerk = await signedInCounter(store, [shopId, "deccan-sheets"]);
  const { shopName } = expectDone(await admin.visitor.query("shops.admin.byId", { shopId }));
  const closing = { shopId, isOpen: false, closedNote: "back at 4 pm" };
  expectDone(await admin.visitor.mutate("shops.admin.setOpen", closing));
  const page = await visitBoard(storefront, clerk, { path: "/admin/orders?shop=deccan-sheets" });
  const notice = page.getByRole("region", { name: `${shopName} is closed` });
  await page.getByText("No open orders").waitFor();
  expect(await notice.count(), "a shop that is not chosen").toBe(0);
  await page.getByRole("combobox", { name: "Shop" }).click();
  await page.getByRole("option", { name: new RegExp(`^${shopName}`) }).click();
  await notice.getByText("and takes no orders. Students read: back at 4 pm").waitFor();
  await expectAccessiblePart(notice);
  await notice.getByRole("button", { name: `Open ${shopName}` }).dblclick();
  await notice.waitFor({ state: "detached" });
  expect(expectDone(await admin.visitor.query("shops.admin.byId", { shopId })).isOpen).toBe(true);
});

test("each of many closed shops is opened by its clerk; whoever has the screen of shops is led there", async () => {
  const admin = await signedInAdmin(storefront.store);
  const ids: string[] = [];
  while (ids.length < 4) ids.push((await shownShop(admin.visitor)).id);
  for (const shopId of ids) {
    expectDone(await admin.visitor.mutate("shops.admin.setOpen", { shopId, isOpen: false, closedNote: "" }));
  }
  const page = await visitBoard(storefront, await signedInCounter(storefront.store, ids));
  await expect.poll(() => page.getByRole("region", { name: / is closed$/ }).count()).toBe(4);
  const boss = await visitBoard(storefront, await signedInOwner(storefront.store, ids));
  await boss.getByRole("link", { name: "4 shops closed" }).click();
  await boss.getByRole("button", { name: new RegExp(`^Open .*${ids[3]}$`) }).waitFor();
  await page.getByRole("button", { name: new RegExp(`^Open .*${ids[3]}$`) }).click();
  await expect.poll(() => page.getByRole("region", { name: / is closed$/ }).count()).toBe(3);
});
