import { beforeAll, test } from "vitest";
import { moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { openStorefront } from "../setup/storefront.ts";
import { backCloses, orderButton, visitBoard } from "./admin-orders-steps.ts";
import { SHOP_ID } from "./print-steps.ts";

const storefront = openStorefront();
const PHONE = { viewport: { width: 390, height: 844 } };
let admin: StaffPerson;
let order: PlacedOrder;

beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
  order = await placeOrder(storefront.store, SHOP_ID);
  await moveTo(admin.visitor, order.id, "dispatched");
});

test("Back closes a dialog, a question, what has run out, a menu and the navigation on a phone, and leaves the screen below as it is", async () => {
  const page = await visitBoard(storefront, admin, { ...PHONE, path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  const dialog = page.getByRole("dialog");
  const opensAndCloses = async (open: () => Promise<void>) => {
    await open();
    await dialog.waitFor();
    await backCloses(page, true);
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    await backCloses(page, false);
  };
  await opensAndCloses(() => panel.getByRole("button", { name: "Cancel order" }).click());
  await panel.waitFor();
  await opensAndCloses(() => panel.getByRole("button", { name: "Mark delivered" }).click());
  await panel.getByRole("button", { name: "Close the order" }).click();
  await orderButton(page, order.number).waitFor({ state: "attached" });
  await opensAndCloses(() => page.getByRole("button", { name: /^Something has run out/ }).click());

  await opensAndCloses(() => page.getByRole("button", { name: "My account" }).click());
  await opensAndCloses(() => page.keyboard.press("Shift+?"));

  const link = page.getByRole("link", { name: "People" });
  const openNavigation = () => page.getByRole("button", { name: "Open the navigation" }).click();
  await openNavigation();
  await backCloses(page, true);
  await page.goBack();
  await link.waitFor({ state: "hidden" });
  await openNavigation();
  await link.click();
  await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  await opensAndCloses(() =>
    page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click(),
  );
  await opensAndCloses(() => page.getByRole("button", { name: "Invite" }).click());
  await page.goBack();
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
});
