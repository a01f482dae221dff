import { readFile } from "node:fs/promises";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { editedPrices, expectDone, pricesOf, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { sessionOf } from "../setup/browser.ts";
import { openStorefront } from "../setup/storefront.ts";
import { loseAnswer } from "./admin-orders-steps.ts";
import { cell, namesIn, pasteInto, priceList, savePrices } from "./admin-shops-steps.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();
const BINDINGS = ["No Binding", "Corner Staple", "Spiral Binding", "Soft Binding", "Hard Binding"];

interface Editor {
  page: Page;
  shopId: string;
}

let staff: StaffPerson;
beforeAll(async () => {
  staff = await signedInAdmin(storefront.store);
});

/** The console of all tests that have a shop of their own in it. */
const tab = storefront.visitOnce("/admin/shops", () => ({
  ...sessionOf(staff.visitor),
  refused: ["prices.save"],
}));

/** Opens the price list of a new shop with the demo's bindings. */
async function openEditor(): Promise<Editor> {
  const { id: shopId, shopName } = await shownShop(staff.visitor);
  const demo = await pricesOf(staff.visitor, "red-soil-prints");
  const bindingOptions = demo.lists.bindingOptions.map(({ id, ...entry }) => entry);
  expectDone(
    await staff.visitor.mutate(
      "prices.save",
      await editedPrices(staff.visitor, shopId, () => ({ bindingOptions })),
    ),
  );
  const page = tab();
  await page.setViewportSize({ width: 1280, height: 720 });
  await openScreen(page, `/admin/shops/${shopId}/prices`);
  await page.getByRole("heading", { level: 1, name: shopName }).waitFor();
  await priceList(page, "Binding").waitFor();
  return { page, shopId };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const nameOf = (page: Page, option: string) =>
  page.getByRole("textbox", { name: `Name of ${option}, Binding`, exact: true });
const priceOf = (page: Page, option: string) =>
  page.getByRole("textbox", { name: `Price in rupees of ${option}, Binding`, exact: true });
const saved = async ({ shopId }: Editor) => (await pricesOf(staff.visitor, shopId)).lists.bindingOptions;

describe("the keyboard in the price list", () => {
  test("moves between cells, while the arrow keys stay in a text being edited", async () => {
    const { page } = await openEditor();
    await nameOf(page, "Corner Staple").focus();
    const walk: [string, string][] = [
      ["ArrowRight", "Price in rupees of Corner Staple, Binding"],
      ["ArrowDown", "Price in rupees of Spiral Binding, Binding"],
      ["ArrowRight", "Basis of Spiral Binding, Binding"],
      ["ArrowDown", "Basis of Soft Binding, Binding"],
      ["Tab", "Offered of Soft Binding, Binding"],
      ["Tab", "Name of Hard Binding, Binding"],
      ["Enter", "Name of a new option, Binding"],
      ["Shift+Enter", "Name of Hard Binding, Binding"],
      ["ArrowLeft", "Move Hard Binding"],
      ["ArrowRight", "Name of Hard Binding, Binding"],
    ];
    for (const [key, label] of walk) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page), { message: key }).toBe(label);
    }
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => focused(page)).toBe("Name of Hard Binding, Binding");
    await expect.poll(() => page.getByLabel("Basis of Soft Binding, Binding").inputValue()).toBe("copy");
  });

  test("moves and removes rows, restores a value, undoes and saves", async () => {
    const editor = await openEditor();
    const { page } = editor;
    await nameOf(page, "Spiral Binding").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await expect
      .poll(() => namesIn(page, "Binding"))
      .toEqual(["Spiral Binding", "No Binding", "Corner Staple", "Soft Binding", "Hard Binding"]);
    await expect.poll(() => focused(page)).toBe("Name of Spiral Binding, Binding");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+Delete");
    await expect.poll(() => focused(page)).toBe("Name of Corner Staple, Binding");
    await page.keyboard.type("Overwritten");
    await page.keyboard.press("Escape");
    await page.keyboard.type("Staple");
    await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => namesIn(page, "Binding"))
      .toEqual(["Spiral Binding", "Staple", "Soft Binding", "Hard Binding"]);
    await savePrices(page);
    expect((await saved(editor)).map(({ name }) => name)).toEqual(await namesIn(page, "Binding"));

    await page.keyboard.press("Control+Delete");
    await expect.poll(() => namesIn(page, "Binding")).toEqual(["Spiral Binding", "Staple", "Hard Binding"]);
    await page.keyboard.press("Control+Z");
    await expect
      .poll(() => namesIn(page, "Binding"))
      .toEqual(["Spiral Binding", "Staple", "Soft Binding", "Hard Binding"]);
    await page.getByText("All changes saved").waitFor();
    for (const option of ["Staple", "Hard Binding"]) await priceOf(page, option).fill("1");
    await page.getByText("2 unsaved changes").waitFor();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByText("All changes saved").waitFor();
  });

  test("goes on in the next row after the button that removes one", async () => {
    const { page } = await openEditor();
    await page.getByRole("button", { name: "Remove Spiral Binding, Binding" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Remove Soft Binding, Binding");
  });

  test("lifts a row by its handle, moves it and drops it", async () => {
    const { page } = await openEditor();
    await nameOf(page, "No Binding").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByText("1 unsaved change").waitFor();
    await expect
      .poll(() => namesIn(page, "Binding"))
      .toEqual(["Corner Staple", "Spiral Binding", "No Binding", "Soft Binding", "Hard Binding"]);
  });
});

