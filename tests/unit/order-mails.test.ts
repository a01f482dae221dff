import { expect, test } from "vitest";
import type { Mail } from "#server/mail/mail.service.ts";
import { composeMail } from "#server/mail/rendering.ts";
import { stateMailOf } from "#server/orders/board/moves.mails.ts";
import { changedMail, heldMail, holdReplyMail, substitutedMail } from "#server/orders/holds/holds.mails.ts";
import { type NewOrderMail, orderMails } from "#server/orders/orders.mails.ts";
import { orderMailFacts } from "../factories/mails.ts";

const ORIGINAL = { number: "ABCD-2345", url: "https://print-store.example/orders/original" };

const toStudent = (facts: NewOrderMail) => composeMail(orderMails(facts).student.content);
const toShop = (facts: NewOrderMail) => composeMail(orderMails(facts).shop.content);

/** The specification's order data and order value, as the text part shows them. */
const EVERY_FIELD = [
  "Order: K7M4-Q2XD",
  "Placed: 21 Nov 2026, 3:00 pm IST",
  "Sheets of paper: 32",
  "Name: Asha Verma",
  "Phone: 9876543210",
  "Name: Campus Print",
  "Location: Gate 2, Phagwara",
  "Email: shop@campus.example",
  "Contact number: 9811122233",
  "Number of pages: 32",
  "Number of copies: 2",
  "Printed colour: Black & white",
  "Printing side: Both sides",
  "Paper type: 70 GSM copier",
  "Paper size: A4",
  "Cover: Clear film",
  "Binding: Spiral",
  "Message: Only pages 1 to 32",
  "Email: asha@college.example",
  "Subtotal: ₹112.00",
  "Tax: ₹2.00",
  "Delivery fee: ₹12.00",
  "Order total: ₹126.00",
];

test.each([
  ["student", toStudent],
  ["shop", toShop],
])("the %s's mail contains every field of the order", (_name, compose) => {
  const { text } = compose(orderMailFacts());
  const lines = text.split("\n");
  for (const field of EVERY_FIELD) expect(lines).toContain(field);
  expect(lines).toContain("- notes.pdf (31 pages, 1.2 MB)");
  expect(lines).toContain("- cover.pdf (1 page, 4 kB)");
});

test("a missing message or contact number reads None, and no reprint or rounding is mentioned without one", () => {
  const facts = orderMailFacts();
  const { text } = toShop({
    ...facts,
    message: "",
    shop: { ...facts.shop, contactNumber: "" },
    quote: { ...facts.quote, roundingPaise: 0 },
  });
  const lines = text.split("\n");
  expect(lines).toContain("Message: None");
  expect(lines).toContain("Contact number: None");
  expect(text).not.toContain("Rounded up");
  expect(text).not.toContain("Reprint of");
  expect(toShop({ ...facts, original: ORIGINAL }).text.split("\n")).toContain(
    "Reprint of: order ABCD-2345, at no charge",
  );
});

test.each<[string, Partial<NewOrderMail>, string[]]>([
  ["by UPI", { upiId: "shop@okaxis" }, ["How: By UPI to shop@okaxis", "Amount: ₹126.00"]],
  ["at the door", {}, ["How: Pay on delivery", "Amount: ₹126.00"]],
  ["at the counter", { fulfilment: "pickup" }, ["How: Pay on pickup", "Amount: ₹126.00"]],
  [
    "the rest by UPI",
    { upiId: "shop@okaxis", paidPaise: 2600 },
    ["How: By UPI to shop@okaxis", "Amount: ₹126.00", "Paid: ₹26.00", "Left to pay: ₹100.00"],
  ],
  [
    "the rest at the door",
    { paidPaise: 2600 },
    ["How: Partly paid", "Amount: ₹126.00", "Paid: ₹26.00", "Left to pay: ₹100.00"],
  ],
  [
    "the rest at the desk",
    { upiId: "shop@okaxis", fulfilment: "counter", paidPaise: 2600 },
    ["How: Partly paid", "Amount: ₹126.00", "Paid: ₹26.00", "Left to pay: ₹100.00"],
  ],
  ["nothing more", { paidPaise: 12_600 }, ["How: Marked as paid by the shop", "Amount: ₹126.00"]],
  [
    "the rest after a refund",
    { paidPaise: 2600, refundedPaise: 1000, creditedPaise: 1000 },
    ["How: Partly paid", "Amount: ₹126.00", "Paid: ₹36.00", "Refunded: ₹10.00", "Left to pay: ₹90.00"],
  ],
  [
    "nothing more after a refund",
    { paidPaise: 11_600, refundedPaise: 1000, creditedPaise: 1000 },
    ["How: Marked as paid by the shop", "Amount: ₹126.00", "Paid: ₹126.00", "Refunded: ₹10.00"],
  ],
])("the student's mail says how to pay %s and how much, the shop's does not", (_how, changes, expected) => {
  const facts = orderMailFacts(changes);
  const lines = toStudent(facts).text.split("\n");
  expect(lines.filter((line) => /^(How|Amount|Paid|Refunded|Left to pay): /.test(line))).toEqual(expected);
  expect(toShop(facts).text).not.toContain("How: ");
});

