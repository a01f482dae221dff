import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { mailsTo } from "../factories/mails.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { newStudent, register } from "../factories/students.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, delayRequests, openStorefront, tryAgain } from "../setup/storefront.ts";

const storefront = openStorefront();

async function writeToStore(fullName: string, subject: string): Promise<void> {
  const message = {
    fullName,
    email: "meera?bcc=spy&x@college.example",
    subject,
    message: "Do you open\non Sundays?",
  };
  await storefront.store.visitor().post("/api/v1/users/contactus", message);
}

test("a new message is counted, marked as read when opened, and answered", async () => {
  await writeToStore("Meera Nair", "Hours");
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/messages", sessionOf(visitor));
  await page
    .getByRole("link", { name: /Messages/ })
    .getByLabel("1 new")
    .waitFor();
  await page.getByRole("button", { name: /Meera Nair/ }).click();
  await page.getByText("Do you open on Sundays?").last().waitFor();
  await page.getByRole("link", { name: "Messages", exact: true }).waitFor();
  const answer = page.getByRole("link", { name: "Answer by email" });
  await expect
    .poll(() => answer.getAttribute("href"))
    .toMatch(/^mailto:meera%3Fbcc%3Dspy%26x@college\.example\?subject=Re%3A%20Hours/);
  // What is read stays where the list cannot be loaded again.
  const lists = "**/api/trpc/*contact.list*";
  await page.route(lists, (route) => route.fulfill({ json: refusals(route.request().url()) }));
  await page.getByRole("button", { name: "Mark as answered" }).click();
  await page.getByText("Not everything could be loaded").waitFor();
  expect(await answer.isVisible()).toBe(true);
  await tryAgain(page, lists);
  await page.getByText(/^Marked answered by/).waitFor();
  await page.getByRole("button", { name: "Mark as not answered" }).click();
  await page.getByRole("button", { name: "Mark as new" }).click();
  await page
    .getByRole("link", { name: /Messages/ })
    .getByLabel("1 new")
    .waitFor();
  expectDone(await visitor.mutate("contact.mark", { id: await idOf("Meera Nair"), state: "answered" }));
});

async function idOf(fullName: string): Promise<string> {
  const messages = storefront.store.deps.readDb.selectFrom("contact_messages").select("id");
  return (await messages.where("full_name", "=", fullName).executeTakeFirstOrThrow()).id;
}

/** The answer to a batch of calls, each of which is refused. */
function refusals(url: string) {
  const error = { code: -32029, message: "Too many requests", data: { appCode: "RATE_LIMITED" } };
  return new URL(url).pathname.split(",").map(() => ({ error }));
}

test("the list can be filtered by state, a message that somebody else has answered stays answered when it is opened, and an open message stays until it is closed, with the focus on the button that marks it", async () => {
  await writeToStore("Joseph Thomas", "Colours");
  await writeToStore("Lata Rao", "Paper");
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/messages", sessionOf(visitor));
  const message = page.getByRole("button", { name: /Joseph Thomas/ });
  await message.waitFor();
  // Somebody else answers it while the list says that it is new.
  const theirs = page.getByRole("button", { name: /Lata Rao/ });
  expectDone(await visitor.mutate("contact.mark", { id: await idOf("Lata Rao"), state: "answered" }));
  await theirs.getByText("new", { exact: true }).waitFor();
  await theirs.click();
  await theirs.getByText("answered").waitFor();
  await page.getByText("Answered", { exact: true }).click();
  await message.waitFor({ state: "detached" });
  await page.getByText("New 1", { exact: true }).click();
  await message.click();
  await page.getByText("Read 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Mark as answered" }).press("Enter");
  const other = page.getByRole("button", { name: "Mark as not answered" });
  await other.and(page.locator(":focus")).waitFor();
  await message.getByText("answered").waitFor();
  await message.click();
  await message.waitFor({ state: "detached" });
});

