import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument, PDFName, PDFNumber, PDFRawStream } from "pdf-lib";
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BLANK_PAGES, EDGE_PAGES, GREY_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pagesOfSize, pdfOfPages, plainPdf } from "../factories/pdfs.ts";
import { sidewaysPhoto, transparentPicture } from "../factories/photos.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { standInConverter } from "../factories/stand-in-converter.ts";
import { signedInStudent } from "../factories/students.ts";
import {
  expectAccessiblePart,
  expectAccessibleScreen,
  expectNoSidewaysScroll,
} from "../setup/accessible-screen.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, closePopup, openStorefront, stopTheSecond } from "../setup/storefront.ts";
import { tempFolder } from "../setup/temporary.ts";
import {
  choosingInBrowser,
  fillList,
  PRINT_PATH,
  pdfFile,
  pick,
  row,
  rowNames,
  storedItem,
  UPLOADS,
  upload,
  visitAsStudent,
  visitWithFiles,
  waitForCopies,
} from "./print-steps.ts";

const storefront = openStorefront();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SOME_PIXELS = /^data:image\/jpeg;base64,.{200,}/;

describe("selecting files", () => {
  let visitor: ApiClient;
  beforeAll(async () => {
    ({ visitor } = await signedInStudent(storefront.store));
  });
  const empty = storefront.visitOnce(PRINT_PATH, () => sessionOf(visitor));

  test("has a file input for several PDFs, below the hint of the specification", async () => {
    const input = empty().getByLabel("PDF files", { exact: true });
    await expect.poll(() => input.getAttribute("accept")).toBe("application/pdf,.pdf");
    await expect.poll(() => input.getAttribute("multiple")).not.toBeNull();
    await empty().getByText("PDF, WORDX, PPTX, PNG, JPG or JPEG up to 10MB").waitFor();
  });

  test("uploads several PDFs at once, and says so once", async () => {
    const page = empty();
    const files = await Promise.all([1, 2, 30].map(async (n) => pdfFile(`${n}.pdf`, await pdfOfPages(n))));
    await upload(page, files);
    await answersCome(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => row(page, "30.pdf").innerText()).toMatch(/30 pages · \d+ kB/);
    await expect
      .poll(() => page.getByRole("region", { name: "Your files" }).innerText())
      .toContain("3 files, 33 pages");
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("33");
  });

  test("accepts dropped PDFs and folders, and explains why other files, and folders that cannot be read, are not accepted", async () => {
    const { page } = await visitAsStudent(storefront);
    await dropFile(page, "Essay.docx", Buffer.from("PK"));
    expect(await closePopup(page, "Error Uploading File")).toContain("“Essay.docx” is not a PDF");
    await dropFile(page, "Dropped.pdf", plainPdf(2));
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => rowNames(page)).toEqual(["Dropped.pdf"]);
    await page.evaluate((pdf) => {
      const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
      const entry = (name: string) => ({
        name,
        isFile: true,
        file: (done: (file: File) => void) => done(new File([bytes], name, { type: "application/pdf" })),
      });
      // A browser answers with some of the entries at a time; then it cannot read the folder any more.
      const answers = [[entry("One.pdf"), entry("._One.pdf")], [entry("Two.pdf")], []];
      const readEntries = (done: (some: unknown[]) => void, fail: (error: unknown) => void) => {
        const some = answers.shift();
        if (some) done(some);
        else fail(new DOMException("not allowed", "NotReadableError"));
      };
      const folder = {
        name: "Notes",
        isFile: false,
        isDirectory: true,
        createReader: () => ({ readEntries }),
      };
      DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry;
    }, plainPdf(2).toString("base64"));
    await dropFile(page, "Notes.pdf", plainPdf(2));
    await closePopup(page, "File Uploaded Successfully");
    expect(await rowNames(page)).toEqual(["Dropped.pdf", "One.pdf", "Two.pdf"]);
    await dropFile(page, "Notes.pdf", plainPdf(2));
    const text = "Your browser could not read it. Please choose the files instead";
    expect(await closePopup(page, "Error Uploading File")).toContain(text);
    // A browser would leave the page for a file that is dropped beside the zone.
    const isLeft = await page.evaluate(() =>
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true })),
    );
    expect(isLeft).toBe(false);
  });

  test("refuses more files than an order may have", async () => {
    const { page } = await visitAsStudent(storefront);
    await fillList(page, 48);
    await page.reload();
    // Which files are taken is decided before the first is sent.
    await page.route(`**${UPLOADS}`, () => {});
    const one = await pdfOfPages(1);
    await pick(
      page,
      "Choose PDF files",
      [48, 49, 50, 51].map((n) => pdfFile(`${n}.pdf`, one)),
    );
    expect(await closePopup(page, "Error Uploading File")).toContain("At most 50 files fit in one order");
    await expect.poll(() => rowNames(page)).toEqual(Array.from({ length: 50 }, (_, n) => `${n}.pdf`));
  });
});