test("a mail about a cancelled order says why, and asks for the files again where it can be placed again", () => {
  const cancelled = orderMailFacts({ state: "cancelled" });
  const textOf = (facts: NewOrderMail) =>
    composeMail((stateMailOf(facts, "No toner")?.mail ?? expect.fail()).content).text;
  expect(textOf(cancelled)).toContain("The shop writes: No toner");
  const again = "If you place the order again, please upload them again.";
  expect(textOf(cancelled)).toContain(again);
  expect(textOf({ ...cancelled, original: ORIGINAL })).not.toContain(again);
});

test("a mail about what has run out names what is printed instead of it", () => {
  const order = orderMailFacts();
  const { quote } = order;
  const from = { kind: "paperTypes", name: "70 GSM copier" } as const;
  const { content } = substitutedMail(order, { from, to: { name: "80 GSM" }, before: quote, quote });
  const { text } = composeMail(content);
  expect(text).toContain("“70 GSM copier” has run out at Campus Print");
  expect(text).toContain("is printed with “80 GSM” instead");
  expect(text).toContain("Paper type: 80 GSM instead of 70 GSM copier");
});

test("both mails say when the order is to be ready, where somebody knows", () => {
  const facts = orderMailFacts({ promisedAt: "2026-11-21T10:30:00.000Z" });
  for (const compose of [toStudent, toShop])
    expect(compose(facts).text.split("\n")).toContain("Ready by: 21 Nov 2026, 4:00 pm IST");
  expect(toStudent({ ...facts, promisedAt: null }).text).not.toContain("Ready by");
});

test("a mail about a changed order has a code for what it costs now, since the first mail's is for the old price", () => {
  const order = orderMailFacts({ upiId: "shop@okaxis", paidPaise: 2600 });
  const { quote } = order;
  const option = { kind: "paperTypes", name: "80 GSM" } as const;
  const mails = [
    changedMail(order, "changed", "Paper type is now 80 GSM"),
    substitutedMail(order, { from: option, to: option, before: quote, quote }),
  ];
  for (const { content } of mails) {
    const { text } = composeMail(content);
    expect(text).toContain("Left to pay: ₹100.00");
    expect(text).toMatch(/Pay ₹100.00 by UPI:\nupi:\/\/pay\S*am=100.00/);
  }
  const cancelled = changedMail({ ...order, state: "cancelled" }, "cancelled", "No time");
  expect(composeMail(cancelled.content).text).not.toContain("UPI");

  const said = [...mails, cancelled].map(({ subject, content }) => [subject, content.blocks[0]]);
  const [changed, ended] = ["Order K7M4-Q2XD was changed", "Order K7M4-Q2XD is cancelled"];
  expect(said).toEqual([
    [changed, saying("you have changed your order, and the shop can print it now.")],
    [changed, saying("“80 GSM” has run out at Campus Print, so your order is printed")],
    [ended, saying("you have cancelled your order. The shop will refund you ₹26.00.")],
  ]);
});

function saying(text: string) {
  return { kind: "paragraph", text: expect.stringContaining(`Hello Asha Verma, ${text}`) };
}

test("mails about an order on hold lead the student to the order's page, and the shop to the console", () => {
  const order = orderMailFacts();
  const publicUrl = () => "https://print-store.example";
  const option = { kind: "paperTypes", name: "80 GSM" } as const;
  const { quote } = order;
  const mails = [
    heldMail(order, "Page 2 is black"),
    holdReplyMail({ publicUrl }, order, { kind: "answered", text: "Print it as it is" }),
    changedMail(order, "changed", "Paper type is now 80 GSM"),
    changedMail({ ...order, state: "cancelled" }, "cancelled", "No time"),
    substitutedMail(order, { from: option, to: option, before: quote, quote }),
  ];
  const buttons = mails.map(({ content }) => content.blocks.filter(({ kind }) => kind === "button"));
  const seeOrder = { kind: "button", label: "See your order", url: order.orderUrl };
  expect(buttons).toEqual([
    [{ kind: "button", label: "Answer the shop", url: order.orderUrl }],
    [{ kind: "button", label: "Open the order", url: "https://print-store.example/admin/orders?order=one" }],
    ...Array(3).fill([seeOrder]),
  ]);
});

test("a free reprint that is cancelled is ordered again on the page of its original, and offers no other option while it is on hold", () => {
  const reprint = orderMailFacts({ totalPaise: 0, original: ORIGINAL });
  const cancelled = { ...reprint, state: "cancelled" as const };
  const byShop = stateMailOf(cancelled, "No toner")?.mail;
  const byStudent = changedMail(cancelled, "cancelled", "Cancelled by you");
  for (const { content } of [byShop ?? expect.fail(), byStudent]) {
    const { text } = composeMail(content);
    expect(text).toContain(
      "Your free reprint is still available: order it again on the page of order ABCD-2345.\n\nOpen order ABCD-2345:\nhttps://print-store.example/orders/original\n",
    );
    expect(text).not.toMatch(/If you place|orders\/one/);
  }
  const held = (facts: NewOrderMail) => composeMail(heldMail(facts, "Page 2 is black").content).text;
  expect(held(reprint)).toContain("you can answer, replace the file or cancel the order");
  expect(held(orderMailFacts())).toContain("replace the file, choose another option or cancel the order");
});