test("a row can be dragged with the mouse", async () => {
  const { page } = await openEditor();
  const handle = (option: string) => page.getByRole("button", { name: `Move ${option}`, exact: true });
  await handle("No Binding").scrollIntoViewIfNeeded();
  const [from, to] = [await handle("No Binding").boundingBox(), await handle("Spiral Binding").boundingBox()];
  if (!from || !to) throw new Error("A handle is not on the screen");
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x + 8, to.y + 14, { steps: 8 });
  await page.mouse.up();
  await page.getByText("1 unsaved change").waitFor();
  expect((await namesIn(page, "Binding")).slice(0, 3)).toEqual([
    "Corner Staple",
    "Spiral Binding",
    "No Binding",
  ]);
});

test("an invalid cell is marked, focused, and saved once it is valid; until then no tool takes it for free", async () => {
  const editor = await openEditor();
  const { page } = editor;
  const sent: string[] = [];
  const listen = (request: Request) => sent.push(request.url());
  page.on("request", listen);
  await priceOf(page, "Spiral Binding").fill("thirty");
  await page.getByRole("button", { name: "Raise prices" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "Correct the cells in red first" });
  await refusal.waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  // It stays, and the other tests have the same tab.
  await refusal.getByRole("button").click();
  await refusal.waitFor({ state: "detached" });
  await cell(page, "Binding", "Name").fill("Hard Binding");
  await page.getByRole("button", { name: "Save prices" }).click();
  await expect.poll(() => focused(page)).toBe("Price in rupees of Spiral Binding, Binding");
  await page.getByText("Not saved: 3 places need correcting").waitFor();
  await page.getByText('"Hard Binding" is in this list twice. Enter a price; 0 is free').waitFor();
  expect((await saved(editor)).map(({ name }) => name)).toEqual(BINDINGS);
  page.off("request", listen);
  expect(sent.filter((url) => url.includes("prices.save"))).toEqual([]);

  await page.keyboard.type("30.5");
  await page.getByRole("textbox", { name: "Name of Hard Binding, Binding" }).last().fill("Wire");
  await priceOf(page, "Wire").fill("40");
  await savePrices(page);
  await expect.poll(() => priceOf(page, "Spiral Binding").inputValue()).toBe("30.50");
  expect((await saved(editor)).map(({ pricePaise }) => pricePaise)).toEqual([
    0, 200, 3050, 6500, 18_500, 4000,
  ]);
});

