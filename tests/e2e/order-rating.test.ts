import { expect, test } from "vitest";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { visitBoard } from "./admin-orders-steps.ts";
import { visitAs } from "./print-steps.ts";

const storefront = openStorefront();

test("a delivered order can be rated by keyboard and rated anew, and staff see it, and the average once it counts", async () => {
  const admin = await signedInAdmin(storefront.store);
  const shop = await shownShop(admin.visitor);
  const order = await placeOrder(storefront.store, shop.id);
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await page.getByText("Live: updates automatically").waitFor();
  const card = page.getByRole("region", { name: "Your rating" });
  expect(await card.count()).toBe(0);

  await moveTo(admin.visitor, order.id, "delivered");
  await card.getByRole("button", { name: "Save rating", exact: true }).waitFor();
  await page
    .getByText("has not marked this order as paid. If you have paid, there is nothing to do.")
    .waitFor();
  await page.getByRole("radio", { name: "No stars" }).focus();
  for (let star = 0; star < 4; star++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await card.getByRole("status").getByText("Thank you for your rating.").waitFor();
  await page.reload();
  await expect.poll(() => page.getByRole("radio", { name: "4 of 5 stars" }).isChecked()).toBe(true);

  const stars = card.getByRole("radiogroup", { name: "Stars" });
  const { width = 0, height = 0 } = (await stars.boundingBox()) ?? {};
  await stars.click({ position: { x: 0.3 * width, y: height / 2 } });
  await card.getByRole("button", { name: "Update rating" }).click();
  await card.getByText("2 of 5 stars", { exact: true }).last().waitFor();
  await expectAccessiblePart(card);

  const console = await visitBoard(storefront, admin, { path: `/admin/orders?order=${order.id}` });
  await console.getByRole("region", { name: "Rating" }).getByText("2 of 5 stars").waitFor();
  await console.goto(`/admin/shops/${shop.id}`);
  await console.getByText("0 to 5, until there are five ratings").waitFor();
  const rated = { rating_count: 5, star_sum: 12 };
  await storefront.store.deps.db.updateTable("shops").set(rated).where("id", "=", shop.id).execute();
  await console.reload();
  await console.getByText("Average of 5 ratings by students: 2.4").waitFor();
  const preview = console.getByRole("complementary", { name: "The card that students see" });
  await preview.getByText("Rated 2.4 out of 5").waitFor();
});

test("a delivered order is shown where the script of its stars does not come", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const shop = await shownShop(visitor);
  const order = await placeOrder(storefront.store, shop.id);
  await moveTo(visitor, order.id, "delivered");
  const script = "/assets/rating-form";
  const page = await visitAs(storefront, order.visitor, { refused: [script] }, "/orders");
  await page.route(`**${script}*`, (route) => route.abort("connectionreset"));
  await page.goto(`/orders/${order.id}`);
  const card = page.getByRole("region", { name: "Your rating" });
  await card
    .getByRole("alert")
    .getByText("This part of the page could not be loaded.", { exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Report a printing error" }).waitFor();
  await expectAccessiblePart(card);
  await page.unroute(`**${script}*`);
  await card.getByRole("button", { name: "Reload the page" }).click();
  await card.getByRole("button", { name: "Save rating", exact: true }).waitFor();
});
