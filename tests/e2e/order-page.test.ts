import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eraseDeleted } from "#server/files/files.service.ts";
import { formatPaise } from "#shared/money.ts";
import type { OrderState } from "#shared/order-states.ts";
import { seenByStaff } from "../factories/orders.ts";
import { refundCash, takeCash } from "../factories/payments.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages, plainPdf } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { standInConverter } from "../factories/stand-in-converter.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import { placeFiles } from "../server/packs.fixtures.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { answersCome, closePopup, openStorefront } from "../setup/storefront.ts";
import { type PickedFile, pdfFile, SHOP_ID, visitAs } from "./print-steps.ts";

const storefront = openStorefront();

test("a student sees their order progress live while the shop works on it", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  // Whichever notices first that there is no connection: the stream, after which the page asks for the file, or the browser.
  const refused = ["orders.live", "/robots.txt"];
  const page = await visitAs(storefront, order.visitor, { refused }, "/orders");
  await page.getByRole("link", { name: order.number }).click();
  await page.getByRole("heading", { name: `Order ${order.number}`, level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe(`Order ${order.number} · Print Store`);
  await page.getByText("Live: updates automatically").waitFor();
  await expect
    .poll(() => steps(page))
    .toEqual([
      [true, expect.stringMatching(/^Placed\n.* IST$/)],
      [false, expect.stringMatching(/^Being printed/)],
      [false, expect.stringMatching(/^Printed/)],
      [false, expect.stringMatching(/^On its way/)],
      [false, expect.stringMatching(/^Delivered/)],
    ]);
  await expectAccessibleScreen(page);
  const receipt = page.waitForEvent("download");
  await page.getByRole("link", { name: "Receipt (PDF)" }).click();
  expect((await receipt).suggestedFilename()).toBe(`Receipt ${order.number}.pdf`);

  const { visitor: staff } = await signedInAdmin(storefront.store);
  const move = async (from: OrderState, to: OrderState) =>
    expectDone(await staff.mutate("board.move", { orderId: order.id, from, to }));
  await move("placed", "printing");
  await status(page, "Being printed").waitFor();
  await move("printing", "printed");
  await status(page, "Printed").waitFor();
  await page.getByText(/^Your file will be deleted on .* IST\.$/).waitFor();

  await page.context().setOffline(true);
  await page.getByText("Connection lost").waitFor();
  await move("printed", "dispatched");
  await page.context().setOffline(false);
  await status(page, "On its way to you").waitFor();
  await page.getByText("Live: updates automatically").waitFor();
  await page.getByText(/^Your documents were deleted on .* IST\.$/).waitFor();
  expect((await steps(page)).map(([reached]) => reached)).toEqual([true, true, true, true, false]);

  // A page without orders follows none, which would take one of the few connections that a browser has.
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
  await page.getByRole("heading", { level: 1, name: "FAQs" }).waitFor();
  const followed: string[] = [];
  page.on("request", (request) => request.url().includes("orders.live") && followed.push(request.url()));
  await page.evaluate(() => {
    for (const news of ["offline", "online"]) dispatchEvent(new Event(news));
    return fetch("/robots.txt");
  });
  expect(followed).toEqual([]);
});

test("files that are being deleted are said to be deleted once they are", async () => {
  const { store } = storefront;
  const order = await placeOrder(store, SHOP_ID);
  const { visitor: staff } = await signedInAdmin(store);
  const { log } = store.deps;
  const { level } = log;
  log.level = "silent";
  const release = await makeUnremovable(store, order.fileId);
  await moveTo(staff, order.id, "delivered");
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await page.getByText("Your file is being deleted.").waitFor();
  await answersCome(page);
  await release();
  log.level = level;
  await eraseDeleted(store.deps);
  await page.getByText(/^Your documents were deleted on /).waitFor();
});

test("a cancelled order shows its reason and no further steps", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const { visitor: staff } = await signedInAdmin(storefront.store);
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await expect.poll(() => page.title()).toBe(`Order ${order.number} · Print Store`);
  await page.getByText("Live: updates automatically").waitFor();

  await staff.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "The toner is empty" });
  await page.getByText("The toner is empty").waitFor();
  expect((await steps(page)).map(([, text]) => text)).toEqual([
    expect.stringMatching(/^Placed\n/),
    expect.stringMatching(/^Cancelled\n/),
  ]);
  await expectAccessibleScreen(page);
});

