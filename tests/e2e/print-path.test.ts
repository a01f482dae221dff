import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { SUCCESS } from "#shared/messages.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { newStudent, register, type Student } from "../factories/students.ts";
import { type ReceivedMail, SmtpInbox } from "../setup/smtp-inbox.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { ADDRESS, ordersOf, pdfFile, pick, row, saveAddress, storedItem, total } from "./print-steps.ts";

const inbox = await SmtpInbox.start();
afterAll(() => inbox.close());
const storefront = openStorefront({ SMTP_URL: inbox.url, MAIL_FROM: "Print Store <store@print.example>" });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

async function mailTo(address: string, subject: RegExp): Promise<ReceivedMail> {
  const find = () => inbox.to(address).find((mail) => subject.test(mail.subject ?? ""));
  await expect.poll(find).toBeTruthy();
  return find() as ReceivedMail;
}

/** Signs a student up and verifies the account with the mailed code. */
async function verifiedStudent(): Promise<Student> {
  const visitor = storefront.store.visitor();
  const student = newStudent();
  await register(visitor, student);
  const verifyCode = /\b\d{6}\b/.exec((await mailTo(student.email, /./)).text ?? "")?.[0];
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  return student;
}

async function login(page: Page, { email, password }: Student) {
  await page.waitForURL("**/login?*");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login", exact: true }).click();
}

test("a student on a phone finds a shop, uploads, selects options, orders and gets the mail", async () => {
  const student = await verifiedStudent();
  const page = await storefront.visit("/shops", PHONE);
  await page.getByRole("main").getByText("Red Soil Prints").click();
  await login(page, student);
  await closePopup(page, SUCCESS.loggedIn.title);
  await page.waitForURL("**/printnow?id=red-soil-prints");

  await pick(page, "Choose PDF files", [
    pdfFile("Lab record.pdf", await pdfOfPages(12)),
    pdfFile("Made by the browser.pdf", await page.pdf({ format: "A4" })),
  ]);
  await closePopup(page, SUCCESS.fileUploaded.title);
  await pick(page, "Add photos", [
    { name: "Notes.jpg", mimeType: "image/jpeg", buffer: await sidewaysPhoto() },
  ]);
  await closePopup(page, SUCCESS.fileUploaded.title);
  await page.getByLabel("Printing side").selectOption({ label: "Both sides · ₹0.20 a page" });
  await expect.poll(() => row(page, "Lab record.pdf").innerText()).toContain("12 pages");
  await expect.poll(() => row(page, "Notes.pdf").innerText()).toContain("1 page");

  await page.getByLabel("Number of copies").fill("2");
  await page.getByLabel("Binding").selectOption({ label: "Spiral Binding · ₹35.00 a copy" });
  await page.getByLabel("Message to the shop").fill("Spiral on the left, please");
  await page.getByRole("button", { name: "Continue" }).click();

  await page.waitForURL("**/printorder");
  await saveAddress(page);
  expect(await closePopup(page, SUCCESS.addressUpdated.title)).toContain(SUCCESS.addressUpdated.text);
  const agreed = await total(page);
  await page.getByRole("button", { name: "Place Order" }).click();
  expect(await closePopup(page, SUCCESS.orderPlaced.title)).toContain(SUCCESS.orderPlaced.text);
  await expect.poll(() => new URL(page.url()).pathname).toBe("/");
  for (const key of ["orderData", "address"]) await expect.poll(() => storedItem(page, key)).toBeNull();

  const [order] = await ordersOf(storefront, student);
  const mail = await mailTo(student.email, new RegExp(order?.number ?? "no order"));
  expect(mail.subject).toContain(agreed);
  expect(mail.text).toContain("Lab record.pdf");
  expect(mail.text).toContain("Made by the browser.pdf");
  expect(mail.text).toContain("Notes.pdf");
  expect(mail.text).toContain("Spiral on the left, please");
  expect(mail.text).toContain(ADDRESS["Flat number"]);
  const forShop = await mailTo("orders@red-soil-prints.example", new RegExp(order?.number ?? "no order"));
  expect(forShop.replyTo?.[0]?.address).toBe(student.email);
});
