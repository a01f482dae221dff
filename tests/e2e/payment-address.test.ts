import { expect, test } from "vitest";
import { mailsTo, undoLinkTo } from "../factories/mails.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { expectNoSidewaysScroll } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

test("an owner opens the mailed link and presses the button, and students pay to the previous address", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const shop = await shownShop(admin.visitor, undefined, { upiId: "asha.rao@okbank" });
  const [thief, partner] = [await signedInOwner(store, [shop.id]), await signedInOwner(store, [shop.id])];
  const { id: shopId, ...details } = shop;
  const { version } = expectDone(await thief.visitor.query("shops.admin.byId", { shopId }));
  expectDone(
    await thief.visitor.mutate("shops.admin.update", { ...details, upiId: "thief@okbank", shopId, version }),
  );
  const address = async () => expectDone(await admin.visitor.query("shops.admin.byId", { shopId })).upiId;
  const link = await undoLinkTo(store, partner.person.email);

  const page = await storefront.visit(link, { refused: ["/payment-address"] });
  await page.getByRole("heading", { name: `Undo the new UPI ID of ${shop.shopName}?` }).waitFor();
  for (const [label, value] of [
    ["Before", "a•••o@okbank"],
    ["Now", "thief@okbank"],
    ["Changed by", thief.person.fullName],
  ]) {
    await expect.poll(() => page.locator(`dt:text-is("${label}") + dd`).textContent()).toBe(value);
  }
  for (const width of [390, 1280]) await expectNoSidewaysScroll(page, width);
  expect(await address()).toBe("thief@okbank");

  await page.getByRole("button", { name: "Undo the change" }).click();
  await page.getByRole("heading", { name: "The change is undone" }).waitFor();
  expect(await address()).toBe("asha.rao@okbank");
  const told = (await mailsTo(store, thief.person.email)).filter(({ subject }) =>
    subject.endsWith("restored"),
  );
  expect(told).toHaveLength(1);

  await page.goto(link);
  await page.getByRole("heading", { name: "Nothing to undo" }).waitFor();
});

test("a double click on the button undoes the change, and says so", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const shop = await shownShop(admin.visitor, undefined, { upiId: "asha.rao@okbank" });
  const { id: shopId, ...details } = shop;
  const { version } = expectDone(await admin.visitor.query("shops.admin.byId", { shopId }));
  await admin.visitor.mutate("shops.admin.update", { ...details, upiId: "thief@okbank", shopId, version });
  const page = await storefront.visit(await undoLinkTo(store, admin.person.email), {
    refused: ["/payment-address"],
  });
  await page.getByRole("button", { name: "Undo the change" }).dblclick();
  await page.getByRole("heading", { name: "The change is undone" }).waitFor();
  await page.waitForLoadState();
  await expect.poll(() => page.getByRole("heading").textContent()).toBe("The change is undone");
});
