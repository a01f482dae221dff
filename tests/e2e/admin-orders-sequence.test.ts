import { randomUUID } from "node:crypto";
import type { Page, Response } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { delayRequests, openStorefront } from "../setup/storefront.ts";
import { column, orderButton, press, visitBoard } from "./admin-orders-steps.ts";
import { SHOP_ID } from "./print-steps.ts";

const storefront = openStorefront();
let owner: StaffPerson;
let admin: StaffPerson;
beforeAll(async () => {
  owner = await signedInOwner(storefront.store, [SHOP_ID]);
  admin = await signedInAdmin(storefront.store);
});

test("quick successive moves of one order are sent one after the other", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const moves = await holdFirstMove(page);
  await orderButton(page, order.number).focus();
  await press(page, "m");
  await moves.firstIsHeld;
  await press(page, "m");
  await column(page, "Printed").getByText(order.number).waitFor();
  await press(page, "m");
  await column(page, "Dispatched").getByText(order.number).waitFor();
  expect(await callsSent(page, moves.asked)).toHaveLength(1);

  moves.letGo();
  await expect.poll(() => stateOf(order)).toBe("dispatched");
  expect(await statesOf(order)).toEqual(["placed", "printing", "printed", "dispatched"]);
  await expect.poll(() => moves.answered.map((answer) => answer.status())).toEqual([200, 200, 200]);
  await page.getByRole("complementary").getByRole("button", { name: "Mark delivered" }).waitFor();
  await expect.poll(() => column(page, "Dispatched").getByText(order.number).count()).toBe(1);
  expect(await page.getByRole("alert").filter({ hasText: "That did not work" }).count()).toBe(0);
});

test("after a refused move the waiting one is not sent, and the refusal is shown once", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitBoard(storefront, owner, { refused: ["board.move"] });
  const moves = await holdFirstMove(page);
  const next = page.getByRole("button", {
    name: new RegExp(`^(Start printing|Mark printed|Dispatch): order ${order.number}$`),
  });
  await next.click();
  await moves.firstIsHeld;
  await column(page, "Printing").getByText(order.number).waitFor();
  await next.click();
  await column(page, "Printed").getByText(order.number).waitFor();
  await moveTo(admin.visitor, order.id, "printing");

  moves.letGo();
  await page
    .getByText(`${admin.person.fullName} has already marked order ${order.number} as printing`)
    .waitFor();
  await column(page, "Printing").getByRole("button", { name: order.number, exact: true }).waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(1);
  expect(moves.asked).toHaveLength(1);
  expect(await stateOf(order)).toBe("printing");

  await next.click();
  await expect.poll(() => stateOf(order)).toBe("printed");
});

