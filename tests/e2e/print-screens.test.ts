import { PDFDocument } from "pdf-lib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import {
  expectAccessibleStates,
  expectNoSidewaysScroll,
  LARGE_LETTERS,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  ADDRESS,
  ordersOf,
  PRINT_PATH,
  pdfFile,
  pick,
  priceOf,
  row,
  SHOP_ID,
  saveAddress,
  UPLOADS,
  visitAsStudent,
  visitPreparedOrder,
} from "./print-steps.ts";

const storefront = openStorefront();

async function drawnPdf(name: string) {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText("Front page", { x: 50, y: 400, size: 90 });
  return pdfFile(name, await document.save());
}

/** Every stable state of the order screens, each reached from the one before. */
const STATES: ScreenStates = [
  ["no file yet", (page) => page.getByText("Add at least one file to continue").waitFor()],
  ["files, one of them refused", addFiles],
  [
    "the unfolded price",
    async (page) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await priceOf(page)
        .getByRole("button", { name: /^Total/ })
        .click();
    },
  ],
  [
    "the page viewer",
    async (page) => {
      await page.getByRole("button", { name: /^View pages of A file/ }).click();
      await page.getByText("Page 1 of 1").waitFor();
    },
  ],
  [
    "an order without an address",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL("**/printorder");
      await page.getByLabel("Flat number").waitFor();
    },
  ],
  [
    "an order with an address",
    async (page) => {
      await saveAddress(page);
      await closePopup(page, "address Updated!");
    },
  ],
  [
    "an order whose price changed",
    async (page) => {
      await page.evaluate(() => {
        const order = JSON.parse(localStorage.getItem("orderData") ?? "{}");
        localStorage.setItem("orderData", JSON.stringify({ ...order, subTotal: 1 }));
      });
      await page.reload();
      await page.getByRole("heading", { name: /^The price has changed/ }).waitFor();
    },
  ],
];

async function addFiles(page: Page) {
  await pick(page, "Choose PDF files", [
    await drawnPdf(
      "A file with quite a long name that a student gave it in the night before the deadline.pdf",
    ),
    pdfFile("Broken.pdf", Buffer.from("%PDF-1.7 and nothing more")),
  ]);
  await closePopup(page, "Error Uploading File");
  await closePopup(page, "File Uploaded Successfully");
  await page.getByRole("radio", { name: "2", exact: true }).check();
  await page.getByRole("img", { name: /^The first side/ }).waitFor();
}

