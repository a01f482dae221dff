import { expect, test } from "vitest";
import { pdfOfPages, withPadding } from "../factories/pdfs.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { pdfFile, pick, row, UPLOADS, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront({ MAX_UPLOAD_MB: "2", MAX_UNORDERED_MB: "3" });

async function largePdf(name: string) {
  return pdfFile(name, withPadding(Buffer.from(await pdfOfPages(3)), 1.9 * 1024 * 1024));
}

test("a student sees the used upload space before it runs out, and a file that would not fit is not sent", async () => {
  const { page } = await visitAsStudent(storefront);
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(UPLOADS)) sent += 1;
  });
  await pick(page, "Choose PDF files", [await largePdf("Thesis.pdf")]);
  await closePopup(page, "File Uploaded Successfully");
  const usage = page.getByText("Your files not yet ordered use 1.9 MB of 3 MB.");
  await usage.waitFor();

  await pick(page, "Choose PDF files", [await largePdf("Notes.pdf")]);
  await page.getByRole("dialog").getByText("“Notes.pdf” (1.9 MB) does not fit").waitFor();
  await closePopup(page, "Error Uploading File");
  await expect.poll(() => row(page, "Notes.pdf").innerText()).toContain("1.1 MB is left");
  expect(sent).toBe(1);

  await page.getByRole("button", { name: "Remove Thesis.pdf" }).click();
  await usage.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Retry Notes.pdf" }).click();
  await closePopup(page, "File Uploaded Successfully");
  expect(sent).toBe(2);
});
