import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { readArguments } from "../../scripts/arguments.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { newestCode, newStudent, type Student } from "../factories/students.ts";
import { launchBrowser } from "../setup/browser.ts";
import { startTestStore } from "../setup/test-store.ts";

// npm run taps: counts what a student on a phone taps and types from the home page to a placed order.

const LEGEND = `
taps        touches of the screen that are not typing: links, buttons, popups in the way, and one for picking the file in
            the phone's dialog. A field counts only if neither the page focuses it nor 'Next' of the keyboard reaches it;
            'Next' and 'Go' of the keyboard count as typing.
no Next/Go  the same for a student who does not use those two keys and touches every field that the page does not focus,
            and the button of every form.
fields      fields that are typed into.
characters  what is typed into them, without 'Next' and 'Go'. Reading the mailed code is not counted.
`;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const ADDRESS = [
  ["Delivery to", (student: Student) => student.fullName],
  ["Flat number", () => "H4-210"],
  ["Road number", () => "G.T. Road 12"],
  ["Country and district", () => "India, Jalandhar"],
] as const;

/** A student's phone, which counts what is done with it. */
class Phone {
  taps = 0;
  tapsWithoutKeys = 0;
  fields = 0;
  characters = 0;
  readonly steps: string[] = [];
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async tap(target: Locator, name: string): Promise<void> {
    await this.uncover(target);
    await target.tap();
    this.count(name);
  }

  /** Taps a button that opens the phone's file dialog, and picks a file there. */
  async pick(button: Locator): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.tap(button, "Choose PDF files");
    await (await chooser).setFiles(file);
    this.count("(the file)");
  }

  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    if (!(await isFocused(field))) {
      const isNext = await field.evaluate(isReachedByNext);
      await this.uncover(field);
      if (isNext) {
        await field.focus();
        this.tapsWithoutKeys++;
      } else {
        await field.tap();
        this.count("a field");
      }
    }
    await this.page.keyboard.type(text);
    this.fields++;
    this.characters += text.length;
  }

  /** Sends the form of the focused field by 'Go' of the keyboard. */
  async go(): Promise<void> {
    await this.page.locator("form:focus-within button[type=submit]:enabled").waitFor();
    await this.page.keyboard.press("Enter");
    this.tapsWithoutKeys++;
  }

  private count(step: string): void {
    this.taps++;
    this.tapsWithoutKeys++;
    this.steps.push(step);
  }

  /** Closes the popups that lie over this place. */
  private async uncover(target: Locator): Promise<void> {
    await target.waitFor();
    await target.scrollIntoViewIfNeeded();
    const ok = this.page.getByRole("dialog").getByRole("button", { name: "OK", exact: true });
    while ((await target.evaluate(isCovered)) && (await ok.count()) > 0) {
      const popup = await ok.first().elementHandle();
      await popup?.tap();
      this.count("OK");
      await popup?.waitForElementState("hidden");
    }
  }
}

function isFocused(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element === document.activeElement);
}

/** Whether the keyboard's 'Next' in the focused field leads to this one. Runs in the page. */
function isReachedByNext(element: Element): boolean {
  const form = element.closest("form");
  const fields = [...(form?.querySelectorAll("input:not([type=checkbox]), textarea") ?? [])];
  const focused = fields.indexOf(document.activeElement as Element);
  return focused >= 0 && fields[focused + 1] === element;
}

/** Whether something else would be touched. Runs in the page. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const touched = document.elementFromPoint(left + width / 2, top + height / 2);
  return touched !== null && !element.contains(touched) && !touched.contains(element);
}

const main = (page: Page) => page.getByRole("main");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function order(phone: Phone, student: Student): Promise<void> {
  const { page } = phone;
  await page.getByText("1 file, 12 pages").waitFor();
  await phone.tap(button(page, "Continue"), "Continue");
  await page.waitForURL("**/printorder");
  await page.getByRole("heading", { name: "Delivery details" }).waitFor();
  if ((await field(page, "Flat number").count()) > 0) {
    for (const [label, text] of ADDRESS) {
      if ((await field(page, label).inputValue()) === "") await phone.type(field(page, label), text(student));
    }
    await phone.go();
  }
  await phone.tap(button(page, "Place Order"), "Place Order");
  await page.getByRole("dialog", { name: "Congratulations!!!" }).waitFor();
}

async function openShop(phone: Phone): Promise<void> {
  const { page } = phone;
  await phone.tap(main(page).getByRole("link", { name: "Print Now" }), "Print Now");
  await page.waitForURL("**/shops");
  await phone.tap(main(page).getByRole("link", { name: "Red Soil Prints" }), "the shop");
}

async function newStudentOrders(phone: Phone, student: Student): Promise<void> {
  const { page } = phone;
  await openShop(phone);
  await phone.tap(main(page).getByRole("link", { name: "Sign up" }), "Sign up");
  await page.waitForURL("**/signup?*");
  await phone.type(field(page, "Full name"), student.fullName);
  await phone.type(field(page, "Email"), student.email);
  await phone.type(field(page, "Mobile number"), student.phone);
  await phone.type(field(page, "Password"), student.password);
  await phone.type(field(page, "Confirm password"), student.password);
  await phone.go();
  await page.waitForURL("**/account-verify?*");
  await phone.type(field(page, "OTP code"), await newestCode(store, student.email));
  await page.waitForURL("**/printnow?*");
  await phone.pick(button(page, "Choose PDF files"));
  await order(phone, student);
}

async function orderAgain(phone: Phone, student: Student): Promise<void> {
  const { page } = phone;
  await page.getByRole("heading", { name: "Print again at Red Soil Prints" }).waitFor();
  await phone.pick(button(page, "Choose PDF files"));
  await page.waitForURL("**/printnow?*");
  await order(phone, student);
}

async function orderNewFile(phone: Phone, student: Student): Promise<void> {
  const { page } = phone;
  await openShop(phone);
  await page.waitForURL("**/printnow?*");
  await phone.pick(button(page, "Choose PDF files"));
  await order(phone, student);
}

const JOURNEYS = [
  ["new student: home to a placed order", newStudentOrders],
  ["returning student: a new file, from home", orderNewFile],
  ["returning student: order again, from home", orderAgain],
] as const;

const folder = await mkdtemp(join(tmpdir(), "taps-"));
const file = join(folder, "Lab record.pdf");
readArguments("Usage: npm run taps", {});
await writeFile(file, await pdfOfPages(12));
const [store, browser] = await Promise.all([startTestStore(), launchBrowser()]);
try {
  const context = await browser.newContext({ baseURL: store.url, ...PHONE });
  const student = {
    ...newStudent(),
    fullName: "Asha Verma",
    email: "asha.verma@lpu.in",
    password: "printme42",
  };
  const page = await context.newPage();
  const rows = [];
  for (const [name, journey] of JOURNEYS) {
    await page.goto("/", { waitUntil: "networkidle" });
    const phone = new Phone(page);
    await journey(phone, student);
    const { taps, tapsWithoutKeys, fields, characters, steps } = phone;
    rows.push({ journey: name, taps, "no Next/Go": tapsWithoutKeys, fields, characters });
    console.log(`${name}: ${steps.join(" → ")}`);
  }
  console.table(rows);
  console.log(LEGEND);
} finally {
  await browser.close();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
}