describe("files that cannot be printed", () => {
  test("are explained in a popup and in their row, and the others continue", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    await page.clock.install();
    await pick(page, "Choose PDF files", [
      pdfFile("Locked.pdf", await encryptedPdf(2, "AES-256", { user: "secret" })),
      pdfFile("Fine.pdf", await pdfOfPages(4)),
      pdfFile("Broken.pdf", Buffer.from("%PDF-1.7 and nothing more")),
    ]);
    // While an error lies over a success, it stays. Its script has a limit in time.
    for (const title of ["File Uploaded Successfully", "Error Uploading File"])
      await page.getByRole("dialog", { name: title }).waitFor();
    await page.clock.fastForward("01:00");
    const text = await closePopup(page, "Error Uploading File");
    expect(text).toMatch(/“Broken.pdf” is damaged/);
    await closePopup(page, "File Uploaded Successfully");
    await expect
      .poll(() => row(page, "Locked.pdf").innerText())
      .toContain("Enter its password, or remove the password");
    await expect
      .poll(() => row(page, "Broken.pdf").innerText())
      .toContain("Save or export it as a PDF again");
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("4");
    await page.getByText("2 files were not uploaded and are left out").waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: "1 file uploaded, 4 pages. 2 files could not be uploaded" })
      .waitFor({ state: "attached" });

    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose another file for Locked.pdf" }).click();
    await (await chooser).setFiles([pdfFile("Unlocked.pdf", await pdfOfPages(2))]);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => rowNames(page)).toEqual(["Unlocked.pdf", "Fine.pdf", "Broken.pdf"]);
    expect(await row(page, "Broken.pdf").getByRole("button", { name: "Retry" }).count()).toBe(0);
  });

  test("are unlocked in place by their password, which is asked for before anything is sent", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    let sent = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(UPLOADS)) sent += 1;
    });
    const locked = await encryptedPdf(3, "AES-256", { user: "roll-0042" });
    await pick(page, "Choose PDF files", [pdfFile("Marks.pdf", locked)]);
    const password = page.getByLabel("Password of Marks.pdf");
    await password.waitFor();
    expect(sent).toBe(0);

    await waitForCopies(page);
    await page.reload();
    await password.fill("0000");
    await page.getByRole("button", { name: "Unlock Marks.pdf" }).click();
    await page.getByText("This is not the password of “Marks.pdf”. Check it and try again").waitFor();
    expect(await password.inputValue()).toBe("");
    await password.and(page.locator(":focus")).waitFor();
    await page.reload();
    await row(page, "Marks.pdf").getByText("This is not the password").waitFor();
    expect(await password.and(page.locator(":focus")).count(), "where nothing was typed").toBe(0);
    await password.focus();
    const busy = { success: false, message: "Too many passwords. Please wait", code: "RATE_LIMITED" };
    await page.route(`**${UPLOADS}`, (route) => route.fulfill({ status: 429, json: busy }), { times: 1 });
    await page.keyboard.type("1111");
    await page.keyboard.press("Enter");
    await row(page, "Marks.pdf").getByText(busy.message).waitFor();
    await password.fill("roll-0042");
    await password.press("Enter");
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Marks.pdf").innerText()).toContain("3 pages");
    await page.getByRole("button", { name: "View pages of Marks.pdf" }).click();
    await page.getByRole("img", { name: "Page 1", exact: true }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain("roll-0042");
  });
});