test("a sample job shows its cost before and after", async () => {
  const { page } = await openEditor();
  const job = page.getByRole("listitem", { name: "Sample job 1" });
  const before = await job.getByText(/^₹/).first().innerText();
  await job.locator("summary").click();
  await job.getByLabel("Pages").fill("10");
  await job.getByLabel("Binding").selectOption("Spiral Binding");
  // 10 × (0.50 + 0.20) + 5 × 0.30 + 35 = 43.50, rounded up to 44; 44 mod 5 = 4; 44 mod 20 = 4
  await job.getByText("₹52.00").waitFor();
  expect(before).not.toBe("₹52.00");
  await priceOf(page, "Spiral Binding").fill("40");
  // 48.50, rounded up to 49; 49 mod 5 = 4; 49 mod 20 = 9
  await job.getByText("₹62.00").waitFor();
  await expect.poll(() => job.locator("s").innerText()).toBe("₹52.00");
  await expect.poll(() => job.innerText()).toContain("+₹10.00");
});

test("enlarged to 400 % the prices and their choices can be read, and the save bar covers no row", async () => {
  const { page } = await openEditor();
  await page.setViewportSize({ width: 320, height: 256 });
  await priceOf(page, "Hard Binding").fill("1250.00");
  const cells = priceList(page, "Binding")
    .or(priceList(page, "Printed colour"))
    .or(priceList(page, "Printing side"))
    .locator("li:not([data-blank]) :is(select, [data-column=price])");
  const findCut = () =>
    cells.evaluateAll((all) =>
      (all as HTMLElement[])
        .filter((cell) => {
          const { offsetWidth, scrollWidth } = cell;
          if (cell instanceof HTMLInputElement) return scrollWidth > offsetWidth;
          cell.style.width = "max-content";
          const isCut = cell.offsetWidth > offsetWidth;
          cell.style.width = "";
          return isCut;
        })
        .map((cell) => `${cell.ariaLabel} ${cell.offsetWidth} ${cell.scrollWidth}`),
    );
  // The narrow layout comes a moment after the window is made narrow.
  await expect.poll(findCut).toEqual([]);
  await page.getByRole("button", { name: "Raise prices" }).scrollIntoViewIfNeeded();
  const save = page.getByRole("button", { name: "Save prices" });
  expect((await save.boundingBox())?.y).toBeGreaterThan(256);
});

