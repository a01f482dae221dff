import { describe, expect, test } from "vitest";
import { VALIDATION } from "#shared/messages.ts";
import { signedInStudent } from "../factories/students.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { button, fieldErrorOf, focusedLabel } from "./accounts-steps.ts";
import { visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront({ ADMIN_EMAIL: "boss@shop.example", ADMIN_PASSWORD: "a long password" });

describe.each(["/contact-us", "/test"])("the contact form on %s", (path) => {
  test("sends a message, even without a subject, and thanks for it", async () => {
    const page = await storefront.visit(path);
    await page.getByLabel("Full name").fill("Ravi");
    await page.getByLabel("Email").fill("ravi@college.example");
    await page.getByLabel("Message").fill(`Sent from ${path}`);
    let calls = 0;
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/trpc/contact.send*", async (route) => {
      calls += 1;
      await answer.promise;
      await route.continue();
    });
    await page.getByLabel("Email").press("Enter");
    await page.getByText("Please wait").waitFor();
    await page.getByLabel("Email").press("Enter");
    answer.resolve();
    await closePopup(page, "Thank you for contacting us", "Your query has been received successfully");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("");
    const kept = await storefront.store.deps.readDb
      .selectFrom("contact_messages")
      .select(["full_name", "email", "subject", "message"])
      .execute();
    expect(kept).toContainEqual({
      full_name: "Ravi",
      email: "ravi@college.example",
      subject: "",
      message: `Sent from ${path}`,
    });
    expect(calls, "sent once, however often Enter is pressed").toBe(1);
  });
});

describe("the contact page", () => {
  test("shows what is missing without calling the server", async () => {
    const page = await storefront.visit("/contact-us");
    await page.getByLabel("Email").fill("nobody");
    await button(page, "Send message").click();
    await expect.poll(() => fieldErrorOf(page, "Email")).toContain(VALIDATION.email);
    await expect.poll(() => fieldErrorOf(page, "Full name")).toContain("required");
    await expect.poll(() => fieldErrorOf(page, "Message")).toContain("required");
    await expect.poll(() => focusedLabel(page)).toBe("Full name");
  });

  test("has the name and e-mail of a logged-in student filled in", async () => {
    const { visitor, student } = await signedInStudent(storefront.store);
    const { body } = await visitor.get("/contact-us");
    expect(body).toContain(`value="${student.fullName}"`);
    expect(body).toContain(`value="${student.email}"`);
    const { body: guests } = await storefront.store.visitor().get("/contact-us");
    expect(guests).not.toContain(student.email);
  });

  test("has what was typed there again after a reload, and nothing of a student who logs out", async () => {
    const { page, student } = await visitAsStudent(storefront, {}, "/contact-us");
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(student.email);
    await page.getByLabel("Subject").fill("Files");
    await page.getByLabel("Message").fill("My files are private");
    await page.reload();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("My files are private");
    expect(await page.getByLabel("Subject").inputValue()).toBe("Files");
    await page.getByRole("button", { name: "My Account" }).click();
    await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
    await closePopup(page, "Logout Successfully");
    for (const label of ["Full name", "Email", "Subject", "Message"])
      await expect.poll(() => page.getByLabel(label).inputValue()).toBe("");
  });

  test("shows a location in Punjab and a masked phone", async () => {
    const { body } = await storefront.store.visitor().get("/contact-us");
    const [main = ""] = /<main\b.*<\/main>/s.exec(body) ?? [];
    expect(main).toContain("Punjab");
    expect(main).toMatch(/\+91 \d+X[X ]+\d+/);
  });

  test("shows 'Error' and 'Something went wrong' if the message cannot be sent, and keeps it", async () => {
    const { page, student } = await visitAsStudent(storefront, { refused: ["contact.send"] }, "/contact-us");
    await page.route("**/api/trpc/contact.send*", (route) => route.abort());
    await page.getByLabel("Subject").fill("Timing");
    await page.getByLabel("Message").fill("Hello");
    await button(page, "Send message").click();
    await closePopup(page, "Error", "Something went wrong");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("Hello");
    await page.unroute("**/api/trpc/contact.send*");
    await button(page, "Send message").click();
    await closePopup(page, "Thank you for contacting us");
    const { fullName, email } = student;
    const kept = storefront.store.deps.readDb
      .selectFrom("contact_messages")
      .select(["full_name", "email", "subject", "message"]);
    expect(await kept.execute()).toContainEqual({
      full_name: fullName,
      email,
      subject: "Timing",
      message: "Hello",
    });
    // For the next message.
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("");
    expect(await page.getByLabel("Full name").inputValue()).toBe(fullName);
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /contact/.test(key))),
    ).toEqual([]);
  });
});