describe("office files, where the store has a converter", () => {
  beforeAll(async () => {
    storefront.store.deps.office = await standInConverter();
  });
  afterAll(() => {
    storefront.store.deps.office = null;
  });

  test("are converted, and printed only once the student has looked at the PDF and said that it looks right", async () => {
    const { page, visitor } = await visitAsStudent(storefront, { refused: ["/files/"] });
    const office = (name: string, text: string) => ({ name, mimeType: "", buffer: Buffer.from(text) });
    await pick(page, "Choose files", [office("Stuck.docx", "hang")]);
    const accepted = await page.getByLabel("Files", { exact: true }).getAttribute("accept");
    expect(accepted?.split(",")).toEqual(expect.arrayContaining([".pdf", ".docx", ".pptx"]));
    await expect.poll(() => row(page, "Stuck.docx").innerText()).toContain("Converting…");
    await waitForCopies(page);
    await page.reload();
    await expect.poll(() => row(page, "Stuck.docx").innerText()).toContain("Converting…");
    await page.getByRole("button", { name: "Remove Stuck.docx" }).click();
    await closePopup(page, "“Stuck.docx” removed");

    const pdf = plainPdf(3).toString("base64");
    await pick(page, "Choose files", [office("Unit 3.docx", `fine\n${pdf}`)]);
    await closePopup(page, "File Uploaded Successfully");
    const price = page.getByRole("complementary", { name: "Price" });
    const goOn = page.getByRole("button", { name: "Continue" });
    await expect.poll(() => price.innerText()).toContain("Check the pages of “Unit 3.docx” first");
    expect(await goOn.isDisabled()).toBe(true);
    await page.reload();
    await expect.poll(() => row(page, "Unit 3.docx").innerText()).toContain("3 pages");
    expect(await goOn.isDisabled()).toBe(true);
    await expectAccessiblePart(row(page, "Unit 3.docx"));

    const otherTab = await page.context().newPage();
    await otherTab.goto(page.url());
    await otherTab.getByRole("button", { name: "Check the pages of Unit 3.docx" }).click();
    await otherTab.getByRole("img", { name: "Page 1", exact: true }).waitFor();
    await otherTab.getByText("Fonts, tables and page breaks may have moved").waitFor();
    await expectAccessibleScreen(otherTab);
    const refusal = { message: "Please wait a minute", code: -32029, data: { appCode: "RATE_LIMITED" } };
    const refuse = (route: Route) => route.fulfill({ status: 207, json: [{ error: refusal }] });
    await otherTab.route("**/api/trpc/files.approve*", refuse, { times: 1 });
    await otherTab.getByRole("button", { name: "Looks right" }).click();
    await otherTab.getByRole("alert").getByText(refusal.message).waitFor();
    await otherTab.mouse.move(0, 0);
    await otherTab.getByRole("button", { name: "Looks right" }).click();
    await otherTab.getByRole("dialog").waitFor({ state: "detached" });
    await otherTab.close();

    await goOn.click();
    await page.waitForURL("**/printorder");

    // What was said of it is not said of the file that is chosen once the store has deleted it.
    const [file] = (await draftFiles(page)) as { uploaded: { id: string } }[];
    expectDone(await visitor.mutate("files.remove", { id: file?.uploaded.id }));
    await page.goto(PRINT_PATH);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose again for Unit 3.docx" }).click();
    await (await chooser).setFiles([office("Unit 3.docx", `fine\n${pdf}`)]);
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => price.innerText()).toContain("Check the pages of “Unit 3.docx” first");
    expect(await goOn.isDisabled()).toBe(true);
  });
});