test("a reprint without a price mentions no payment", () => {
  expect(toStudent(orderMailFacts({ totalPaise: 0 })).text).not.toContain("How: ");
});

test("the size of a file is given as the app gives it", () => {
  const facts = orderMailFacts();
  const [file] = facts.files as [NewOrderMail["files"][number]];
  const sizeOf = (bytes: number) =>
    /31 pages, (.*)\)/.exec(toShop({ ...facts, files: [{ ...file, bytes }] }).text)?.[1];
  expect([1, 1536, 153_600, 2_621_440].map(sizeOf)).toEqual(["1 kB", "2 kB", "150 kB", "2.5 MB"]);
});

test("a pickup names the shop and its place instead of an address", () => {
  const { text } = toShop(orderMailFacts({ fulfilment: "pickup" }));
  expect(text.split("\n")).toContain("Campus Print: Gate 2, Phagwara");
  expect(text).not.toContain("Delivery to");
});

test("the price is explained line by line, rounding included", () => {
  const { text } = toShop(orderMailFacts());
  expect(text).toContain(`Printed colour: Black & white (₹0.75 × 64 pages): ₹48.00
Printing side: Both sides (₹0.10 × 64 pages): ₹6.40
Paper type: 70 GSM copier (₹0.20 × 32 sheets): ₹6.40
Paper size: A4 (₹0.00 × 64 pages): ₹0.00
Cover: Clear film (₹10.00 × 2 copies): ₹20.00
Binding: Spiral (₹30.25 once): ₹30.25
Rounded up to whole rupees: ₹0.95
Subtotal: ₹112.00`);
});

test("the student's mail links to the store, the shop's has signed links and their expiry", () => {
  const facts = orderMailFacts();
  const student = toStudent(facts);
  const shop = toShop(facts);
  expect(student.text).toContain("https://print-store.example/files/one\n");
  expect(student.text + student.html).not.toContain("sig=");
  expect(shop.text).toContain("https://print-store.example/files/one?exp=1&sig=a\n");
  expect(shop.html).toContain('href="https://print-store.example/files/two?exp=1&amp;sig=b"');
  expect(shop.text).toContain("without a login until 28 Nov 2026, 3:00 pm IST");
});

test("each mail has one recipient, and a reply goes to the other side", () => {
  const facts = orderMailFacts();
  expect(orderMails(facts).student).toMatchObject({
    to: "asha@college.example",
    replyTo: "shop@campus.example",
    subject: "Order K7M4-Q2XD: 32 pages × 2, ₹126.00",
  });
  expect(orderMails(facts).shop).toMatchObject({
    to: "shop@campus.example",
    replyTo: "asha@college.example",
    subject: "New order K7M4-Q2XD: 32 pages × 2, ₹126.00",
  });
  const withShown = (shopMailbox: string) =>
    orderMails({ ...facts, shopMailbox, shop: { ...facts.shop, email: "shown@campus.example" } }).student
      .replyTo;
  expect(withShown("orders@campus.example")).toBe("orders@campus.example");
  expect(withShown("")).toBe("shown@campus.example");
});

test("each mail says why its reader gets it", () => {
  const order = orderMailFacts({ state: "cancelled" });
  const footerOf = ({ content }: Mail) => composeMail(content).text.split("Print Store: ").at(-1)?.trim();
  const byPlacing = "You are receiving this email because you placed an order with this address.";
  const byShop = "You are receiving this email because Campus Print takes orders at Print Store.";
  const optional = `${byPlacing} You can choose in Settings which emails you get.`;
  const answer = holdReplyMail({ publicUrl: () => "https://print-store.example" }, order, {
    kind: "answered",
    text: "Print it as it is",
  });
  const { student, shop } = orderMails(order);
  const always = stateMailOf(order, "No toner")?.mail ?? expect.fail();
  const delivered = stateMailOf({ ...order, state: "delivered" }, "")?.mail ?? expect.fail();
  expect([student, shop, answer, always, delivered].map(footerOf)).toEqual([
    optional,
    byShop,
    byShop,
    byPlacing,
    optional,
  ]);
});

test("the mails show the delivery address only if there is one", () => {
  expect(toShop(orderMailFacts()).text).toContain(`Delivery to: A. Verma
Flat number: BH-3 204
Road number: Law Gate Road 7
Country and district: India, Jalandhar`);
  expect(toShop(orderMailFacts({ address: null })).text).not.toContain("Delivery to");
});

test("names of people and files are shown literally, not as HTML", () => {
  const attack = `<img src=x onerror="alert(1)">`;
  const facts = orderMailFacts();
  const { html } = toShop({
    ...facts,
    student: { ...facts.student, fullName: attack },
    message: attack,
    files: facts.files.map((file) => ({ ...file, name: `${attack}.pdf` })),
  });
  expect(html).not.toContain("<img src=x");
  expect(html.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;/g)).toHaveLength(5);
});
