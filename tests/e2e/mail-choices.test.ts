import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { SHOP_ID, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

test("a mail can be switched off by keyboard and is no longer sent, and a failed change is reverted", async () => {
  const options = { refused: ["accounts.chooseMail"] };
  const { page, visitor, student } = await visitAsStudent(storefront, options, "/settings");
  const placed = page.getByRole("switch", { name: "My order is placed, with all its details" });
  await expect.poll(() => placed.isEnabled()).toBe(true);

  await page.route("**/api/trpc/accounts.chooseMail*", (route) => route.abort());
  await placed.focus();
  await page.keyboard.press("Space");
  await closePopup(page, "Error");
  await expect.poll(() => placed.isChecked()).toBe(true);
  await page.unroute("**/api/trpc/accounts.chooseMail*");

  const dispatched = page.getByRole("switch", { name: "My order is on its way, or ready to be picked up" });
  const switchOff = async (choice: Locator) => {
    const answered = page.waitForResponse(/accounts\.chooseMail/);
    await choice.press("Space");
    expect((await answered).status()).toBe(200);
    return expectDone(await visitor.query("accounts.mailChoices"));
  };
  expect(await switchOff(placed)).toEqual({ placed: false, dispatched: true, delivered: true });
  expect(await switchOff(dispatched)).toEqual({ placed: false, dispatched: false, delivered: true });
  await page.reload();
  await expect.poll(() => placed.isChecked()).toBe(false);
  await expectAccessibleScreen(page);
  // The system's own colours leave no background that would show it.
  await page.emulateMedia({ forcedColors: "active" });
  const lookOfTrack = (field: Element) => getComputedStyle(field.nextElementSibling ?? field).borderTopStyle;
  expect(await placed.evaluate(lookOfTrack)).toBe("solid");
  await page.emulateMedia({ forcedColors: null });
  const { number } = await placeAnother(visitor, student, SHOP_ID);
  const mails = await mailsTo(storefront.store, student.email);
  expect(mails.filter(({ subject }) => subject.includes(number))).toEqual([]);
});
