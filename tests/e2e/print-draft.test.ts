import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOfPages } from "../factories/pdfs.ts";
import { shopIds } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import { answersCome, closePopup, delayRequests, openStorefront } from "../setup/storefront.ts";
import {
  cookiesOf,
  PRINT_PATH,
  pdfFile,
  pick,
  row,
  rowNames,
  SHOP_ID,
  UPLOADS,
  visitAsStudent,
  visitPreparedOrder,
  visitWithFiles,
  waitForCopies,
} from "./print-steps.ts";

const storefront = openStorefront();
const UPLOAD_URL = `**${UPLOADS}`;

const twoFiles = async () => [pdfFile("A.pdf", await pdfOfPages(3)), pdfFile("B.pdf", await pdfOfPages(4))];

describe("the draft", () => {
  test("survives a reload: files in their order, options, copies, pages and message", async () => {
    const { page } = await visitWithFiles(storefront, await twoFiles());
    await page.getByRole("button", { name: "Move B.pdf up" }).click();
    await expect.poll(() => rowNames(page)).toEqual(["B.pdf", "A.pdf"]);
    await page.getByLabel("Number of pages").fill("5");
    await page.getByLabel("Number of copies").fill("3");
    await page.getByLabel("Cover").selectOption({ index: 2 });
    await page.getByLabel("Message to the shop").fill("Pages 1 to 5");
    const cover = await page.getByLabel("Cover").inputValue();
    await page.reload();
    await row(page, "A.pdf").getByText("3 pages").waitFor();
    await expect.poll(() => rowNames(page)).toEqual(["B.pdf", "A.pdf"]);
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("5");
    await expect.poll(() => page.getByLabel("Number of copies").inputValue()).toBe("3");
    await expect.poll(() => page.getByLabel("Cover").inputValue()).toBe(cover);
    await expect.poll(() => page.getByLabel("Message to the shop").inputValue()).toBe("Pages 1 to 5");
    await expect.poll(() => row(page, "A.pdf").locator("img").count()).toBe(1);
  });

  test("resumes after a reload with a file that was selected but not yet uploaded", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    await page.route(UPLOAD_URL, (route) => route.abort("connectionreset"));
    await pick(page, "Choose PDF files", [pdfFile("Unsent.pdf", await pdfOfPages(6))]);
    await row(page, "Unsent.pdf").getByText("Waiting for the internet").waitFor();
    await waitForCopies(page);
    await page.reload();
    await row(page, "Unsent.pdf").getByText("Waiting for the internet").waitFor();
    await page.unroute(UPLOAD_URL);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Unsent.pdf").innerText()).toContain("6 pages");
  });

  test("goes on in another tab with a file that the first was uploading when it was closed", async () => {
    const { page } = await visitAsStudent(storefront);
    const other = await page.context().newPage();
    await other.goto(PRINT_PATH);
    await other.getByText("Add at least one file to continue").waitFor();
    await page.route(`**${UPLOADS}`, () => {});
    await pick(page, "Choose PDF files", [pdfFile("Notes.pdf", await pdfOfPages(3))]);
    await row(page, "Notes.pdf").getByText("uploading").waitFor();
    await row(other, "Notes.pdf").getByText("waiting to upload").waitFor();
    await waitForCopies(page);
    await page.close();
    await row(other, "Notes.pdf").getByText("3 pages").waitFor();
  });

  test("asks for a file again if the browser no longer has it", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    await page.route(UPLOAD_URL, (route) => route.abort("connectionreset"));
    await pick(page, "Choose PDF files", [pdfFile("Lost.pdf", await pdfOfPages(6))]);
    await row(page, "Lost.pdf").getByText("Waiting for the internet").waitFor();
    await waitForCopies(page);
    await emptyVault(page);
    await page.reload();
    await row(page, "Lost.pdf").getByText("Please choose it again").waitFor();
    await page.unroute(UPLOAD_URL);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose again for Lost.pdf" }).click();
    await (await chooser).setFiles([pdfFile("Found.pdf", await pdfOfPages(6))]);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => rowNames(page)).toEqual(["Found.pdf"]);
  });

  test("survives a trip through the login, including running uploads", async () => {
    const { page, visitor, student } = await visitWithFiles(
      storefront,
      [pdfFile("Before.pdf", await pdfOfPages(2))],
      { refused: [UPLOADS, "files.colours", "/api/trpc/files.room"] },
    );
    await page.getByLabel("Message to the shop").fill("Keep me");
    await answersCome(page);
    await visitor.post("/api/v1/users/logout");
    await pick(page, "Choose PDF files", [pdfFile("After.pdf", await pdfOfPages(3))]);
    await page.waitForURL("**/login?*");
    await closePopup(page, "Error Uploading File");
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await page.keyboard.press("Enter");
    await closePopup(page, "Loggedin Successfully");
    await page.waitForURL(`**${PRINT_PATH}`);
    await row(page, "After.pdf").getByText("3 pages").waitFor();
    await row(page, "Before.pdf").getByText("2 pages").waitFor();
    await expect.poll(() => page.getByLabel("Message to the shop").inputValue()).toBe("Keep me");
  });

  test("says that a file deleted by the server must be selected again", async () => {
    const files = [pdfFile("Old.pdf", await pdfOfPages(2)), pdfFile("New.pdf", await pdfOfPages(3))];
    const { page, visitor } = await visitWithFiles(storefront, files, { refused: ["/files/"] });
    const [url = ""] = await page.evaluate(() => {
      const name = Object.keys(localStorage).find((key) => key.startsWith("draft:")) ?? "";
      const files: { uploaded: { id: string } }[] = JSON.parse(localStorage.getItem(name) ?? "{}").files;
      return files.map(({ uploaded }) => uploaded.id);
    });
    await visitor.mutate("files.remove", { id: url });
    await page.reload();
    await row(page, "Old.pdf").getByText("deletes files that are not ordered within a day").waitFor();
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("3");
  });

  test("keeps its files if the session has ended when the page looks whether the store still has them", async () => {
    const mine = pdfFile("Mine.pdf", await pdfOfPages(2));
    const { page, student } = await visitWithFiles(storefront, [mine], { refused: ["/"] });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Online Printing Shop" }).waitFor();
    await answersCome(page);
    await storefront.store.deps.db.deleteFrom("sessions").execute();
    const looked = page.waitForResponse(
      (response) => response.url().includes("/files/") && response.status() === 404,
    );
    await page.goBack();
    await looked;
    await row(page, "Mine.pdf").getByText("2 pages").waitFor();
    await page.reload();
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/printnow*");
    await row(page, "Mine.pdf").getByText("2 pages").waitFor();
  });

  test("gives its files to another shop, with their pages and nothing uploaded again", async () => {
    const { page } = await visitWithFiles(storefront, await twoFiles());
    await page.getByLabel("Number of pages").fill("5");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "HEAD" && /uploads|files/.test(request.url())) sent.push(request.url());
    });
    const other = await otherShop();
    await page.goto(`/printnow?id=${other}`);
    const offer = page.getByRole("region", { name: "Files at another shop" });
    expect(await offer.innerText()).toContain("You added 2 files at another shop: A.pdf, B.pdf.");
    await expectAccessiblePart(offer);
    sent.length = 0;
    await offer.getByRole("button", { name: "Print them here instead" }).click();
    await expect.poll(() => rowNames(page)).toEqual(["A.pdf", "B.pdf"]);
    await expect.poll(() => row(page, "B.pdf").innerText()).toContain("Pages to print: 1-2 (2 of 4)");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
    expect(sent.filter((url) => url.endsWith(UPLOADS))).toEqual([]);
    await page.goto(PRINT_PATH);
    await page.getByRole("region", { name: "Files at another shop" }).waitFor();
    expect(await rowNames(page)).toEqual([]);
  });

  test("goes on with an upload while the student looks at another page of the store, also after the store was updated", async () => {
    const { page } = await visitAsStudent(storefront);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const release = await delayRequests(page, UPLOAD_URL);
    await pick(page, "Choose PDF files", [pdfFile("Slow.pdf", await pdfOfPages(6))]);
    await row(page, "Slow.pdf").getByText("uploading").waitFor();
    // The first is that the page has a service worker at all.
    for (let times = 0; times < 2; times++)
      await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event("controllerchange")));
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
    await page.waitForURL("**/faq");
    await page.goBack();
    await row(page, "Slow.pdf").waitFor();
    release();
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Slow.pdf").innerText()).toContain("6 pages");
    expect(sent.filter((request) => request === "POST /api/v1/uploads")).toHaveLength(1);
  });

  test("takes an upload that is not finished along to another shop", async () => {
    const { page } = await visitAsStudent(storefront);
    await page.route(UPLOAD_URL, () => {});
    await pick(page, "Choose PDF files", [pdfFile("Slow.pdf", await pdfOfPages(6))]);
    await row(page, "Slow.pdf").getByText("uploading").waitFor();
    await waitForCopies(page);
    await page.goto(`/printnow?id=${await otherShop()}`);
    await page.unroute(UPLOAD_URL);
    await page.getByRole("button", { name: "Print it here instead" }).click();
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Slow.pdf").innerText()).toContain("6 pages");
  });

  test("is not shown to another student in the same browser", async () => {
    const first = await visitPreparedOrder(storefront);
    const second = await signedInStudent(storefront.store);
    // A call under way would be refused.
    await answersCome(first.page);
    await first.page.context().clearCookies();
    await first.page.context().addCookies(cookiesOf(second.visitor));
    await first.page.goto(PRINT_PATH);
    await first.page.getByText("Add at least one file to continue").waitFor();
    await expect.poll(() => rowNames(first.page)).toEqual([]);
    await first.page.goto("/printorder");
    await first.page.getByRole("heading", { name: "No Item has added!!" }).waitFor();
  });
});

async function otherShop(): Promise<string> {
  const other = (await shopIds(storefront.store)).find((id) => id !== SHOP_ID);
  if (!other) throw new Error("there is one shop only");
  return other;
}

/** Deletes the stored files, as a browser may when its storage is full. */
async function emptyVault(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("print-store");
        opening.onsuccess = () => {
          const writing = opening.result.transaction("files", "readwrite");
          writing.objectStore("files").clear();
          writing.oncomplete = () => resolve();
        };
      }),
  );
}
