import { expect, test } from "vitest";
import { moveTo, placeAnother, placeOrder } from "../factories/queue.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { expectSoundScreen } from "../setup/sound-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { SHOP_ID, visitAs, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

test("a student follows their orders: how far they are, why one was cancelled, and that the files are gone", async () => {
  const { visitor: staff } = await signedInAdmin(storefront.store);
  const printed = await placeOrder(storefront.store, SHOP_ID);
  const { visitor, student } = printed;
  const cancelled = await placeAnother(visitor, student, SHOP_ID);
  const placed = await placeAnother(visitor, student, SHOP_ID);
  await moveTo(staff, printed.id, "printed");
  await staff.mutate("queue.cancel", { orderId: cancelled.id, from: "placed", reason: "The toner is empty" });

  const page = await visitAs(storefront, visitor, {}, "/orders");
  const item = (number: string) => page.getByRole("listitem").filter({ hasText: number });
  await item(placed.number).getByText("The shop has it").waitFor();
  await item(placed.number).getByText("Your file is deleted once printed.").waitFor();
  await item(printed.number)
    .getByText(/^Your documents were deleted on \d/)
    .waitFor();
  await item(cancelled.number).getByText("The toner is empty").waitFor();
  expect(await item(cancelled.number).getByText("Cancelled by the shop").isVisible()).toBe(true);
  await expectSoundScreen(page);
});

test("who has not ordered yet is led to the shops", async () => {
  const { page } = await visitAsStudent(storefront, {}, "/orders");
  await page.getByText("You have not ordered yet").waitFor();
  await expectSoundScreen(page);
  await page.getByRole("link", { name: "Print something" }).click();
  await page.getByRole("heading", { name: "Print shops near your college" }).waitFor();
});

test("orders that cannot be fetched are said to be so, and asked for again", async () => {
  const { page } = await visitAsStudent(storefront, { refused: ["orders.mine"] }, "/profile");
  await page.route("**/api/trpc/orders.mine*", (route) => route.abort());
  await page.goto("/orders");
  await page.getByText("Your orders cannot be shown").waitFor();
  await page.unroute("**/api/trpc/orders.mine*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("You have not ordered yet").waitFor();
});
