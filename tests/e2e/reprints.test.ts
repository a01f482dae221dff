import { expect, test } from "vitest";
import type { Quote } from "#shared/pricing.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { acceptedReprint, answerReport, deliveredOrder, reportError } from "../factories/reprints.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { placeFiles } from "../server/packs.fixtures.ts";
import { expectAccessiblePart, expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { closePopup, delayRequests, openStorefront } from "../setup/storefront.ts";
import { orderButton, visitBoard } from "./admin-orders-steps.ts";
import { openScreen } from "./admin-steps.ts";
import { ordersOf, pdfFile, pick, SHOP_ID, UPLOADS, upload, visitAs } from "./print-steps.ts";

const storefront = openStorefront();

test("a student reports a printing error with a photo, the shop accepts it, and the reprint is free", async () => {
  const { store } = storefront;
  const order = await placeOrder(store, SHOP_ID);
  const owner = await signedInOwner(store, [SHOP_ID]);
  const page = await visitAs(
    storefront,
    order.visitor,
    { refused: ["/api/trpc/reprints.uploadPhoto"] },
    `/orders/${order.id}`,
  );
  await page.getByText("Live: updates automatically").waitFor();
  expect(await page.getByRole("button", { name: "Report a printing error" }).count()).toBe(0);
  await moveTo(owner.visitor, order.id, "delivered");
  await page.getByText(/^If something was printed wrong, report it by .* IST/).waitFor();

  const report = page.getByRole("button", { name: "Report a printing error" });
  await report.click();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.locator(":focus").and(report).waitFor();
  await report.click();
  await page.getByRole("button", { name: "Send the report" }).click();
  await page.getByText("Please say what is wrong").waitFor();
  await page.locator(":focus").and(page.getByLabel("What is wrong?")).waitFor();
  await page.getByLabel("What is wrong?").fill("Page 2 is smudged");
  expect(await page.getByText("Please say what is wrong").count()).toBe(0);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add photos" }).click();
  const words = { name: "words.png", mimeType: "image/png", buffer: Buffer.from("words") };
  const photo = { name: "smudge.jpg", mimeType: "image/jpeg", buffer: await sidewaysPhoto() };
  await (await choosing).setFiles([words, photo]);
  const sent = page.getByRole("img", { name: "smudge.jpg" });
  await sent.waitFor();
  await page.getByText("“words.png”: This is not a picture. Please choose a PNG or JPEG file").waitFor();
  await expectAccessibleScreen(page);
  // As after the camera, for which a phone may have thrown the tab away.
  await page.reload();
  await report.click();
  await sent.waitFor();
  expect(await page.getByLabel("What is wrong?").inputValue()).toBe("Page 2 is smudged");
  await page.getByRole("button", { name: "Send the report" }).click();
  await page.locator(":focus").and(page.getByText("You reported a printing error.")).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("smudge");

  const queue = await visitBoard(storefront, owner);
  await queue.getByRole("link", { name: "1 printing error to answer" }).click();
  await queue.getByRole("row").filter({ hasText: order.number }).getByText("Misprint").waitFor();
  await expect.poll(() => queue.getByLabel("Reported printing errors").isChecked()).toBe(true);
  await orderButton(queue, order.number).click();
  const panel = queue.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByText("Page 2 is smudged").waitFor();
  await panel.getByRole("link", { name: "Open number 1" }).waitFor();
  await expectAccessiblePart(panel);
  await panel.getByRole("button", { name: "Accept the reprint" }).click();
  await panel.getByText("Please say why").waitFor();
  await panel.getByLabel("Answer to the student").fill("Sorry, the drum was dirty");
  await panel.getByRole("button", { name: "Accept the reprint" }).click();
  const accepted = panel.getByText("Reprint accepted: the student uploads the files again");
  await accepted.and(queue.locator(":focus")).waitFor();

  await page.getByText("Sorry, the drum was dirty").waitFor();
  await page.getByText("Add the files of this order again").waitFor();
  await upload(page, [pdfFile("Notes.pdf", await pdfOfPages(5))]);
  await page.getByText("The order had 3 pages, and these are 5. Choose which pages to print").waitFor();
  await page.getByRole("button", { name: /^Pages to print/ }).click();
  await page.getByRole("textbox", { name: "Pages to print of Notes.pdf" }).fill("1-3");
  await page.getByText("Same options, copies and delivery as before").waitFor();
  await expectAccessibleScreen(page);
  await page.getByRole("button", { name: "Order the reprint" }).click();
  await closePopup(page, "Reprint ordered");
  await page.getByText(`This is a free reprint of order ${order.number}.`).waitFor();
  const orders = await ordersOf(storefront, order.student);
  const reprint = orders.find(({ id }) => id !== order.id);
  expect(reprint).toMatchObject({ reprint_of: order.id, total_paise: 0, pages: 3 });
  await page.getByRole("link", { name: `order ${order.number}` }).click();
  await page.getByRole("link", { name: `order ${reprint?.number}` }).waitFor();
  await page.getByText("The shop is printing it again, free of charge.").waitFor();

  await queue.getByText("Board", { exact: true }).click();
  const card = queue.getByRole("listitem").filter({ hasText: reprint?.number ?? "" });
  await card.getByText("Reprint", { exact: true }).waitFor();
  await panel.getByRole("link", { name: `#${reprint?.number}` }).click();
  const reprintPanel = queue.getByRole("complementary", { name: `Order ${reprint?.number}` });
  await reprintPanel.getByText(`Reprint of #${order.number}, at no charge`).waitFor();
  await reprintPanel.getByText("Nothing to pay").waitFor();
});

test("a file with another number of pages loses its pages in colour, which is said before it is ordered", async () => {
  const { store } = storefront;
  const { visitor: admin } = await signedInAdmin(store);
  const shop = await shownShop(admin, {
    ...smallPriceList(),
    printedColours: [priceEntry("Black & White", 100), priceEntry("Colour", 400)],
  });
  const order = await placeFiles(store, shop.id, [{ name: "Thesis.pdf", bytes: await pdfOfPages(4) }], {
    parts: [{ pages: { 0: "3" }, options: { printedColour: "Colour" } }],
  });
  await moveTo(admin, order.id, "delivered");
  expectDone(await reportError(order));
  expectDone(await answerReport(admin, order.id, true));

  const page = await visitAs(storefront, order.visitor, {}, `/orders/${order.id}`);
  await page.getByText("Add the files of this order again").waitFor();
  await upload(page, [pdfFile("Thesis.pdf", await pdfOfPages(3))]);
  await page
    .getByText("“Thesis.pdf” has 3 pages and had 4. They are all printed the same: Black & White")
    .waitFor();
  await page.getByText("Everything else as before, free of charge.").waitFor();
  await page.getByRole("button", { name: "Order the reprint" }).click();
  await closePopup(page, "Reprint ordered");
  await page.getByText(`This is a free reprint of order ${order.number}.`).waitFor();
  const orderId = page.url().split("/").at(-1) ?? "";
  const { quote } = expectDone(await admin.query("board.order", { orderId }));
  expect(quote.jobs.map(({ lines }: Quote["jobs"][number]) => lines.map(({ name }) => name))).toEqual([
    expect.arrayContaining(["Black & White"]),
  ]);
  // It is ordered again for nothing, and not by the button that would make an order to be paid of it.
  await page.getByRole("button", { name: "Order again" }).waitFor();
  expectDone(await admin.mutate("board.cancel", { orderId, from: "placed", reason: "Out of paper" }));
  await page
    .getByText(`Your free reprint is still available: order it again on the page of order ${order.number}.`)
    .waitFor();
  expect(await page.getByRole("button", { name: "Order again" }).count()).toBe(0);
});

test("a reprint waits until a file that was not uploaded is chosen again or removed, and a late answer opens no page", async () => {
  const { visitor: staff } = await signedInOwner(storefront.store, [SHOP_ID]);
  const order = await acceptedReprint(storefront.store, staff, SHOP_ID);
  const page = await visitAs(storefront, order.visitor, { refused: [UPLOADS] }, `/orders/${order.id}`);
  await page.getByText("Add the files of this order again").waitFor();
  const button = page.getByRole("button", { name: "Order the reprint" });
  await upload(page, [pdfFile("Good.pdf", await pdfOfPages(1))]);
  await button.and(page.locator(":enabled")).waitFor();
  await pick(page, "Choose PDF files", [pdfFile("Broken.pdf", Buffer.from("%PDF-1.4 nothing"))]);
  await closePopup(page, "Error Uploading File");
  await page.getByText("“Broken.pdf” was not uploaded. Choose it again or remove it first").waitFor();
  expect(await button.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove Broken.pdf" }).click();
  await button.and(page.locator(":enabled")).waitFor();

  // An answer that comes late leaves the student where they went on to.
  const release = await delayRequests(page, "**/api/trpc/reprints.order*");
  await button.click();
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
  await page.waitForURL("**/faq");
  release();
  await closePopup(page, "Reprint ordered");
  expect(new URL(page.url()).pathname).toBe("/faq");
});

test("an error cannot be reported after the deadline, and a declined report shows why, also who declined it to a late colleague", async () => {
  const { store } = storefront;
  const { visitor: staff, person } = await signedInOwner(store, [SHOP_ID]);
  const answered = await deliveredOrder(store, staff, SHOP_ID);
  const declined = await deliveredOrder(store, staff, SHOP_ID);
  const late = await deliveredOrder(store, staff, SHOP_ID);
  for (const order of [answered, declined]) expectDone(await reportError(order));
  const path = `/admin/orders?order=${answered.id}`;
  const colleague = await visitBoard(storefront, await signedInCounter(store, [SHOP_ID]), {
    path,
    refused: ["reprints.answer"],
  });
  await colleague.route("**/api/trpc/reprints.answer*", async (route) => {
    await answerReport(staff, answered.id, false);
    await route.continue();
  });
  await colleague.getByLabel("Answer to the student").fill("Sorry");
  await colleague.getByRole("button", { name: "Accept the reprint" }).click();
  await colleague.getByText("Reprint declined").waitFor();
  await colleague
    .getByRole("alert")
    .getByText(`${person.fullName} has already answered this report`)
    .waitFor();
  await colleague.unroute("**/api/trpc/reprints.answer*");
  await openScreen(colleague, `/admin/orders?order=${declined.id}`);
  await colleague.getByLabel("Answer to the student").fill("It is fine");
  await colleague.getByRole("button", { name: "Decline" }).click();
  await colleague.getByText(`Reprint of order ${declined.number} declined`).waitFor();
  const page = await visitAs(storefront, declined.visitor, {}, `/orders/${declined.id}`);
  await page.getByText("The shop declined the reprint.").waitFor();
  await page.getByText("It is fine").waitFor();
  await expectAccessibleScreen(page);

  const offer = await visitAs(storefront, late.visitor, {}, `/orders/${late.id}`);
  const button = offer.getByRole("button", { name: "Report a printing error" });
  await button.waitFor();
  store.clock.advance({ days: 3, seconds: 1 });
  await offer.reload();
  await offer.getByText("Live: updates automatically").waitFor();
  expect(await button.count()).toBe(0);
});