test("a cancellation waits for an earlier move", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitBoard(storefront, owner, { path: `/admin/orders?order=${order.id}` });
  const moves = await holdFirstMove(page);
  await page.getByRole("complementary").getByRole("button", { name: "Start printing" }).click();
  await moves.firstIsHeld;
  await page.getByRole("button", { name: "Cancel order" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Page 3 is missing");
  const calls = listenTo(page, "board.cancel");
  await dialog.getByRole("button", { name: "Cancel the order" }).click();
  expect(await callsSent(page, calls)).toEqual([]);

  moves.letGo();
  await page.getByText(`Order ${order.number} is cancelled`).waitFor();
  expect(await statesOf(order)).toEqual(["placed", "printing", "cancelled"]);
});

test("a hand-over waits for an earlier move, and what becomes of it is told also where its form was closed meanwhile", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  const shop = await shownShop(admin.visitor, undefined, { offersPickup: true });
  const order = await placeAnother(visitor, student, shop.id, "pickup");
  const next = await placeAnother(visitor, student, shop.id, "pickup");
  for (const { id } of [order, next]) await moveTo(admin.visitor, id, "printing");
  const page = await visitBoard(storefront, admin, {
    path: `/admin/orders?order=${order.id}`,
    refused: ["board.handOver"],
  });
  const moves = await holdFirstMove(page);
  await orderButton(page, order.number).focus();
  await press(page, "m");
  await moves.firstIsHeld;
  await column(page, "Printed").getByText(order.number).waitFor();
  await press(page, "m");
  const dialog = page.getByRole("dialog");
  // A scanner types all that a label says.
  await dialog.getByLabel("Pickup code").fill(`${order.number} code ${(await rowOf(order)).pickup_code}.`);
  const calls = listenTo(page, "board.handOver");
  await dialog.getByRole("button", { name: /^Hand over, ₹[\d.]+ paid$/ }).click();
  expect(await callsSent(page, calls)).toEqual([]);
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });
  await orderButton(page, next.number).focus();
  await press(page, "d");
  const other = page.getByRole("dialog", { name: `Hand over order ${next.number}` });
  await other.getByLabel("Pickup code").fill("00");

  moves.letGo();
  await page.getByText(`${order.number} is handed over`).waitFor();
  expect(await other.getByLabel("Pickup code").inputValue()).toBe("00");
  const { pickup_code, total_paise } = await rowOf(next);
  await other.getByLabel("Pickup code").fill(pickup_code === "0000" ? "1111" : "0000");
  // After the last try the form asks for the reason by itself.
  const tries = (left: number) =>
    storefront.store.deps.db
      .updateTable("orders")
      .set({ pickup_tries_left: left })
      .where("id", "=", next.id)
      .execute();
  await tries(1);
  await other.getByRole("button", { name: /^Hand over, ₹[\d.]+ paid$/ }).click();
  await other.getByLabel("Reason for no code").waitFor();
  await tries(5);
  await other.getByRole("button", { name: "With the code" }).click();
  await other.getByLabel("Pickup code").fill(pickup_code === "0000" ? "1111" : "0000");
  const release = await delayRequests(page, "**/api/trpc/board.handOver*");
  // Another clerk takes the money.
  const paid = { orderId: next.id, method: "cash", amountPaise: total_paise, key: randomUUID() };
  expect((await admin.visitor.mutate("payments.take", paid)).status).toBe(200);
  await other.getByRole("button", { name: "Hand over", exact: true }).click();
  await press(page, "Escape");
  await other.waitFor({ state: "detached" });
  release();
  await page.getByRole("alert").filter({ hasText: "code" }).waitFor();
  expect(await statesOf(order)).toEqual(["placed", "printing", "printed", "delivered"]);
});

/** Holds the page's first move request back until the returned function is called. */
async function holdFirstMove(page: Page) {
  const asked: string[] = [];
  const answered: Response[] = [];
  const first = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await page.route("**/api/trpc/board.move?*", async (route) => {
    asked.push(route.request().postData() ?? "");
    if (asked.length === 1) {
      first.resolve();
      await release.promise;
    }
    await route.continue();
  });
  page.on("response", (response) => {
    if (response.url().includes("/board.move?")) answered.push(response);
  });
  return { asked, answered, firstIsHeld: first.promise, letGo: () => release.resolve() };
}

/** The calls of this procedure from now on. */
function listenTo(page: Page, procedure: string): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(procedure)) calls.push(request.url());
  });
  return calls;
}

/** What `calls` holds once every request is known that the page has sent after it drew the effect of the last action. */
async function callsSent(page: Page, calls: string[]): Promise<string[]> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    await fetch("/robots.txt");
  });
  return calls;
}

async function stateOf(order: PlacedOrder): Promise<string> {
  return (await rowOf(order)).state;
}

function rowOf({ id }: PlacedOrder) {
  const { readDb } = storefront.store.deps;
  return readDb
    .selectFrom("orders")
    .select(["state", "pickup_code", "total_paise"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** The order's states according to its history. */
async function statesOf({ id }: PlacedOrder): Promise<string[]> {
  const { readDb } = storefront.store.deps;
  const events = await readDb
    .selectFrom("order_events")
    .select("state")
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();
  return events.map(({ state }) => state);
}