test("raising a whole list is previewed first", async () => {
  const editor = await openEditor();
  const { page } = editor;
  await page.getByRole("button", { name: "Raise prices" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("List").selectOption("Binding");
  await dialog.getByLabel("Percent").fill("5");
  await dialog.getByLabel("Rounded to").selectOption("whole rupees");
  await expect
    .poll(() => dialog.getByRole("list", { name: "Changes in Binding" }).innerText())
    .toContain("Spiral Binding: ₹35.00 a copy now ₹37.00 a copy");
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
  await dialog.getByRole("button", { name: "Change the prices" }).click();
  await expect.poll(focusedText).toBe("Raise prices");
  await page.getByRole("button", { name: "Import" }).click();
  await page.keyboard.press("Escape");
  await expect.poll(focusedText).toBe("Import");
  await savePrices(page);
  expect((await saved(editor)).map(({ pricePaise }) => pricePaise)).toEqual([0, 200, 3700, 6800, 19_400]);
});

test("copying lists from another shop keeps the option ids, and is saved once though the answer is lost", async () => {
  const editor = await openEditor();
  const { page } = editor;
  const before = await saved(editor);
  await page.getByRole("button", { name: "Copy from a shop" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Shop" }).fill("palar");
  await page.getByRole("option", { name: /^Palar Paper House/ }).click();
  for (const list of ["Printed colour", "Printing side", "Paper type", "Paper size", "Cover"]) {
    await dialog.getByRole("checkbox", { name: list, exact: true }).uncheck();
  }
  await dialog.getByRole("radio", { name: "are removed" }).check();
  await dialog.getByRole("button", { name: "Apply to the price list" }).click();
  // Where the answer is lost, the list as it was saved is no conflict with what was sent.
  await page.route("**/api/trpc/prices.save*", loseAnswer, { times: 1 });
  await page.getByRole("button", { name: "Save prices" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "The store cannot be reached" });
  await failure.getByRole("button").click();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await page.getByText("All changes saved").waitFor();
  expect(await page.getByText("saved this price list while you were editing it").count()).toBe(0);
  const source = (await pricesOf(staff.visitor, "palar-paper-house")).lists.bindingOptions;
  const after = await saved(editor);
  expect(after.map(({ id, ...entry }) => entry)).toEqual(source.map(({ id, ...entry }) => entry));
  const idOf = (name: string, list = before) => list.find((entry) => entry.name === name)?.id;
  expect(idOf("Spiral Binding", after)).toBe(idOf("Spiral Binding"));
});

describe("importing and exporting", () => {
  const choose = (page: Page, name: string, text: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

  test("a CSV with faults lists each with its row, and a valid one previews its changes", async () => {
    const editor = await openEditor();
    const { page } = editor;
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    await choose(
      page,
      "bad.csv",
      "List,Option,Price\nBinding,Spiral Binding,40\nBinding,Wire,lots\nGlue,x,1\n",
    );
    const alert = dialog.getByRole("alert");
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).toContain("bad.csv was not imported. Nothing has changed");
    await expect
      .poll(() => alert.getByRole("listitem").allInnerTexts())
      .toEqual(['Row 3: "lots" is not a price in rupees', 'Row 4: "Glue" is not one of the six lists']);
    expect(await dialog.getByRole("button", { name: "Apply to the price list" }).count()).toBe(0);

    await choose(
      page,
      "good.csv",
      "List;Option;Price;Per\nBinding;Spiral Binding;40;copy\nBinding;Wire;45.5;copy\n",
    );
    const changes = dialog.getByRole("list", { name: "Changes in Binding" });
    await changes.waitFor();
    await expect
      .poll(() => changes.getByRole("listitem").allInnerTexts())
      .toEqual([
        "Spiral Binding: ₹35.00 a copy now ₹40.00 a copy",
        "Wire is new: ₹45.50 a copy",
        "No Binding: ₹0.00 a copy now ₹0.00 a copy, off",
        "Corner Staple: ₹2.00 a copy now ₹2.00 a copy, off",
        "Soft Binding: ₹65.00 a copy now ₹65.00 a copy, off",
        "Hard Binding: ₹185.00 a copy now ₹185.00 a copy, off",
        "New order: Spiral Binding, Wire, No Binding, Corner Staple, Soft Binding, Hard Binding",
      ]);
    expect((await saved(editor)).map(({ name }) => name)).toEqual(BINDINGS);
    await dialog.getByRole("radio", { name: "stay as they are" }).check();
    await dialog.getByRole("button", { name: "Apply to the price list" }).click();
    await savePrices(page);
    expect((await saved(editor)).filter(({ active }) => active).map(({ name }) => name)).toEqual([
      "Spiral Binding",
      "Wire",
      "No Binding",
      "Corner Staple",
      "Soft Binding",
      "Hard Binding",
    ]);
  });

  test("a file that the browser cannot read is refused with a notice", async () => {
    const { page } = await openEditor();
    await page.getByRole("button", { name: "Import" }).click();
    const readable = await page.evaluateHandle(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("held open", "NotReadableError"));
      return arrayBuffer;
    });
    await choose(page, "open.csv", "List,Option,Price\n");
    await page.getByText("The file could not be read").waitFor();
    await readable.evaluate((arrayBuffer) => {
      Blob.prototype.arrayBuffer = arrayBuffer;
    });
  });

  test("an export as CSV or JSON can be imported again without any change", async () => {
    const { page } = await openEditor();
    for (const kind of ["CSV, for a spreadsheet", "JSON"]) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: kind, exact: true }).click(),
      ]);
      const text = await readFile(await download.path(), "utf8");
      expect(download.suggestedFilename()).toMatch(
        kind === "JSON" ? /^shop-\w+-prices\.json$/ : /^shop-\w+-prices\.csv$/,
      );
      await page.getByRole("button", { name: "Import" }).click();
      await choose(page, "same", text);
      const dialog = page.getByRole("dialog");
      await dialog.getByText("No changes.").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });
});

