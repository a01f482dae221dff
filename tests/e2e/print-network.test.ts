import { rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Page, Route } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { pdfOfPages, withPadding } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import { PRINT_PATH, pdfFile, pick, row, storedFiles, UPLOADS, visitAsStudent } from "./print-steps.ts";

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

/** A proxy before the store. After `lose(n)` the answers to the next `n` uploads break off. */
async function startLossyProxy() {
  let losing = 0;
  const sent = { count: 0 };
  const proxy = createServer(async (incoming, response) => {
    const isUpload = incoming.url === UPLOADS;
    if (isUpload) sent.count += 1;
    const { url } = storefront.store;
    const headers = {
      ...incoming.headers,
      host: new URL(url).host,
      ...(incoming.headers.origin && { origin: url }),
    };
    const body = await buffer(incoming);
    const outgoing = request(url + incoming.url, { method: incoming.method, headers }, async (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isUpload || losing-- <= 0) return answer.pipe(response);
      // Not without its first bytes: browsers send the same request once more then, by themselves.
      response.write((await buffer(answer)).subarray(0, 1), () => incoming.socket.destroy());
    });
    outgoing.on("error", () => incoming.socket.destroy());
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const lose = (count: number) => {
    losing = count;
    return sent;
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lose };
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
    await limitUploads(MB / 16);
    await page.clock.install();
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(UPLOADS)) requests++;
    });
    await pick(page, "Choose PDF files", [
      await largePdf("A.pdf"),
      await largePdf("B.pdf"),
      await largePdf("C.pdf"),
    ]);
    const percentOf = async (name: string) => {
      const bar = page.getByRole("progressbar", { name: `Upload of ${name}` });
      return Number(await bar.getAttribute("aria-valuenow"));
    };
    const percents = () => Promise.all(["A.pdf", "B.pdf"].map(percentOf));
    await expect.poll(async () => Math.min(...(await percents()))).toBeGreaterThan(5);
    expect(Math.max(...(await percents()))).toBeLessThan(95);
    // An upload that makes progress has no time limit.
    await page.clock.fastForward("01:30");
    const seen = await percents();
    const haveGrown = async () => (await percents()).every((percent, at) => percent > (seen[at] ?? 0));
    await expect.poll(haveGrown).toBe(true);
    await page.clock.fastForward("01:30");
    await expect.poll(() => row(page, "C.pdf").innerText()).toContain("waiting to upload");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    await page.getByText("Your files are still being uploaded").waitFor();
    await limitUploads(-1);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "C.pdf").innerText()).toContain("3 pages");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isEnabled()).toBe(true);
    expect(requests).toBe(3);
  });

  test("are retried after a connection that hangs or breaks, and while the store is restarted", async () => {
    const { page } = await visitAsStudent(storefront);
    // Chromium names the failures there.
    page.removeAllListeners("console");
    await page.clock.install();
    // No pause between two attempts ends by itself.
    await page.clock.pauseAt(Date.now() + 60_000);
    const failures: ((route: Route) => unknown)[] = [
      () => page.clock.fastForward("06:00"),
      (route) => route.abort("connectionreset"),
      (route) => route.fulfill({ status: 502, body: "" }),
      (route) => route.fulfill({ status: 503, json: { message: "Starting", code: "UNAVAILABLE" } }),
    ];
    let attempts = 0;
    await page.route(UPLOAD_URL, (route) => failures[attempts++]?.(route) ?? route.continue());
    await pick(page, "Choose PDF files", [pdfFile("Flaky.pdf", await pdfOfPages(3))]);
    const rests = row(page, "Flaky.pdf").getByText("Waiting for the internet");
    // A pause begins when the page has found the store again: it asks for the same file, and has a limit in time.
    await expect
      .poll(async () => {
        if (await rests.isVisible()) {
          await page.evaluate(() => fetch("/robots.txt"));
          await page.clock.fastForward("01:00");
        }
        return attempts;
      })
      .toBe(failures.length + 1);
    await page.clock.resume();
    await closePopup(page, "File Uploaded Successfully");
    expect(attempts).toBe(5);
    await expect.poll(() => row(page, "Flaky.pdf").innerText()).toContain("3 pages");
  });

  test("whose answers are lost are stored and sent once, also of two equal files", async () => {
    const { url, lose } = await startLossyProxy();
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] }, `${url}${PRINT_PATH}`);
    const sent = lose(2);
    const file = pdfFile("Lost.pdf", await pdfOfPages(3));
    await pick(page, "Choose PDF files", [file, { ...file, name: "Twin.pdf" }]);
    await closePopup(page, "File Uploaded Successfully");
    for (const name of ["Lost.pdf", "Twin.pdf"]) await row(page, name).getByText("3 pages").waitFor();
    expect(sent.count).toBe(2);
    await page.getByRole("button", { name: "Remove Twin.pdf" }).click();
    await row(page, "Lost.pdf").getByText("3 pages").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
  });

  test("wait while offline, and continue when the device is back online, but for a file that is gone by then", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS, "/assets/", "/robots.txt"] });
    await page.clock.install();
    await page.context().setOffline(true);
    await pick(page, "Choose PDF files", [pdfFile("Train.pdf", await pdfOfPages(3))]);
    const rest = row(page, "Train.pdf").getByText("Waiting for the internet");
    await rest.waitFor();
    const board = { name: "Board.jpg", mimeType: "image/jpeg", buffer: await sidewaysPhoto() };
    await pick(page, "Add photos", [board]);
    await row(page, "Board.pdf").getByText("Waiting for the internet").waitFor();
    const [path = ""] = await pick(page, "Choose PDF files", [pdfFile("Gone.pdf", await pdfOfPages(3))]);
    await row(page, "Gone.pdf").getByText("Waiting for the internet").waitFor();
    await rm(path);
    await page.clock.fastForward("10:00");
    await expect.poll(() => rest.isVisible()).toBe(true);
    await page.context().setOffline(false);
    expect(await closePopup(page, "Error Uploading File")).toContain(
      "changed on your device or is no longer there",
    );
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Train.pdf").innerText()).toContain("3 pages");
    await expect.poll(() => row(page, "Board.pdf").innerText()).toContain("1 page");
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

    const busy = { success: false, message: "Too many uploads. Please wait", code: "RATE_LIMITED" };
    await page.route(UPLOAD_URL, (route) => route.fulfill({ status: 429, json: busy }), { times: 1 });
    await pick(page, "Choose PDF files", [pdfFile("Notes.pdf", Buffer.from(await pdfOfPages(2)))]);
    expect(await closePopup(page, "Error Uploading File")).toContain(busy.message);
    expect(await page.getByLabel("Password of Notes.pdf").count(), "the file is not locked").toBe(0);
    await row(page, "Notes.pdf").getByRole("button", { name: "Retry" }).click();
    await row(page, "Notes.pdf").getByText("2 pages").waitFor();
  });

  test.each([
    ["refused before they are sent", "answers", 0],
    ["sent once where the store did not say its limit", "does not answer", 1],
  ] as const)("above the size limit are %s, and leave no copy in the browser", async (_what, room, sent) => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS, "/api/trpc/files.room"] });
    if (room === "does not answer") await page.route("**/files.room*", (route) => route.abort());
    let attempts = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(UPLOADS)) attempts++;
    });
    await page.clock.install();
    const bytes = withPadding(Buffer.from(await pdfOfPages(3)), 16 * MB);
    await pick(page, "Choose PDF files", [pdfFile("Poster.pdf", bytes)]);
    expect(await closePopup(page, "Error Uploading File")).toContain("The file is larger than 8 MB");
    await tenMinutesLater(page);
    expect(attempts).toBe(sent);
    await expect.poll(() => storedFiles(page, "file:")).toEqual([]);
  });

  test("that took longer than a request may are refused with the reason", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    await page.route(UPLOAD_URL, (route) => route.fulfill({ status: 408, body: "" }));
    await pick(page, "Choose PDF files", [pdfFile("Slow.pdf", await pdfOfPages(3))]);
    expect(await closePopup(page, "Error Uploading File")).toContain("more than 30 minutes");
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
});