test("a mail is found by its recipient, shown in both parts and sent again, and those that failed are counted", async () => {
  const { store } = storefront;
  const [student, other] = [newStudent(), newStudent()];
  for (const each of [student, other]) {
    await register(store.visitor(), each);
    // A mail on its way is refused.
    await expect.poll(async () => (await mailsTo(store, each.email))[0]?.sent_at).toBeTruthy();
  }
  await store.deps.db
    .updateTable("outbox")
    .set({ sent_at: null, failed_at: store.clock.now().toISOString(), last_error: "550 No such mailbox" })
    .where("recipient", "=", other.email)
    .execute();
  onTestFinished(async () => {
    await store.deps.db.deleteFrom("outbox").where("recipient", "=", other.email).execute();
  });
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/mails", sessionOf(visitor));
  await page.getByText("No mail server is configured. Emails are stored and can be read here.").waitFor();
  await page
    .getByRole("link", { name: /Emails/ })
    .getByLabel("1 failed")
    .waitFor();
  await page
    .getByRole("button", { name: new RegExp(other.email) })
    .getByText("550 No such mailbox")
    .first()
    .waitFor();
  await page.getByRole("searchbox", { name: "Search by recipient" }).fill(student.email);
  const rows = page.getByRole("list", { name: "Emails" }).getByRole("listitem");
  const mail = page.getByRole("button", { name: new RegExp(student.email) });
  await mail.getByText("stored", { exact: true }).waitFor();
  await mail.click();
  const drawer = page.getByRole("dialog", { name: "Email" });
  await drawer.getByText(/Enter this code to verify your account/).waitFor();
  await drawer.getByRole("tab", { name: "Preview" }).click();
  await drawer.frameLocator("iframe").getByText("Enter this code to verify your account:").waitFor();
  await drawer.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The email is being sent again").waitFor();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("radiogroup", { name: "Emails shown" }).getByText("Failed").click();
  await page.getByText("No emails match this filter.").waitFor();
});

test("a mail whose answer comes late leaves the next one open", async () => {
  const students = [newStudent(), newStudent()];
  for (const student of students) {
    await register(storefront.store.visitor(), student);
    await expect.poll(async () => (await mailsTo(storefront.store, student.email))[0]?.sent_at).toBeTruthy();
  }
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/mails", sessionOf(visitor));
  const release = await delayRequests(page, "**/api/trpc/mail.resend*");
  const [first, second] = students.map(({ email }) => page.getByRole("button", { name: new RegExp(email) }));
  const drawer = page.getByRole("dialog", { name: "Email" });
  await first?.click();
  await drawer.getByRole("button", { name: "Send again" }).click();
  await drawer.getByRole("button", { name: "Close", exact: true }).click();
  await second?.click();
  await drawer.getByText(students[1]?.email ?? "").waitFor();
  release();
  await page.getByText("The email is being sent again").waitFor();
  await answersCome(page);
  expect(await drawer.getByText(students[1]?.email ?? "").isVisible()).toBe(true);
});