describe("photos", () => {
  test("become one white A4 page each, rotated as the camera recorded", async () => {
    const { page, visitor } = await visitAsStudent(storefront);
    await page.evaluate(() => {
      ImageBitmap.prototype.close = () => {
        window.document.documentElement.append("freed ");
      };
    });
    await pick(page, "Add photos", [
      { name: "Board.jpg", mimeType: "image/jpeg", buffer: await sidewaysPhoto(3000) },
      { name: "Graph.png", mimeType: "image/png", buffer: await transparentPicture() },
    ]);
    const accepted = await page.getByLabel("PDF files", { exact: true }).getAttribute("accept");
    expect(accepted?.split(",")).toEqual(expect.arrayContaining(["image/jpeg", "image/png"]));
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Board and 1 more.pdf").innerText()).toContain("2 pages");
    const freed = await page.locator("html").textContent();
    expect(freed?.match(/freed/g), "a phone has memory for one photo at a time").toHaveLength(2);

    const { url } = await page.evaluate(() => {
      const name = Object.keys(localStorage).find((key) => key.startsWith("draft:")) ?? "";
      return JSON.parse(localStorage.getItem(name) ?? "{}").files[0].uploaded;
    });
    const bytes = await (await visitor.fetch(url)).arrayBuffer();
    const document = await PDFDocument.load(bytes);
    const sizes = document.getPages().map((sheet) => sheet.getSize());
    expect(sizes.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [595, 842],
      [842, 595],
    ]);
    const widths = document.context
      .enumerateIndirectObjects()
      .map(([, part]) => (part instanceof PDFRawStream ? part.dict.lookup(PDFName.of("Width")) : undefined))
      .map((width) => (width instanceof PDFNumber ? width.asNumber() : 0));
    expect(Math.max(...widths), "enough pixels to read what was photographed").toBeGreaterThan(1200);

    await page.getByRole("button", { name: "View pages of Board and 1 more.pdf" }).click();
    const canvas = page.getByRole("img", { name: "Page 1", exact: true }).locator("canvas");
    const colourAt = (down: number) =>
      canvas.evaluate((element: HTMLCanvasElement, share) => {
        const context = element.getContext("2d");
        const pixel = context?.getImageData(element.width / 2, element.height * share, 1, 1).data ?? [];
        return [...pixel].map((value) => (value > 127 ? 1 : 0)).join("");
      }, down);
    await expect.poll(() => colourAt(0.25)).toBe("1001");
    expect(await colourAt(0.75)).toBe("0011");
    expect(await colourAt(0.01)).toBe("1111");
  });

  test("that cannot be read are named and stop no others, which are left out one by one by looking at them", async () => {
    const { page } = await visitAsStudent(storefront);
    const picture = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });
    const words = Buffer.from("not a picture");
    await pick(page, "Add photos", [picture("Selfie.png", words)]);
    expect(await closePopup(page, "Error Uploading File")).toContain(
      "“Selfie.png” cannot be read as a photo",
    );
    await row(page, "Selfie.pdf").getByText("Save it as JPG or PNG and add it again").waitFor();
    // Of an iPhone's photos many systems know no type.
    const decoder = page.waitForRequest(/heic/);
    await pick(page, "Add photos", [{ name: "IMG_0042.HEIC", mimeType: "", buffer: words }]);
    await decoder;
    expect(await closePopup(page, "Error Uploading File")).toContain("“IMG_0042.HEIC” cannot be read");

    const good = await transparentPicture();
    await pick(page, "Add photos", [
      picture("One.png", good),
      picture("Two.png", words),
      picture("Three.png", good),
      picture("Four.png", good),
    ]);
    const text = await closePopup(page, "Error Uploading File");
    expect(text).toContain("“Two.png” cannot be read as a photo. Save it as JPG or PNG and add it again.");
    expect(text).toContain("The other 3 photos are added.");
    await closePopup(page, "File Uploaded Successfully");
    const name = "One and 2 more.pdf";
    await page.getByRole("button", { name: `Photos to print: all (${name})` }).click();
    await page.getByText("Page 1 of 3").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("Page 2 of 3").waitFor();
    await page.getByRole("button", { name: "Leave this page out" }).click();
    await page.getByText("Page 2 of 3, left out").waitFor();
    await expectAccessibleScreen(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Photos to print: 2 of 3 (${name})` }).waitFor();
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("2");
    await expect
      .poll(async () => ((await draftFiles(page)) as { ranges: string }[]).at(-1)?.ranges)
      .toBe("1, 3");
  });

  test("become documents of 40 pages, so that many of them can be uploaded", async () => {
    const { page } = await visitAsStudent(storefront);
    await page.route(`**${UPLOADS}`, () => {});
    const buffer = await transparentPicture();
    const photos = Array.from({ length: 42 }, (_, at) => ({
      name: `${at + 1}.png`,
      mimeType: "image/png",
      buffer,
    }));
    await pick(page, "Add photos", photos);
    await expect.poll(() => rowNames(page)).toEqual(["1 and 39 more.pdf", "41 and 1 more.pdf"]);
  });

  test("can be chosen again after they were removed", async () => {
    const { page } = await visitAsStudent(storefront);
    const buffer = await sidewaysPhoto();
    const photo = { name: "Board.jpg", mimeType: "image/jpeg", buffer };
    const chooseInBrowser = await choosingInBrowser(page, "main input[type=file]", photo);
    const choose = async () => {
      const asking = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Add photos" }).click();
      await asking;
      await chooseInBrowser();
    };
    await choose();
    await closePopup(page, "File Uploaded Successfully");
    await page.getByRole("button", { name: "Remove Board.pdf" }).click();
    await closePopup(page, "“Board.pdf” removed");
    expect(await rowNames(page)).toEqual([]);
    await choose();
    await closePopup(page, "File Uploaded Successfully");
    expect(await rowNames(page)).toEqual(["Board.pdf"]);
  });

  test("whose PDF was not made before a reload are chosen again as photos", async () => {
    const { page } = await visitAsStudent(storefront);
    await page.route("**/assets/photo-pages*", () => {});
    const photo = (name: string, buffer: Buffer) => ({ name, mimeType: "image/jpeg", buffer });
    await pick(page, "Add photos", [photo("Board.jpg", await sidewaysPhoto())]);
    await row(page, "Board.pdf").getByText("Making the pages").waitFor();
    await page.reload();
    await row(page, "Board.pdf").getByText("Please choose it again").waitFor();
    // Not before the reload: it lets the script through, which could make the PDF after all.
    await page.unroute("**/assets/photo-pages*");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose again for Board.pdf" }).click();
    const input = (await chooser).element();
    expect(await input.getAttribute("accept")).toContain("image/jpeg");
    await (await chooser).setFiles([
      photo("Board again.jpg", await sidewaysPhoto()),
      { name: "Graph.png", mimeType: "image/png", buffer: await transparentPicture() },
    ]);
    await closePopup(page, "File Uploaded Successfully");
    expect(await rowNames(page)).toEqual(["Board again and 1 more.pdf"]);
    await row(page, "Board again and 1 more.pdf").getByText("Photos to print: all").waitFor();
  });
});

describe("the list of files", () => {
  test("names blank pages, text at the edge and other sizes, and leaves blank pages out at a press", async () => {
    const text = GREY_PAGES["black text"];
    const edge = EDGE_PAGES["a page number at the foot"];
    const notes = await pdfOf([text, BLANK_PAGES.nothing, edge, BLANK_PAGES.nothing]);
    const slideshow = pdfFile("Slides.pdf", await pdfOf([text], [960, 540]));
    const { page } = await visitWithFiles(storefront, [pdfFile("Notes.pdf", notes), slideshow]);
    const found = row(page, "Notes.pdf").getByRole("list", { name: "About the pages of Notes.pdf" });
    await expect
      .poll(() => found.getByRole("listitem").allInnerTexts())
      .toEqual([
        expect.stringContaining("2 blank pages: 2, 4"),
        "Page 3: text is so near to the edge that printers may cut it",
      ]);
    const slides = page.getByRole("list", { name: "About the pages of Slides.pdf" });
    expect(await slides.innerText()).toBe("Not A4, so the size on paper may differ");
    await expectAccessiblePart(page.getByRole("region", { name: "Your files" }));
    await page.getByRole("button", { name: "Leave out the blank pages of Notes.pdf" }).click();
    await expect.poll(() => row(page, "Notes.pdf").innerText()).toContain("Pages to print: 1, 3 (2 of 4)");
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("3");
    expect(await found.innerText()).not.toContain("blank");
  });

  test("names pages that are not as large as the paper of their file", async () => {
    const { visitor } = await signedInAdmin(storefront.store);
    const paperSizes = [priceEntry("A5", 0), priceEntry("A4", 0), priceEntry("Poster", 0)];
    const { id } = await shownShop(visitor, { ...smallPriceList(), paperSizes });
    const sheet = await pdfOf([GREY_PAGES["black text"]]);
    const files = [pdfFile("One.pdf", sheet), pdfFile("Two.pdf", sheet)];
    const { page } = await visitWithFiles(storefront, files, {}, id);
    const notes = ["One.pdf", "Two.pdf"].map((name) =>
      page.getByRole("list", { name: `About the pages of ${name}` }),
    );
    const texts = () =>
      Promise.all(notes.map(async (list) => ((await list.count()) > 0 ? list.innerText() : "")));
    const notA5 = "Not A5, so the size on paper may differ";
    await expect.poll(texts).toEqual([notA5, notA5]);
    await row(page, "Two.pdf")
      .getByRole("button", { name: /^Other options/ })
      .click();
    const own = page.getByRole("group", { name: "Options of Two.pdf" }).getByLabel("Paper size");
    await own.selectOption({ label: "A4 · no charge" });
    await expect.poll(texts).toEqual([notA5, ""]);
    await page.locator("select[name=paperSizes]").selectOption({ label: "Poster · no charge" });
    await expect.poll(texts).toEqual(["", ""]);
  });

  test("shows thumbnails, moves and removes files, and keeps the focus in place", async () => {
    const document = await PDFDocument.create();
    document.addPage([595, 842]).drawText("Front page", { x: 50, y: 400, size: 90 });
    const drawn = await document.save();
    const files = ["A.pdf", "B.pdf", "C.pdf"].map((name) => pdfFile(name, drawn));
    const { page, visitor } = await visitAsStudent(storefront);
    await upload(page, files);
    await expect.poll(() => row(page, "A.pdf").locator("img").getAttribute("src")).toMatch(SOME_PIXELS);
    await expect.poll(() => page.locator("main li img").count()).toBe(3);
    // Each document that is open has one.
    await expect.poll(() => page.workers().length).toBe(0);

    await page.getByRole("button", { name: "Move C.pdf up" }).focus();
    // So low that the row above is below the header.
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.keyboard.press("Enter");
    const header = await page.getByRole("banner").boundingBox();
    const moved = page.getByRole("button", { name: "Move C.pdf up" });
    await expect
      .poll(async () => (await moved.boundingBox())?.y)
      .toBeGreaterThanOrEqual(header?.height ?? 300);
    await page
      .getByRole("status")
      .filter({ hasText: "C.pdf is now number 2 of 3" })
      .waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await expect.poll(() => rowNames(page)).toEqual(["C.pdf", "A.pdf", "B.pdf"]);
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "Move C.pdf down" }))
      .waitFor();

    const [file] = (await draftFiles(page)) as { uploaded: { id: string } }[];
    await page.getByRole("button", { name: "Remove C.pdf" }).press("Enter");
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "Remove A.pdf" }))
      .waitFor();
    await closePopup(page, "“C.pdf” removed");
    await page.getByRole("button", { name: "Remove A.pdf" }).focus();
    await expect.poll(async () => (await visitor.fetch(`/files/${file?.uploaded.id}`)).status).toBe(404);
    // A second Enter is ignored as a double press, unless another key came between.
    await page.keyboard.press("Shift");
    await stopTheSecond(page);
    await page.keyboard.press("Enter");
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "Remove B.pdf" }))
      .waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => rowNames(page)).toEqual(["B.pdf"]);
    await page.keyboard.press("Shift");
    await page.keyboard.press("Enter");
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "Choose PDF files" }))
      .waitFor();
  });

  test("is sorted by dragging a grip with a mouse or a finger, in the order that is printed", async () => {
    // Notes about blank pages would come while a row is dragged, and move the others.
    const sheets = (count: number) => pdfOf(Array(count).fill(GREY_PAGES["black text"]));
    const files = await Promise.all([1, 2, 3].map(async (n) => pdfFile(`${n}.pdf`, await sheets(n))));
    const { page } = await visitWithFiles(storefront, files, {
      hasTouch: true,
      viewport: { width: 1280, height: 1000 },
    });
    await page.getByText("None of the 6 pages is in colour").waitFor();
    await expect.poll(() => page.getByRole("listitem").locator("img").count()).toBe(3);
    const grip = (name: string) => row(page, name).getByTitle("Drag to change the order of printing");
    await dragByMouse(page, grip("1.pdf"), grip("3.pdf"));
    await page
      .getByRole("status")
      .filter({ hasText: "1.pdf is now number 3 of 3" })
      .waitFor({ state: "attached" });
    expect(await rowNames(page)).toEqual(["2.pdf", "3.pdf", "1.pdf"]);

    await dragByMouse(page, grip("1.pdf"), grip("2.pdf"), () => page.keyboard.press("Escape"));
    expect(await rowNames(page)).toEqual(["2.pdf", "3.pdf", "1.pdf"]);

    await dragByFinger(page, grip("1.pdf"), grip("2.pdf"));
    await expect.poll(() => rowNames(page)).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
    await dragByFinger(page, grip("3.pdf"), grip("2.pdf"));
    await expect.poll(() => rowNames(page)).toEqual(["1.pdf", "3.pdf", "2.pdf"]);

    const urls = ((await draftFiles(page)) as { uploaded: { url: string } }[]).map(
      ({ uploaded }) => uploaded.url,
    );
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
    expect(await storedItem(page, "orderData")).toMatchObject({ filesUrl: urls });
  });

  test("brings a removed file back though the script of the offer does not load", async () => {
    const options = { refused: ["/assets/success-popup-"] };
    const notes = pdfFile("Notes.pdf", await pdfOfPages(2));
    const { page } = await visitWithFiles(storefront, [notes], options);
    await page.route(/\/assets\/success-popup-/, (route) => route.abort());
    await page.reload();
    const shown = page.waitForEvent("dialog");
    await page.getByRole("button", { name: "Remove Notes.pdf" }).click();
    const dialog = await shown;
    expect(dialog.message()).toBe("“Notes.pdf” removed\nUndo?");
    await dialog.accept();
    await expect.poll(() => rowNames(page)).toEqual(["Notes.pdf"]);
  });

  test("brings removed files back to their places, or their uploads, and deletes them when the offer goes", async () => {
    const files = await Promise.all([1, 2, 3].map(async (n) => pdfFile(`${n}.pdf`, await pdfOfPages(n))));
    const { page, visitor } = await visitWithFiles(storefront, files);
    const ids = ((await draftFiles(page)) as { uploaded: { id: string } }[]).map(
      ({ uploaded }) => uploaded.id,
    );
    const statuses = () => Promise.all(ids.map(async (id) => (await visitor.fetch(`/files/${id}`)).status));
    await page.getByRole("button", { name: "Remove 1.pdf" }).click();
    await page.getByRole("button", { name: "Remove 3.pdf" }).click();
    await expect.poll(() => rowNames(page)).toEqual(["2.pdf"]);
    const offer = page.getByRole("dialog", { name: "2 files removed" });
    // While it has the focus, it stays.
    await offer.getByRole("button", { name: "Undo" }).focus();
    await expectAccessiblePart(offer);
    expect(await statuses()).toEqual([200, 200, 200]);
    await offer.getByRole("button", { name: "Undo" }).click();
    await offer.waitFor({ state: "detached" });
    await expect.poll(() => rowNames(page)).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("6");

    await page.getByRole("button", { name: "Remove 2.pdf" }).click();
    await closePopup(page, "“2.pdf” removed");
    await expect.poll(statuses).toEqual([200, 404, 200]);

    await page.route(`**${UPLOADS}`, () => {});
    await pick(page, "Choose PDF files", [pdfFile("Late.pdf", await pdfOfPages(4))]);
    await row(page, "Late.pdf").getByText("uploading").waitFor();
    await page.getByRole("button", { name: "Remove Late.pdf" }).click();
    await page.unroute(`**${UPLOADS}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await closePopup(page, "File Uploaded Successfully");
    await expect.poll(() => row(page, "Late.pdf").innerText()).toContain("4 pages");
  });

  test("survives a turn of the phone when it has no memory left to draw a page", async () => {
    const thesis = pdfFile("Thesis.pdf", await pdfOfPages(2));
    const { page } = await visitWithFiles(storefront, [thesis], { viewport: { width: 390, height: 844 } });
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.getByRole("button", { name: "View pages of Thesis.pdf" }).click();
    const viewer = page.getByRole("dialog", { name: "Thesis.pdf" });
    const shown = viewer.getByRole("img", { name: "Page 1", exact: true });
    await expect.poll(async () => (await shown.boundingBox())?.width).toBe(358);
    await answersCome(page);
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(async () => (await shown.boundingBox())?.width).toBe(812);
    await viewer.getByText("Page 1 of 2").waitFor();
  });

  test("shows a long document page by page, as it is printed, with few canvases in memory", async () => {
    const { page } = await visitWithFiles(storefront, [
      pdfFile("Thesis.pdf", await withScreenNote(await pdfOfPages(100))),
    ]);
    await page.getByRole("button", { name: "View pages of Thesis.pdf" }).click();
    const viewer = page.getByRole("dialog", { name: "Thesis.pdf" });
    await viewer.getByText("Page 1 of 100").waitFor();
    const middle = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      return canvas
        .getContext("2d")
        ?.getImageData(width / 2, height / 2, 1, 1)
        .data.join();
    };
    const first = viewer.getByRole("img", { name: "Page 1", exact: true }).locator("canvas");
    await expect.poll(() => first.evaluate(middle)).toBe("255,255,255,255");
    const pages = viewer.getByRole("region", { name: "Pages of Thesis.pdf" });
    const current = async () => Number(/\d+/.exec(await viewer.getByRole("status").innerText())?.[0]);
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      await pages.evaluate((region, to) => region.scrollTo(0, region.scrollHeight * to), share);
      await expect.poll(current).toBeGreaterThan(100 * share - 5);
      await viewer
        .getByRole("img", { name: `Page ${await current()}`, exact: true })
        .locator("canvas")
        .waitFor();
      expect(await page.locator("canvas").count()).toBeLessThanOrEqual(6);
    }
    const there = await current();
    const shown = viewer.getByRole("img", { name: `Page ${there}`, exact: true });
    await page.setViewportSize({ width: 480, height: 800 });
    await expect
      .poll(async () => [await current(), (await shown.boundingBox())?.width])
      .toEqual([there, 448]);
    await viewer.getByRole("button", { name: "Next page" }).click();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "View pages of Thesis.pdf" }))
      .waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
  });

  test("shows slides one after the other although several are in sight, and two fingers enlarge them", async () => {
    const slides = pdfFile("Slides.pdf", await pagesOfSize(4, [842, 474]));
    const { page } = await visitWithFiles(storefront, [slides], PHONE);
    await page.getByRole("button", { name: "View pages of Slides.pdf" }).tap();
    const viewer = page.getByRole("dialog", { name: "Slides.pdf" });
    await viewer.getByText("Page 1 of 4").waitFor();
    for (const next of [2, 3, 4]) {
      await viewer.getByRole("button", { name: "Next page" }).tap();
      await viewer.getByText(`Page ${next} of 4`).waitFor();
    }
    await viewer.getByRole("button", { name: "Leave this page out" }).tap();
    await viewer.getByText("Page 4 of 4, left out").waitFor();
    for (const previous of [3, 2, 1]) {
      await viewer.getByRole("button", { name: "Previous page" }).tap();
      await viewer.getByText(`Page ${previous} of 4`).waitFor();
    }

    const zoom = () => page.evaluate(() => window.visualViewport?.scale);
    const left = () => page.evaluate(() => window.visualViewport?.offsetLeft);
    const slide = (way: number) => ({ x: 195 + way, y: 300 });
    await dragFingers(page, (way) => [slide(-20 - way), slide(20 + way)]);
    await expect.poll(zoom).toBeGreaterThan(2);
    const before = await left();
    await dragFingers(page, (way) => [slide(-way / 2)]);
    await expect.poll(left).not.toBe(before);
  });
});

