import { expect, test } from "vitest";
import { newStudent } from "../factories/students.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { button, pressEnter } from "./accounts-steps.ts";

const storefront = openStorefront({ RATE_LIMIT_SCALE: "1" });

/** An e-mail for which this call has reached its limit. */
async function exhausted(procedure: string): Promise<string> {
  const { email } = newStudent();
  for (let call = 0; call < 5; call++) await storefront.store.visitor().mutate(procedure, { email });
  return email;
}

test("a refused OTP request shows a popup titled Error with the server's message", async () => {
  const email = await exhausted("accounts.requestLoginOtp");
  const page = await storefront.visit("/login", { refused: ["accounts.requestLoginOtp"] });
  await page.getByLabel("Email").fill(email);
  await button(page, "Login With OTP").click();
  await page.getByRole("dialog").getByRole("button", { name: "Send OTP" }).click();
  await closePopup(page, "Error", /^Too many attempts\. Please try again in \d+ minutes$/);
});

test("a refused recovery link shows the server's message in a red alert in the dialog", async () => {
  const email = await exhausted("accounts.requestPasswordLink");
  const page = await storefront.visit("/forgotpassword", { refused: ["accounts.requestPasswordLink"] });
  const dialog = page.getByRole("dialog", { name: "Forgot password" });
  await dialog.getByLabel("Email").fill(email);
  await pressEnter(page);
  const alert = dialog.getByRole("alert");
  await alert.waitFor();
  await expect.poll(() => alert.innerText()).toMatch(/^Too many attempts\. Please try again in \d+ minutes$/);
  expect(await alert.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(168, 35, 26)");
  await expect.poll(() => dialog.getByLabel("Email").inputValue()).toBe(email);
});
