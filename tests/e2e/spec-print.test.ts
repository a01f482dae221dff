import { expect, test } from "vitest";
import { pdfOfPages, withPadding } from "../factories/pdfs.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  pdfFile,
  row,
  storedItem,
  UPLOADS,
  upload,
  visitAsStudent,
  visitPreparedOrder,
  visitWithFiles,
} from "./print-steps.ts";

const storefront = openStorefront();

test("the print form has every field of the print selection, and requires all except the message", async () => {
  const { page } = await visitAsStudent(storefront);
  await page.getByLabel("Message to the shop").waitFor();
  const fields = await page
    .locator("input[name], select[name], textarea[name]")
    .evaluateAll((elements) =>
      elements.map((element) => [
        element.getAttribute("name") ?? "",
        (element as HTMLInputElement).required ? "required" : "optional",
      ]),
    );
  expect(Object.fromEntries(fields)).toEqual({
    noOfPages: "required",
    noOfCopies: "required",
    // Goes beyond the contract; one page on a side from the start.
    pagesPerSide: "optional",
    printedColours: "required",
    printingSides: "required",
    paperTypes: "required",
    paperSizes: "required",
    coverOptions: "required",
    bindingOptions: "required",
    message: "optional",
  });
  expect(await page.locator("input[type=file]").count()).toBe(1);
});

test("the numbers of pages and of copies are at least 1", async () => {
  const { page } = await visitWithFiles(storefront, [pdfFile("A.pdf", await pdfOfPages(3))]);
  for (const label of ["Number of pages", "Number of copies"]) {
    const field = page.getByLabel(label);
    await field.fill("0");
    expect(Number(await field.inputValue())).toBeGreaterThanOrEqual(1);
    await field.fill("");
    await field.pressSequentially("0");
    await page.getByText(`${label} is required`).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(":focus").and(field).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/printnow");
    await field.fill("1");
  }
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/printorder");
});

test("an upload is a multipart form of the file and the upload preset, also above the 10 MB of the hint", async () => {
  const { page } = await visitAsStudent(storefront);
  await page.evaluate(() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) document.documentElement.dataset.parts = [...body.keys()].sort().join();
      send.call(this, body);
    };
  });
  const call = page.waitForRequest(`**${UPLOADS}`);
  const bytes = withPadding(Buffer.from(await pdfOfPages(3)), 11 * 1024 * 1024);
  await upload(page, [pdfFile("Scan.pdf", bytes)]);
  await expect.poll(() => row(page, "Scan.pdf").innerText()).toMatch(/3 pages · 11(\.\d)? MB/);
  const request = await call;
  expect(request.method()).toBe("POST");
  expect(await request.headerValue("content-type")).toMatch(/^multipart\/form-data; boundary=/);
  expect(await page.evaluate(() => document.documentElement.dataset.parts)).toBe("file,upload_preset");
});

test("Place Order sends the stored order data, and the order value in rupees", async () => {
  const { page } = await visitPreparedOrder(storefront);
  const orderData = await storedItem(page, "orderData");
  const call = page.waitForRequest("**/api/trpc/orders.place?*");
  await page.getByRole("button", { name: "Place Order" }).click();
  const sent = (await call).postDataJSON();
  expect(sent[0] ?? sent).toMatchObject({
    orderData,
    orderValue: { subTotal: 13, tax: 3, deliveryFee: 13, orderTotal: 29 },
  });
  await closePopup(page, "Congratulations!!!");
});