/** The PDF with a black note over its first page that is on screens only, not on paper. */
async function withScreenNote(pdf: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf);
  const { context } = document;
  const page = document.getPage(0);
  const { width, height } = page.getSize();
  const box = [0, 0, width, height];
  const look = context.stream(`0 g ${box.join(" ")} re f`, { Type: "XObject", Subtype: "Form", BBox: box });
  const note = { Type: "Annot", Subtype: "Square", Rect: box, F: 0, AP: { N: context.register(look) } };
  page.node.addAnnot(context.register(context.obj(note)));
  return document.save();
}

/** Puts fingers on the page, moves them by 100 pixels and lifts them. */
async function dragFingers(page: Page, at: (way: number) => { x: number; y: number }[]): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    devTools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  await touch("touchStart", at(0));
  for (let way = 10; way <= 100; way += 10) await touch("touchMove", at(way));
  await touch("touchEnd", []);
}

/** Drops a file on the page's drop zone. */
async function dropFile(page: Page, name: string, content: Buffer): Promise<void> {
  const path = join(await tempFolder(), name);
  await writeFile(path, content);
  const zone = await page.getByText("or drop PDFs here").boundingBox();
  const devTools = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await devTools.send("Input.dispatchDragEvent", { type, x: zone?.x ?? 0, y: zone?.y ?? 0, data });
  }
}