describe("the screens of an order", () => {
  test("fit every width and pass axe in light and dark, from the first file to the address", async () => {
    const { page } = await visitAsStudent(storefront, { refused: [UPLOADS] });
    for (const state of STATES) {
      await expectAccessibleStates(page, [state]);
      for (const width of [LARGE_LETTERS, 320]) await expectNoSidewaysScroll(page, width);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test("do not shift while files upload and prices change", async () => {
    const { page } = await visitAsStudent(storefront, { viewport: { width: 390, height: 844 } });
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send("Network.emulateNetworkConditions", slow);
    await pick(page, "Choose PDF files", [
      pdfFile("A.pdf", await pdfOfPages(12)),
      pdfFile("B.pdf", await pdfOfPages(40)),
    ]);
    await row(page, "B.pdf").waitFor();
    await drawn(page);
    await watchShifts(page);
    await closePopup(page, "File Uploaded Successfully");
    await page.getByText("None of the 52 pages is in colour").waitFor();
    await expect.poll(() => page.getByRole("listitem").locator("img").count()).toBe(2);
    await drawn(page);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });
});

test("the password of a locked file has room to be typed, also in large letters on a phone", async () => {
  const { page } = await visitAsStudent(storefront, { viewport: { width: LARGE_LETTERS, height: 422 } });
  await pick(page, "Choose PDF files", [
    pdfFile("Locked.pdf", await encryptedPdf(1, "AES-256", { user: "1234" })),
  ]);
  const field = page.getByLabel("Password of Locked.pdf");
  await field.waitFor();
  expect((await field.boundingBox())?.width).toBeGreaterThan(100);
});

test("a student can order by keyboard alone", async () => {
  const { page, student } = await visitAsStudent(storefront, { viewport: { width: 1280, height: 900 } });
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return (
        element?.labels?.[0]?.textContent ?? element?.getAttribute("aria-label") ?? element?.textContent ?? ""
      );
    });
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 60 && (await focused()).trim() !== name; steps++)
      await page.keyboard.press("Tab");
    expect((await focused()).trim()).toBe(name);
  };

  await page.getByRole("button", { name: "Choose PDF files" }).waitFor();
  // Wait for the file chooser first: the key press is faster than the request for its event.
  const chooser = page.waitForEvent("filechooser");
  await tabTo("Choose PDF files");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles([await drawnPdf("A.pdf"), await drawnPdf("B.pdf")]);
  await page.getByRole("dialog", { name: "File Uploaded Successfully" }).waitFor();
  await expect.poll(focused).toContain("Choose PDF files");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(focused).toContain("Choose PDF files");
  await tabTo("Move B.pdf up");
  await page.keyboard.press("Enter");
  await tabTo("Number of copies");
  await page.keyboard.press("ArrowUp");
  await tabTo("Printed colour");
  await page.keyboard.press("ArrowDown");
  await tabTo("Continue");
  await page.keyboard.press("Enter");
  await page.getByLabel("Flat number").and(page.locator(":focus")).waitFor();
  for (const [label, value] of Object.entries(ADDRESS)) {
    await tabTo(label);
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "address Updated!" }).waitFor();
  await expect.poll(focused).toBe("Change address");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Delivery to");
  await tabTo("Cancel");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Change address");
  await tabTo("Place Order");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Congratulations!!!" }).waitFor();
  const [order] = await ordersOf(storefront, student);
  expect([order?.shop_id, order?.pages, order?.copies]).toEqual([SHOP_ID, 2, 2]);
});

/** Waits until all that has changed is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Sums up the browser's layout shifts that no input caused. */
async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const add = (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => {
      if (!entry.hadRecentInput) dataset.shift = String(Number(dataset.shift ?? 0) + (entry.value ?? 0));
    };
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift" });
  });
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
}

test.each([360, 390])(
  "every choice is read whole on a phone %i px wide, with what its price is for",
  async (width) => {
    const { page } = await visitAsStudent(storefront, { viewport: { width, height: 780 } });
    const cut = await page.locator("main select").evaluateAll((selects) =>
      selects.flatMap((select) => {
        const { options, clientWidth } = select as HTMLSelectElement;
        const { font, paddingLeft, paddingRight } = getComputedStyle(select);
        const letters = document.createElement("canvas").getContext("2d");
        if (letters) letters.font = font;
        const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        const widthOf = (text: string) => letters?.measureText(text).width ?? Number.NaN;
        return [...options].map(({ text }) => text).filter((text) => !(widthOf(text) <= room));
      }),
    );
    expect(cut).toEqual([]);
  },
);

test("letters of twice the size stay in the box for files, and the total beside its button", async () => {
  const { page } = await visitPreparedOrder(
    storefront,
    { viewport: { width: 360, height: 780 } },
    { address: false },
  );
  const enlarge = () => page.evaluate(() => document.documentElement.style.setProperty("font-size", "32px"));
  const button = priceOf(page).getByRole("button", { name: "address not added" });
  await button.waitFor();
  await enlarge();
  const total = priceOf(page).getByRole("button", { name: /Total/ }).getByText(/^₹/);
  const [words, pressed] = [await total.boundingBox(), await button.boundingBox()];
  if (!words || !pressed) throw new Error("The bar lacks the total or the button");
  const isBeside = words.x + words.width <= pressed.x;
  const isAbove = words.y + words.height <= pressed.y;
  expect(isBeside || isAbove).toBe(true);
  await expectNoSidewaysScroll(page, 360);
  await page.goto(PRINT_PATH);
  await enlarge();
  const hint = page.getByText("Photos become A4 pages, one each.");
  const [text, box] = [await hint.boundingBox(), await hint.locator("..").boundingBox()];
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0));
});