test("a student sees what else changes with a file that they replace, beside its price, before they accept it", async ({
  onTestFinished,
}) => {
  storefront.store.deps.office = await standInConverter();
  onTestFinished(() => {
    storefront.store.deps.office = null;
  });
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const shop = await shownShop(
    admin,
    {
      ...smallPriceList(),
      printedColours: [priceEntry("Black & White", 100), priceEntry("Colour", 400)],
    },
    { openingHours: "Mon-Sun 9:00-20:00" },
  );
  const order = await placeFiles(
    storefront.store,
    shop.id,
    [{ name: "Thesis.pdf", bytes: await pdfOfPages(4) }],
    { parts: [{ pages: { 0: "3" }, options: { printedColour: "Colour" } }] },
  );
  expectDone(await takeCash(admin, order.id, 500));
  expectDone(await admin.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const { totalPaise } = await seenByStaff(admin, order.id);
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  const focused = page.locator(":focus");
  const cancel = page.getByRole("button", { name: "Cancel the order", exact: true });
  await cancel.press("Enter");
  await focused.and(page.getByText("This cannot be undone")).waitFor();
  await expectAccessibleScreen(page, "cancelling an order on hold");
  await page.getByRole("button", { name: "Keep the order" }).press("Enter");
  await focused.and(cancel).waitFor();
  await page.getByRole("button", { name: "Replace a file or choose another option" }).press("Enter");
  await focused.getByRole("list", { name: "Files of the order" }).waitFor();
  const news = page.getByRole("region", { name: "What to change" }).locator("[aria-live]");
  await news.waitFor({ state: "attached" });
  await page.getByLabel("Printed colour, part 2").waitFor();
  expect(await page.getByText("Ready by").count()).toBe(0);
  const accept = page.getByRole("button", { name: /^Accept / });
  const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  const replaceBy = async (...files: PickedFile[]) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Replace Thesis.pdf" }).click();
    await (await chooser).setFiles(files);
  };

  await replaceBy({ name: "Page.html", mimeType: "text/html", buffer: Buffer.from("<p>") });
  expect(await closePopup(page, "Error Uploading File")).toContain(
    "Save documents of other kinds as PDF first",
  );

  const locked = pdfFile("Locked.pdf", await encryptedPdf(2, "AES-256", { user: "roll-0042" }));
  await replaceBy(locked);
  await page.getByText("“Locked.pdf” was not uploaded").waitFor();
  await page.getByLabel("Password of Locked.pdf").fill("roll-0042");
  await page.getByRole("button", { name: "Unlock Locked.pdf" }).click();
  await closePopup(page, "File Uploaded Successfully");
  await expect.poll(() => changes.allInnerTexts()).toContain("“Thesis.pdf” is now “Locked.pdf”");
  await page.getByRole("button", { name: "Pages to print: all (Locked.pdf)" }).click();
  await page.getByLabel("Pages to print of Locked.pdf").fill("2");
  await news.getByText("New price, 1 page", { exact: true }).waitFor();
  await page.getByLabel("Pages to print of Locked.pdf").fill("");
  await news.getByText("New price, 2 pages").waitFor();
  const offer = await page.getByRole("button", { name: /^Accept ₹/ }).innerText();
  expect(await news.locator("dt, dd").allInnerTexts()).toEqual([
    "Agreed until now, 4 pages",
    formatPaise(totalPaise),
    "New price, 2 pages",
    /₹[\d.,]+/.exec(offer)?.[0],
  ]);
  await page.getByText("You have paid ₹5.00 already: the shop settles the difference with you.").waitFor();
  // It is drawn from the store's copy, which is deleted with it.
  await page.locator("main li img").waitFor();
  await page.getByRole("button", { name: "Remove Locked.pdf" }).click();
  await page.getByText("Replace a file or choose another option to see the new price").waitFor();
  const removed = () =>
    storefront.store.deps.readDb
      .selectFrom("files")
      .select("deleted_at")
      .where("original_filename", "=", "Locked.pdf")
      .executeTakeFirst();
  await expect.poll(removed).toEqual({ deleted_at: expect.any(String) });

  await replaceBy({ name: "Board.jpg", mimeType: "image/jpeg", buffer: await sidewaysPhoto() });
  await closePopup(page, "File Uploaded Successfully");
  await expect.poll(() => changes.allInnerTexts()).toContain("“Thesis.pdf” is now “Board.pdf”");

  const text = `fine\n${plainPdf(4).toString("base64")}`;
  await replaceBy({ name: "Whole.docx", mimeType: "", buffer: Buffer.from(text) });
  await closePopup(page, "File Uploaded Successfully");
  await page.getByText("Check the pages of “Whole.docx” first").waitFor();
  expect(await accept.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Check the pages of Whole.docx" }).click();
  await page.getByRole("button", { name: "Looks right" }).click();
  await page.getByRole("button", { name: /^Accept ₹.* and continue$/ }).waitFor();
  // Until the new price comes, the last one is shown and cannot be accepted.
  await expect
    .poll(() => changes.allInnerTexts())
    .toEqual(["“Thesis.pdf” is now “Whole.pdf”", "All of “Whole.pdf” is printed the same: Black & White"]);
  expect(await page.getByLabel(/^Printed colour/).count()).toBe(1);
  await expectAccessibleScreen(page);
  await accept.press("Enter");
  await page.locator("main:focus").waitFor();
  expect(await closePopup(page, "Your order was changed")).toContain("can print it now");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("Whole.docx");
  await page.getByText("Ready by").waitFor();
  expect(await page.getByText("Your order is on hold").count()).toBe(0);

  // The shop goes on while an answer is being written.
  expectDone(await admin.mutate("holds.hold", { orderId: order.id, reason: "Page 3 is blank" }));
  await page.getByRole("status").getByText("On hold").waitFor();
  await page.getByRole("button", { name: "Answer the shop" }).click();
  await page.getByRole("button", { name: "Send the answer" }).click();
  const missing = page.getByText("Please write an answer");
  await missing.waitFor();
  await focused.and(page.getByLabel("Your answer")).waitFor();
  await page.getByLabel("Your answer").fill("Print it");
  await missing.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: "Answer the shop" }).click();
  await expect.poll(() => page.getByLabel("Your answer").inputValue()).toBe("Print it");
  const { holds } = await seenByStaff(admin, order.id);
  const open = holds.find(({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt === null);
  expectDone(await admin.mutate("holds.release", { orderId: order.id, holdId: open.id }));
  expect(await closePopup(page, "Your order is no longer on hold")).toContain("was not sent");
});

test("the focus is in the page once an answer to the shop is sent, whose button is gone", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const { visitor: admin } = await signedInAdmin(storefront.store);
  expectDone(await admin.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await page.getByText("Live: updates automatically").waitFor();
  await page.getByRole("button", { name: "Answer the shop" }).click();
  await page.getByLabel("Your answer").fill("Print it as it is");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await page.getByText("The shop has your answer").waitFor();
  await answersCome(page);
  expect(await page.getByRole("button", { name: "Answer the shop" }).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
});

test("a student who has paid a part reads what is left and, before and after cancelling, what comes back, and not that nothing was sent when no answer comes", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const { visitor: admin } = await signedInAdmin(storefront.store);
  expectDone(await takeCash(admin, order.id, 500));
  expectDone(await refundCash(admin, order.id, 200));
  expectDone(await admin.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const { totalPaise } = await seenByStaff(admin, order.id);
  const page = await visitAs(storefront, order.visitor, { refused: ["holds.cancel"] }, `/orders/${order.id}`);
  await page.route(
    "**/api/trpc/holds.cancel?*",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  const payment = page.getByRole("region", { name: "Payment" });
  const left = `${formatPaise(totalPaise - 500)} is left to pay.`;
  await payment.getByText(`has received ₹5.00 and refunded you ₹2.00. ${left}`).waitFor();
  await page.getByRole("button", { name: "Cancel the order", exact: true }).click();
  await page.getByText("You have paid ₹3.00: the shop will refund it.").waitFor();
  await page.getByRole("button", { name: "Yes, cancel the order" }).click();
  expect(await closePopup(page, "Your order is no longer on hold")).toContain("may have arrived");
  await status(page, "Cancelled").waitFor();
  await payment.getByText("has received ₹3.00. Ask the shop for your refund of ₹3.00.").waitFor();
  expectDone(await refundCash(admin, order.id, 300));
  await payment.getByText("refunded you ₹5.00.").waitFor();
  const phone = page.getByRole("region", { name: "Shop", exact: true }).getByRole("link", { name: /^\+91/ });
  expect(await phone.getAttribute("href")).toBe("tel:+910000000001");
});

test("another student's order is not found, like an unknown one", async () => {
  const { id } = await placeOrder(storefront.store, SHOP_ID);
  const { visitor } = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitAs(storefront, visitor, { refused: ["/orders/"] }, "/robots.txt");
  for (const orderId of [id, "nonsense"]) {
    expect((await page.goto(`/orders/${orderId}`))?.status()).toBe(404);
    await page.getByRole("heading", { name: "This order was not found" }).waitFor();
  }
});

/** The current state as announced to a screen reader. */
function status(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}

/** Whether each step of the timeline is reached, and its text. */
async function steps(page: Page): Promise<[boolean, string][]> {
  const items = await page.getByRole("list", { name: "Progress of the order" }).getByRole("listitem").all();
  return Promise.all(
    items.map(
      async (item): Promise<[boolean, string]> => [
        (await item.getByRole("time").count()) > 0,
        await item.innerText(),
      ],
    ),
  );
}
