import { expect, test } from "vitest";
import { SUCCESS } from "#shared/messages.ts";
import { MAX_ADDRESSES } from "#shared/schemas/addresses.ts";
import { ADDRESS as ADDRESS_OF_ORDER } from "../factories/orders.ts";
import { expectDone } from "../factories/shops.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  ADDRESS,
  openPreparedOrder,
  saveAddress,
  storedItem,
  visitAsStudent,
  visitPreparedOrder,
} from "./print-steps.ts";

const storefront = openStorefront();

async function savedBy(visitor: ApiClient) {
  return (await visitor.query("addresses.list")).body.result.data;
}

test("an address is saved for next time, and the next order can be placed at once", async () => {
  const { page, visitor } = await visitPreparedOrder(storefront, {}, { address: false });
  expect(await page.getByLabel("Saved addresses").count()).toBe(0);
  await expect.poll(() => page.getByLabel("Save this address for next time").isChecked()).toBe(true);
  await saveAddress(page);
  await closePopup(page, SUCCESS.addressUpdated.title);
  await expect.poll(() => savedBy(visitor)).toMatchObject([{ isDefault: true, ...ADDRESS_OF_ORDER }]);

  await page.evaluate(() => localStorage.removeItem("address"));
  await page.reload();
  const delivery = page.getByRole("region", { name: "Delivery details" });
  for (const value of Object.values(ADDRESS)) await delivery.getByText(value, { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Place Order" }).isEnabled()).toBe(true);
  await page.getByRole("button", { name: "Change address" }).click();
  for (const [label, value] of Object.entries(ADDRESS)) {
    await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
  }
  expect(await page.getByLabel("Save this address for next time").count()).toBe(0);
  expect(await storedItem(page, "address")).toBeNull();
  await page.getByRole("button", { name: "Save address" }).click();
  await closePopup(page, SUCCESS.addressUpdated.title);
  expect(await storedItem(page, "address")).toEqual(ADDRESS_OF_ORDER);
  await expect.poll(() => page.getByRole("button", { name: "Place Order" }).isEnabled()).toBe(true);
});

test("an order uses a saved address or a new one, which is not saved if the student says so", async () => {
  const visit = await visitAsStudent(storefront, {}, "/robots.txt");
  const { page, visitor } = visit;
  const home = { ...ADDRESS_OF_ORDER, flatno: "House 7", fullname: "R. Verma" };
  for (const address of [ADDRESS_OF_ORDER, home]) await visitor.mutate("addresses.add", { address });
  await openPreparedOrder(visit, { address: false });
  await page.getByRole("button", { name: "Change address" }).click();
  const choice = page.getByLabel("Saved addresses");
  const flat = page.getByLabel("Flat number", { exact: true });
  await expect.poll(() => flat.inputValue()).toBe(ADDRESS["Flat number"]);
  await choice.focus();
  await choice.selectOption({ label: "R. Verma, House 7, G.T. Road 12, India, Jalandhar" });
  await expect.poll(() => flat.inputValue()).toBe("House 7");
  await choice.and(page.locator(":focus")).waitFor();
  await expectAccessiblePart(page.getByRole("region", { name: "Delivery details" }));
  await flat.fill("House 7 B");
  await page.getByRole("button", { name: "Save address" }).click();
  await closePopup(page, SUCCESS.addressUpdated.title);
  expect(await storedItem(page, "address")).toEqual({ ...home, flatno: "House 7 B" });

  await page.getByRole("button", { name: "Change address" }).click();
  await expect.poll(() => flat.inputValue()).toBe("House 7 B");
  await choice.selectOption({ index: 0 });
  await choice.selectOption("Another address");
  await expect.poll(() => flat.inputValue()).toBe("");
  await page.getByLabel("Save this address for next time").uncheck();
  await saveAddress(page, { ...ADDRESS, "Flat number": "House 9" });
  await closePopup(page, SUCCESS.addressUpdated.title);
  expect(await storedItem(page, "address")).toEqual({ ...ADDRESS_OF_ORDER, flatno: "House 9" });
  expect(await savedBy(visitor)).toHaveLength(2);

  // Nobody is asked to save an eleventh, which would be refused.
  const before = (await visitor.get("/profile")).body;
  expect(before).toContain("2 of 10");
  expect(before).toContain("Add an address");
  for (let more = 2; more < MAX_ADDRESSES; more++)
    expectDone(await visitor.mutate("addresses.add", { address: { ...home, flatno: `Room ${more}` } }));
  const full = (await visitor.get("/profile")).body;
  expect(full).toContain("10 of 10");
  expect(full).not.toContain("Add an address");
  await page.reload();
  await page.getByRole("button", { name: "Change address" }).click();
  await choice.selectOption("Another address");
  await expect.poll(() => flat.inputValue()).toBe("");
  expect(await page.getByLabel("Save this address for next time").count()).toBe(0);
});

test("without the list of saved addresses an address can be entered as usual", async () => {
  const visit = await visitAsStudent(storefront, {}, "/robots.txt");
  const { page } = visit;
  const failure = { message: "", code: -32603, data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 } };
  // In whatever batch it is sent.
  await page.route(/\/api\/trpc\/[^?]*addresses\.list/, async (route) => {
    const calls = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const json = await (await route.fetch()).json();
    json[calls.indexOf("addresses.list")] = { error: failure };
    await route.fulfill({ status: 207, json });
  });
  // Nor does the order wait where it cannot be saved for the next one, which is said.
  const refusal = { message: "You have 10 addresses", code: -32009, data: { appCode: "CONFLICT" } };
  await page.route("**/api/trpc/addresses.add*", (route) =>
    route.fulfill({ status: 207, json: [{ error: refusal }] }),
  );
  await openPreparedOrder(visit, { address: false });
  await saveAddress(page);
  const unsaved = "The address could not be saved for next time";
  expect(await closePopup(page, unsaved)).toContain(refusal.message);
  await closePopup(page, SUCCESS.addressUpdated.title);
  await expect.poll(() => page.getByRole("button", { name: "Place Order" }).isEnabled()).toBe(true);
});