/** Drags from the middle of one element to the middle of another, and past it by a few pixels, as a hand does. */
async function dragByMouse(
  page: Page,
  from: Locator,
  to: Locator,
  beforeDrop: () => Promise<void> = async () => {},
): Promise<void> {
  const { end, past } = await wayBetween(from, to);
  await page.mouse.down();
  await page.locator("[data-sorting]").waitFor();
  await page.mouse.move(end.x, past, { steps: 8 });
  await beforeDrop();
  await page.mouse.up();
}

async function dragByFinger(page: Page, from: Locator, to: Locator): Promise<void> {
  const { start, past } = await wayBetween(from, to);
  const devTools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    devTools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [start]);
  await page.locator("[data-sorting]").waitFor();
  for (const share of [0.25, 0.5, 0.75, 1])
    await touch("touchMove", [{ x: start.x, y: start.y + share * (past - start.y) }]);
  await touch("touchEnd", []);
}

/** The middles of both elements, the first of which is under the mouse afterwards, and a little further on the way. */
async function wayBetween(from: Locator, to: Locator) {
  // Scrolls there and waits until nothing moves or covers it any more.
  await from.hover();
  const [start, end] = [await middleOf(from), await middleOf(to)];
  return { start, end, past: end.y + 10 * Math.sign(end.y - start.y) };
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("it is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function draftFiles(page: Page) {
  return page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.startsWith("draft:")) ?? "";
    return JSON.parse(localStorage.getItem(name) ?? "{}").files;
  });
}

test("a refused file with a long name in one word leaves the page on a phone as wide as it was", async () => {
  const { page } = await visitAsStudent(storefront, { ...PHONE, refused: [UPLOADS] });
  await pick(page, "Choose PDF files", [pdfFile(`${"x".repeat(96)}.pdf`, Buffer.from("not a PDF"))]);
  const popup = page.getByRole("dialog", { name: "Error Uploading File", exact: true });
  await popup.waitFor();
  await expectNoSidewaysScroll(page, 390);
  const inner = () => popup.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(await inner(), "what the popup's text is wider than the popup").toBe(0);
  await closePopup(page, "Error Uploading File");
});