test("actions are found in the audit log", async () => {
  await writeToStore("Audited Sender", "Trace");
  const { visitor, person } = await signedInAdmin(storefront.store);
  const shop = await shownShop(visitor);
  const order = await placeOrder(storefront.store, "red-soil-prints");
  await moveTo(visitor, order.id, "printed");
  expectDone(await visitor.mutate("contact.mark", { id: await idOf("Audited Sender"), state: "read" }));
  const page = await storefront.visit("/admin/audit", sessionOf(visitor));
  await page.getByRole("searchbox", { name: "Search" }).fill(`audited ${person.email}`);
  const line = page
    .getByRole("listitem")
    .filter({ hasText: "Changed the status of a contact message: Audited Sender" });
  await page.waitForURL(/audited/);
  await line.getByText("new", { exact: true }).waitFor();
  await line.getByText("read", { exact: true }).waitFor();
  await line.getByText(person.fullName).waitFor();
  await page.reload();
  await line.waitFor();
  await expect.poll(() => page.getByRole("searchbox", { name: "Search" }).inputValue()).toContain("audited");
  await page.getByRole("searchbox", { name: "Search" }).fill(order.number);
  await page
    .getByRole("listitem")
    .filter({ hasText: "files delete at" })
    .locator("ins")
    .getByText(/^\d+ \w+ \d{4}, \d+:\d\d [ap]m$/)
    .waitFor();
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Deleted a shop" }).click();
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Changed the status of an order" }).click();
  await page.getByText("files delete at").waitFor();
  const from = page.getByLabel("From");
  await from.fill(addDays(indianDay(storefront.store.clock.now()), 1));
  await page.getByText("Nothing found").waitFor();
  await from.fill("");
  await page.getByText("files delete at").waitFor();
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Created a shop" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill(shop.shopName);
  const created = page.getByRole("listitem").filter({ hasText: `Created a shop: ${shop.shopName}` });
  await created.getByText(/^\d+ more$/).waitFor();
  const { after } = await storefront.store.deps.readDb
    .selectFrom("audit_log")
    .select("after")
    .where("subject_id", "=", shop.id)
    .where("action", "=", "shop.create")
    .executeTakeFirstOrThrow();
  expect(await created.locator("dt").count()).toBe(Object.keys(JSON.parse(after ?? "{}")).length);
  await page.getByRole("searchbox", { name: "Search" }).fill("nobody did this");
  await page.getByText("Nothing found").waitFor();

  // The server searches a limited number of entries at a time: the console asks ten times by itself.
  const found = {
    ...{
      id: "found",
      createdAt: storefront.store.clock.now().toISOString(),
      by: { name: "Asha", email: "" },
    },
    ...{ action: "shop.create", subject: "Deep Down Prints", before: null, after: null },
  };
  let asked = 0;
  await page.route("**/api/trpc/audit.list?*", (route) => {
    asked++;
    const data = asked <= 10 ? { rows: [], next: `page ${asked}` } : { rows: [found], next: null };
    return route.fulfill({ json: [{ result: { data } }] });
  });
  await page.getByRole("searchbox", { name: "Search" }).fill("deep down");
  await expect.poll(() => asked).toBe(10);
  await page.getByRole("button", { name: "Search older entries" }).click();
  await page.getByText("Created a shop: Deep Down Prints").waitFor();
  expect(asked).toBe(11);
});

test("an unattended console marks its requests as background requests, a click does not", async () => {
  const { visitor } = await signedInAdmin(storefront.store);
  const page = await storefront.visit("/admin/messages", sessionOf(visitor));
  await page.clock.install({ time: Date.now() });
  const firstCount = page.waitForResponse(/contact\.counts/);
  await page.reload();
  await firstCount;
  await answersCome(page);
  const calls: { url: string; isBackground: boolean }[] = [];
  page.on("request", (request) => {
    // Event streams are not requests of this kind.
    if (!request.url().includes("/api/trpc/") || request.resourceType() === "eventsource") return;
    calls.push({ url: request.url(), isBackground: request.headers()["x-background"] === "1" });
  });
  // What the page asks for as it is loaded may still be under way.
  await page.clock.fastForward("02:05");
  await allRequestsKnown(page);
  calls.length = 0;
  // The console starts its clock some moments after the first count.
  await expect
    .poll(async () => {
      await page.clock.fastForward("02:05");
      return calls.some(({ url }) => url.includes("contact.counts"));
    })
    .toBe(true);
  expect(calls.filter(({ isBackground }) => !isBackground).map(({ url }) => url)).toEqual([]);

  await page.getByRole("link", { name: /Emails/ }).click();
  const opened = () => calls.filter(({ url }) => url.includes("mail.list"));
  await expect.poll(opened).not.toEqual([]);
  expect(opened().filter(({ isBackground }) => isBackground)).toEqual([]);
});

/** Waits until the test knows of every request that the page has sent. */
async function allRequestsKnown(page: Page): Promise<void> {
  await page.evaluate(() => fetch("/robots.txt"));
}
