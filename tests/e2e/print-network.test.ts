import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOfPages, withPadding } from "../factories/pdfs.ts";
import { delayRequests } from "../setup/delayed-requests.ts";
import { openStorefront } from "../setup/storefront.ts";
import { closePopup, pdfFile, pick, row, UPLOADS, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront({ MAX_UPLOAD_MB: "8" });
const UPLOAD_URL = `**${UPLOADS}`;
const MB = 1024 * 1024;

async function largePdf(name: string) {
  return pdfFile(name, withPadding(Buffer.from(await pdfOfPages(3)), 3 * MB));
}

/** Moves the page's clock, and waits until every request that it sent by then is known. */
async function tenMinutesLater(page: Page): Promise<void> {
  await page.clock.fastForward("10:00");
  await page.evaluate(() => fetch("/robots.txt"));
}

describe("uploads on a bad network", () => {
  test("run two at a time and show their true progress", async () => {
    const { page } = await visitAsStudent(storefront);
    const network = await page.context().newCDPSession(page);
    const limitUploads = (uploadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 20,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await limitUploads(MB / 2);
    await pick(page, "Choose PDF files", [
      await largePdf("A.pdf"),
      await largePdf("B.pdf"),
      await largePdf("C.pdf"),
    ]);
    const bar = page.getByRole("progressbar", { name: "Upload of A.pdf" });
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(5);
    expect(Number(await bar.getAttribute("aria-valuenow"))).toBeLessThan(95);
    await expect.poll(() => row(page, "C.pdf").innerText()).toContain("waiting to upload");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    await page.getByText("Your files are still being uploaded").waitFor();
    await limitUploads(-1);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "C.pdf").innerText()).toContain("3 pages");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isEnabled()).toBe(true);
  });

  test("are retried after a broken connection", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    await page.clock.install();
    let attempts = 0;
    await page.route(UPLOAD_URL, (route) =>
      attempts++ < 2 ? route.abort("connectionreset") : route.continue(),
    );
    await pick(page, "Choose PDF files", [await largePdf("Flaky.pdf")]);
    for (const attempt of [1, 2]) {
      await expect.poll(() => attempts).toBe(attempt);
      await row(page, "Flaky.pdf").getByText("Waiting for the internet").waitFor();
      await page.clock.fastForward("01:00");
    }
    await closePopup(page, "File Uploaded Successfully");
    expect(attempts).toBe(3);
    await expect.poll(() => row(page, "Flaky.pdf").innerText()).toContain("3 pages");
  });

  test("wait while offline, and continue when the device is back online", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS, "/assets/", "/robots.txt"] });
    await page.clock.install();
    await page.context().setOffline(true);
    await pick(page, "Choose PDF files", [await largePdf("Train.pdf")]);
    const rest = row(page, "Train.pdf").getByText("Waiting for the internet");
    await rest.waitFor();
    await page.clock.fastForward("10:00");
    await expect.poll(() => rest.isVisible()).toBe(true);
    await page.context().setOffline(false);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Train.pdf").innerText()).toContain("3 pages");
  });

  test("are not retried after a refusal", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    let attempts = 0;
    await page.route(UPLOAD_URL, (route) => {
      attempts++;
      return route.continue();
    });
    await page.clock.install();
    await pick(page, "Choose PDF files", [pdfFile("Empty.pdf", Buffer.alloc(0))]);
    expect(await closePopup(page, "Error Uploading File")).toContain("“Empty.pdf” is empty");
    await tenMinutesLater(page);
    expect(attempts).toBe(1);
  });

  test("above the size limit are refused once, while being sent", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    let attempts = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(UPLOADS)) attempts++;
    });
    await page.clock.install();
    const bytes = withPadding(Buffer.from(await pdfOfPages(3)), 16 * MB);
    await pick(page, "Choose PDF files", [pdfFile("Poster.pdf", bytes)]);
    expect(await closePopup(page, "Error Uploading File")).toContain("The file is larger than 8 MB");
    await tenMinutesLater(page);
    expect(attempts).toBe(1);
  });

  test("without a page count in the response count as one page", async () => {
    const { page } = await visitAsStudent(storefront);
    await page.route(UPLOAD_URL, async (route) => {
      const response = await route.fetch();
      const { pages: _pages, ...answer } = await response.json();
      await route.fulfill({ response, json: answer });
    });
    // As bytes: route.fetch() does not send a file that was picked by its path.
    await page
      .locator("input[type=file][accept*=pdf]")
      .setInputFiles([pdfFile("Mute.pdf", await pdfOfPages(3))]);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Mute.pdf").innerText()).toContain("1 page ");
  });

  test("continue while the student visits another page of the store", async () => {
    const { page } = await visitAsStudent(storefront);
    const release = await delayRequests(page, UPLOAD_URL);
    await pick(page, "Choose PDF files", [await largePdf("Slow.pdf")]);
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
    await page.waitForURL("**/faq");
    release();
    await closePopup(page, "File Uploaded Successfully");
    await page.goBack();
    await expect.poll(() => row(page, "Slow.pdf").innerText()).toContain("3 pages");
  });
});