describe("two people editing one price list", () => {
  async function whileTyping(): Promise<Editor> {
    const editor = await openEditor();
    const { page, shopId } = editor;
    await priceOf(page, "Hard Binding").fill("200");
    const other = await signedInOwner(storefront.store, [shopId]);
    const theirs = await editedPrices(other.visitor, shopId, ({ bindingOptions }) => ({
      bindingOptions: bindingOptions.map((entry) =>
        entry.name === "Spiral Binding" ? { ...entry, pricePaise: 4400 } : entry,
      ),
    }));
    expectDone(await other.visitor.mutate("prices.save", theirs));
    await page.keyboard.press("Control+S");
    await page
      .getByText(
        new RegExp(`^${other.person.fullName} saved this price list while you were editing it, \\d+:\\d\\d`),
      )
      .waitFor();
    await expect.poll(() => priceOf(page, "Hard Binding").inputValue()).toBe("200");
    return editor;
  }

  test("the slower one keeps their input, sees the other's changes, and applies their own on top, but no price that cannot be read, which would become free", async () => {
    const editor = await whileTyping();
    const { page } = editor;
    await page.getByRole("button", { name: "See their changes" }).click();
    await expect
      .poll(() => page.getByRole("list", { name: "Changes in Binding" }).innerText())
      .toBe("Spiral Binding: ₹35.00 a copy now ₹44.00 a copy");
    const apply = page.getByRole("button", { name: "Apply my changes to theirs" });
    await priceOf(page, "Hard Binding").fill("");
    await apply.click();
    await page.getByText("Correct the cells in red first").waitFor();
    await expect.poll(() => priceOf(page, "Hard Binding").inputValue()).toBe("");
    await priceOf(page, "Hard Binding").fill("210");
    await apply.click();
    await page.getByText("1 unsaved change").waitFor();
    await expect.poll(() => priceOf(page, "Hard Binding").inputValue()).toBe("210.00");
    await page.getByRole("button", { name: "Save prices" }).click();
    await page.getByText("All changes saved").waitFor();
    expect((await saved(editor)).map(({ pricePaise }) => pricePaise)).toEqual([0, 200, 4400, 6500, 21_000]);
  });

  test("or discards their input and continues with the other's", async () => {
    const { page } = await whileTyping();
    await page.getByRole("button", { name: "Discard my changes" }).click();
    await page.getByText("All changes saved").waitFor();
    await expect.poll(() => priceOf(page, "Hard Binding").inputValue()).toBe("185.00");
    await expect.poll(() => priceOf(page, "Spiral Binding").inputValue()).toBe("44.00");
  });
});

test("unsaved changes are not discarded without a question", async () => {
  const { page } = await openEditor();
  await priceOf(page, "Hard Binding").fill("200");
  await page.getByRole("link", { name: "Details" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => priceOf(page, "Hard Binding").inputValue()).toBe("200.00");
  await page.getByRole("link", { name: "Details" }).click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
});

test("a pasted value that does not fit its column is reported and ignored", async () => {
  const { page } = await openEditor();
  await pasteInto(page, "Binding", "Wire\t40\tkilo\tyes\nComb\tmany\tcopy\tno");
  await page.getByText('Row 1: "kilo" does not fit under Per').waitFor();
  expect((await namesIn(page, "Binding")).slice(-2)).toEqual(["Wire", "Comb"]);
  await expect.poll(() => page.getByLabel("Basis of Wire, Binding").inputValue()).toBe("copy");
  await expect.poll(() => priceOf(page, "Comb").inputValue()).toBe("many");
});

test("an owner can edit the prices of their own shop only", async () => {
  const [own, other] = await shopIds(storefront.store);
  const owner = await signedInOwner(storefront.store, [own]);
  const refused = ["shops.admin.byId", "prices.get"];
  const page = await storefront.visit("/admin/shops", { refused, ...sessionOf(owner.visitor) });
  await page.getByRole("list", { name: "Shops" }).waitFor();
  await expect.poll(() => page.getByRole("list", { name: "Shops" }).getByRole("listitem").count()).toBe(1);
  expect(await page.getByRole("link", { name: "New shop" }).count()).toBe(0);
  await openScreen(page, `/admin/shops/${other}/prices`);
  await page.getByText("This shop was not found").waitFor();
});
