import { expect, test } from "vitest";
import { COLOUR_PAGES, GREY_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import {
  goToCheckout,
  hurryUntil,
  ordersOf,
  pdfFile,
  placeOrder,
  priceOf,
  row,
  total,
  upload,
  visitWithFiles,
} from "./print-steps.ts";

const storefront = openStorefront();

const grey = GREY_PAGES["black text"];
const coloured = COLOUR_PAGES["one blue word"];

test("pages in colour are printed in colour and the rest black, as one order with two parts", async () => {
  const slides = await pdfOf([grey, coloured, grey, grey, coloured, grey]);
  const { page, student } = await visitWithFiles(storefront, [pdfFile("Slides.pdf", slides)]);
  const offer = page.getByRole("checkbox", { name: /in Colour, the rest in/ });
  const label = () => offer.evaluate((box) => box.parentElement?.textContent ?? "");
  // 6 × 1.25 = 8, with 3 tax and 8 delivery; 2 × 5 + 4 × 1.25 = 15, with 15 delivery.
  await offer.waitFor();
  expect(await label()).toContain(
    "2 of 6 pages in Colour, the rest in Black & White: ₹30.00 instead of ₹19.00",
  );
  await page.getByLabel("Printed colour").selectOption({ label: "Colour · ₹4.25 a page" });
  // 6 × 5 = 30, with 10 delivery.
  await expect
    .poll(label)
    .toContain("2 of 6 pages in Colour, the rest in Black & White: ₹30.00 instead of ₹40.00");
  expect(await total(page)).toBe("₹40.00");
  await offer.check();
  await expect.poll(() => total(page)).toBe("₹30.00");
  await priceOf(page).getByText("2 pages × 1 copy × ₹4.25").waitFor({ state: "attached" });
  await expectAccessibleScreen(page);

  await upload(page, [pdfFile("Notes.pdf", await pdfOf([grey]))]);
  // 2 × 5 + 5 × 1.25 = 17, with 2 tax and 17 delivery.
  await expect.poll(label).toContain("2 of 7 pages in Colour, the rest in Black & White: ₹36.00");
  await row(page, "Notes.pdf").getByRole("button", { name: "Remove Notes.pdf" }).click();
  await expect.poll(() => total(page)).toBe("₹30.00");
  await page.reload();
  await expect.poll(() => offer.isChecked()).toBe(true);
  await expect.poll(() => total(page)).toBe("₹30.00");

  await goToCheckout(page);
  const parts = [
    "Colour: Slides.pdf, pages 2, 5. Prints 2 pages on 2 sheets",
    "Black & White: Slides.pdf, pages 1, 3-4, 6. Prints 4 pages on 4 sheets",
  ];
  for (const text of parts) await page.getByText(text, { exact: true }).waitFor();
  expect(await total(page)).toBe("₹30.00");
  await placeOrder(page);
  const [order] = await ordersOf(storefront, student);
  expect([order?.pages, order?.total_paise]).toEqual([6, 3000]);
  await page.goto(`/orders/${order?.id}`);
  for (const text of parts) await page.getByText(text, { exact: true }).waitFor();
  await expectAccessibleScreen(page);
  await page.getByRole("button", { name: "Order again" }).click();
  await page.waitForURL("**/printnow*");
  await upload(page, [pdfFile("Slides.pdf", slides)]);
  await expect.poll(() => offer.isChecked()).toBe(true);
  await expect.poll(() => total(page)).toBe("₹30.00");
});

test("a student can continue once the store answers again what is in colour", async () => {
  const slides = pdfFile("Slides.pdf", await pdfOf([grey, coloured, grey]));
  const { page } = await visitWithFiles(storefront, [slides], { refused: ["/api/trpc/"] });
  await page.getByLabel("Printed colour").selectOption({ label: "Colour · ₹4.25 a page" });
  await page.getByRole("checkbox", { name: /in Colour, the rest in/ }).check();
  await page.getByRole("button", { name: "Continue", disabled: false }).waitFor();
  await page.clock.install();
  const calls = "**/api/trpc/*files.colours*";
  let lost = 0;
  await page.route(calls, (route) => {
    lost += 1;
    return route.abort("connectionreset");
  });
  await upload(page, [pdfFile("Notes.pdf", await pdfOf([grey]))]);
  await page.getByText("Your files are still being checked for colour").waitFor();
  // The first call and its two retries.
  await hurryUntil(page, () => lost === 3);
  await page.unroute(calls);
  await hurryUntil(page, () => page.getByRole("button", { name: "Continue", disabled: false }).isVisible());
});
