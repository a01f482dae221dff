import { expect, test } from "vitest";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

test("a guest is sent to the login, which is accessible, and then to the requested screen", async () => {
  const { person } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/mails", { refused: ["accounts.login"] });
  await page.getByRole("heading", { name: "Staff login" }).waitFor();
  await expectAccessibleScreen(page);
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("input[type=text][autocomplete=current-password]").waitFor();
  await page.getByRole("textbox", { name: "Password" }).press("Enter");
  await page.getByRole("alert").getByText("Invalid email or password").waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.locator("h1:focus", { hasText: "Emails" }).waitFor();
  await expect.poll(() => page.title()).toBe("Emails · Print Store staff");
});

test("a student cannot use the console, and can log in with another account", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  const page = await storefront.visit("/admin", sessionOf(visitor));
  await page.getByText(`You are logged in as ${student.email}`).waitFor();
  const another = page.getByRole("button", { name: "Use another account" });
  await another.waitFor();
  await expectAccessibleScreen(page);
  await another.click();
  await page.getByLabel("Email").waitFor();
});

test("a login link with a redirect to another site is not followed", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/login?redirect=//evil.example/", sessionOf(visitor));
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  expect(new URL(page.url()).origin).toBe(storefront.store.url);
});

test("an owner has no links to the admin's screens, and cannot open them", async () => {
  const [shop] = await shopIds(storefront.store);
  const { visitor } = await signedInOwner(storefront.store, [shop]);
  const page = await storefront.visit("/admin/mails", sessionOf(visitor));
  const nav = page.getByRole("navigation", { name: "Console" });
  await nav.getByRole("link", { name: "Audit log" }).waitFor();
  expect(await nav.getByRole("link", { name: "Emails" }).count()).toBe(0);
  await expect.poll(() => new URL(page.url()).pathname).not.toBe("/admin/mails");
});

test("logging out leads to the login, and the browser's Back shows nothing", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/people", sessionOf(visitor));
  // Only what follows a screen takes the focus, and the links stand there before the first one.
  await page.getByRole("heading", { name: "People" }).waitFor();
  await answersCome(page);
  const mails = page.waitForResponse(/mail\.list/);
  await page.getByRole("link", { name: "Emails" }).click();
  await page.locator("h1:focus", { hasText: "Emails" }).waitFor();
  await mails;
  await page.getByRole("button", { name: "My account" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("heading", { name: "Staff login" }).waitFor();
  await page.goBack();
  await answersCome(page);
  await page.getByRole("heading", { name: "Staff login" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/login");
  expect(await page.getByRole("heading", { name: /^(Emails|People)$/ }).count()).toBe(0);
});

test("another shop is chosen without the open order and the note of the last move, which are of the one before", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const { id, number } = await placeOrder(storefront.store, "red-soil-prints");
  const path = `/admin/orders?shop=red-soil-prints&order=${id}`;
  const page = await storefront.visit(path, sessionOf(visitor));
  await page.getByRole("button", { name: `Start printing: order ${number}` }).click();
  const note = page.getByText("moved to Printing");
  await note.waitFor();
  await page.getByRole("combobox", { name: "Shop" }).click();
  await page.getByRole("option", { name: /^Deccan Sheets/ }).click();
  await page.getByText("No open orders").waitFor();
  expect([await note.count(), await page.getByRole("complementary").count()]).toEqual([0, 0]);
});

test("an open order stays open when all shops are chosen, as it is among theirs", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const { id, number } = await placeOrder(storefront.store, "red-soil-prints");
  const path = `/admin/orders?shop=red-soil-prints&order=${id}`;
  const page = await storefront.visit(path, sessionOf(visitor));
  const opened = page.getByRole("complementary").getByRole("heading", { name: number });
  await opened.waitFor();
  await page.getByRole("combobox", { name: "Shop" }).click();
  await page.getByRole("option", { name: "All shops" }).click();
  await page.waitForURL((url) => !url.searchParams.has("shop"));
  await answersCome(page);
  expect(await opened.count()).toBe(1);
});

test("the selected shop stays selected on every screen, and each shows only what is of that shop", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const { id, number } = await placeOrder(storefront.store, "red-soil-prints");
  await moveTo(visitor, id, "printing");
  const page = await storefront.visit("/admin/orders", sessionOf(visitor));
  const chooser = page.getByRole("combobox", { name: "Shop" });
  const choose = async (name: RegExp) => {
    await chooser.click();
    await page.getByRole("option", { name }).click();
  };
  const order = page.getByText(number).first();
  await order.waitFor();
  // What is of one shop waits until one is chosen.
  expect(await page.getByRole("button", { name: "New order", exact: true }).isDisabled()).toBe(true);
  const ownChooser = page.getByRole("main").getByRole("combobox", { name: "Shop" });
  await page.getByRole("link", { name: "Close the day" }).click();
  await page.getByText("Each shop closes its own day.").waitFor();
  await ownChooser.click();
  await page.getByRole("option", { name: /^Deccan Sheets/ }).click();
  await page.getByRole("article", { name: /^Deccan Sheets, / }).waitFor();
  await page.getByRole("link", { name: "Counter" }).click();
  await page.getByRole("heading", { name: "Counter", level: 1 }).waitFor();
  await ownChooser.click();
  await page.getByRole("option", { name: /^Red Soil/ }).click();
  await page.getByRole("article", { name: /^Code of Red Soil Prints/ }).waitFor();
  await page.getByRole("link", { name: "Orders" }).click();
  await order.waitFor();
  await page.getByLabel(`Select order ${number}`).check();
  await page.getByRole("region", { name: "Selected orders" }).waitFor();

  await choose(/^Deccan Sheets/);
  await page.getByText("No open orders").waitFor();
  expect(await page.getByRole("region", { name: "Selected orders" }).count()).toBe(0);
  await page.getByRole("link", { name: "Payments" }).click();
  await page.getByText("No orders here").waitFor();
  await page.getByText("0 orders", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Stats" }).click();
  await page.getByText("No orders in this period").waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("Nothing found").waitFor();

  await choose(/^Red Soil/);
  await order.waitFor();
  await page.getByRole("link", { name: "Stats" }).click();
  await page.getByRole("list", { name: "Revenue by day" }).waitFor();
  await page.getByRole("link", { name: "Payments" }).click();
  await order.waitFor();
  await page.getByRole("link", { name: "Emails" }).click();
  await page.getByRole("heading", { name: "Emails", level: 1 }).waitFor();
  await expect.poll(() => chooser.inputValue()).toMatch(/^Red Soil/);
});
