import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { VALIDATION } from "#shared/messages.ts";
import * as accounts from "#shared/schemas/accounts.ts";
import {
  addAddressInput,
  deliveryAddress,
  MAX_ADDRESSES,
  updateAddressInput,
} from "#shared/schemas/addresses.ts";
import { auditListInput } from "#shared/schemas/audit.ts";
import * as board from "#shared/schemas/board.ts";
import { bookDayInput, bookOrdersInput, closeDayInput, outstandingInput } from "#shared/schemas/book.ts";
import { contactInput, contactListInput, markContactInput } from "#shared/schemas/contact.ts";
import { countField, emailField, idField, paiseField, rupeesField } from "#shared/schemas/fields.ts";
import { approvedFile, coloursInput, uploadedFile } from "#shared/schemas/files.ts";
import * as holds from "#shared/schemas/holds.ts";
import { idInput, ofOrder, ofShop, ofUser, tokenInput } from "#shared/schemas/ids.ts";
import { mailListInput } from "#shared/schemas/mails.ts";
import {
  liveInput,
  orderData,
  orderJobs,
  orderValue,
  ownOrdersInput,
  placedOrder,
  placeOrderInput,
  rateInput,
} from "#shared/schemas/orders.ts";
import * as payments from "#shared/schemas/payments.ts";
import { periodInput, yearInput } from "#shared/schemas/period.ts";
import { priceListsInput, savePricesInput } from "#shared/schemas/prices.ts";
import * as profile from "#shared/schemas/profile.ts";
import { MAX_PUSH_DEVICES, pushSubscriptionInput } from "#shared/schemas/push.ts";
import { answerInput, reportInput, reprintOrderInput } from "#shared/schemas/reprints.ts";
import { closeEarlyInput, promiseInput, saveScheduleInput } from "#shared/schemas/schedule.ts";
import * as factors from "#shared/schemas/second-factors.ts";
import { priceListFile, seedFile } from "#shared/schemas/seed.ts";
import {
  createShopInput,
  hideShopInput,
  openShopInput,
  updateShopInput,
} from "#shared/schemas/shop-admin.ts";
import { shopDetails, upiIdField } from "#shared/schemas/shop-details.ts";
import {
  shop,
  shopCard,
  shopIdInput,
  shopListInput,
  shopOption,
  shopPageInput,
} from "#shared/schemas/shops.ts";
import * as staff from "#shared/schemas/staff.ts";
import { shopStatsInput } from "#shared/schemas/stats.ts";
import { askAboutInput, changeStockInput, setOutInput } from "#shared/schemas/stock.ts";
import { saveTaxInput } from "#shared/schemas/tax.ts";
import { openVisitInput, switchCounterInput, visitOrderInput, walkInInput } from "#shared/schemas/visits.ts";

// Limits are written out here as numbers: a limit that is read from the code cannot show that the code has changed.

const SIGNUP = {
  fullName: "Asha Verma",
  email: "asha@college.example",
  phone: "9876543210",
  password: "blue kettle",
  confirmpassword: "blue kettle",
};
const ADDRESS = { country: "India, Pune", roadNo: "4", flatno: "12", fullname: "Asha" };
const ORDER = {
  shopName: "Lamp Post",
  shopLocation: "Pune",
  shopEmail: "lamp@shop.example",
  noOfPages: 3,
  noOfCopies: 1,
  printedColour: "Black",
  printingSide: "One",
  paperType: "70 GSM",
  paperSize: "A4",
  coverOption: "None",
  bindingOption: "None",
  filesUrl: ["/files/a"],
  subTotal: 3,
};
const VALUE = { subTotal: 3, tax: 3, deliveryFee: 3, orderTotal: 9 };
const SHOP = {
  shopName: "Lamp Post",
  shopLocation: "Pune",
  shopImage: "/shop-images/lamp.svg",
  college: "COEP",
  ratings: 4.5,
  perPageCost: 1,
  email: "lamp@shop.example",
  contactNumber: "020 1234",
};
const OPTION = { name: "A4", pricePaise: 100, basis: "page", sides: 1, inColour: false, active: true };
const SEED_OPTION = { name: "A4", price: 1 };
const SIDE = { ...SEED_OPTION, sides: 1 };
const SEED_SHOP = {
  id: "lamp",
  ...SHOP,
  paperTypes: [SEED_OPTION],
  paperSizes: [SEED_OPTION],
  printedColours: [SEED_OPTION],
  printingSides: [SIDE],
  coverOptions: [SEED_OPTION],
  bindingOptions: [SEED_OPTION],
};
const STAFF = {
  fullName: "Ravi",
  phone: "",
  password: "correct horse 9",
  confirmpassword: "correct horse 9",
};
const PASSKEY = { id: "a", rawId: "a", type: "public-key" };
const SIGNATURE = { clientDataJSON: "a", authenticatorData: "a", signature: "a" };
const CREATION = { clientDataJSON: "a", attestationObject: "a" };
const PAYMENT = { orderId: "o", method: "cash", amountPaise: 1, key: "press-one" };
const REFUND = { ...PAYMENT, reason: "Pale" };
const VISIT = { orderData: ORDER, orderValue: VALUE, idempotencyKey: "k", name: "Meera" };
const WALK_IN = { orderData: ORDER, orderValue: VALUE, shopId: "s", key: "press-one", name: "Meera" };
const CLOSING = { shopId: "s", day: "2026-11-21", expectedCashPaise: 0, countedCashPaise: 0 };
const CHANGES = { orderId: "o1", holdId: "h1" };
const SCHEDULE = { shopId: "s", holidays: [], pagesPerMinute: 20, handlingMinutes: 5 };
const DEVICE = {
  endpoint: "https://fcm.googleapis.com/fcm/send/a",
  keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) },
};
const TAX = {
  ...{ shopId: "s", gstin: "27AAPFU0939F1ZV", legalName: "Lamp Post", address: "4 Mall Road" },
  ...{ ratePercent: 18, sac: "998912", series: "LP" },
};
const MOVE = { orderId: "o1", from: "placed" };

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
/** The first complaint, with the field that it is about. */
function complaint(schema: z.ZodType, value: unknown): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && [issue.path.join("."), issue.message].filter((part) => part !== "").join(": ");
}

type Field = [what: string, longest: number, schema: z.ZodType, input: (text: string) => unknown];

const TEXTS: Field[] = [
  ["the token of a link", 200, tokenInput, (token) => ({ token })],
  ["a name at sign-up", 200, accounts.signupInput, (fullName) => ({ ...SIGNUP, fullName })],
  ["a code at a confirmation", 64, accounts.confirmInput, (code) => ({ code })],
  ["a verification code", 64, accounts.verifyCode, (code) => code],
  [
    "the token of a recovery link",
    200,
    accounts.resetPasswordInput,
    (token) => ({ token, password: "p", confirmpassword: "p" }),
  ],
  ["a country and district", 200, deliveryAddress, (country) => ({ ...ADDRESS, country })],
  ["a road number", 200, deliveryAddress, (roadNo) => ({ ...ADDRESS, roadNo })],
  ["a flat number", 200, deliveryAddress, (flatno) => ({ ...ADDRESS, flatno })],
  ["the receiver of a delivery", 200, deliveryAddress, (fullname) => ({ ...ADDRESS, fullname })],
  ["a reason to cancel", 500, board.cancelInput, (reason) => ({ ...MOVE, reason })],
  [
    "a note instead of a pickup code",
    500,
    board.handOverInput,
    (note) => ({ orderId: "o1", proof: { by: "note", note } }),
  ],
  ["a note on an order", 2000, board.noteInput, (body) => ({ orderId: "o1", body })],
  [
    "the sender of a message",
    200,
    contactInput,
    (fullName) => ({ fullName, email: SIGNUP.email, message: "Hi" }),
  ],
  [
    "a message to the store",
    5000,
    contactInput,
    (message) => ({ fullName: "Asha", email: SIGNUP.email, message }),
  ],
  ["a shop's name in an order", 200, orderData, (shopName) => ({ ...ORDER, shopName })],
  ["a shop's place in an order", 200, orderData, (shopLocation) => ({ ...ORDER, shopLocation })],
  ["a shop's e-mail in an order", 254, orderData, (shopEmail) => ({ ...ORDER, shopEmail })],
  ["a colour in an order", 200, orderData, (printedColour) => ({ ...ORDER, printedColour })],
  ["a printing side in an order", 200, orderData, (printingSide) => ({ ...ORDER, printingSide })],
  ["a paper type in an order", 200, orderData, (paperType) => ({ ...ORDER, paperType })],
  ["a paper size in an order", 200, orderData, (paperSize) => ({ ...ORDER, paperSize })],
  ["a cover in an order", 200, orderData, (coverOption) => ({ ...ORDER, coverOption })],
  ["a binding in an order", 200, orderData, (bindingOption) => ({ ...ORDER, bindingOption })],
  [
    "the pages of one file",
    2000,
    orderData,
    (pages) => ({ ...ORDER, pageRanges: [{ public_id: "f", pages }] }),
  ],
  [
    "the key of an order",
    200,
    placeOrderInput,
    (idempotencyKey) => ({ orderData: ORDER, orderValue: VALUE, idempotencyKey }),
  ],
  ["an option's name", 80, priceListsInput.shape.paperSizes, (name) => [{ ...OPTION, name }]],
  ["a new name", 200, profile.renameInput, (fullName) => ({ fullName })],
  ["what is wrong with a print", 1000, reportInput, (reason) => ({ orderId: "o1", reason })],
  ["the answer to a report", 1000, answerInput, (answer) => ({ orderId: "o1", accepted: true, answer })],
  ["the second factor's code", 64, factors.finishLoginInput, (code) => ({ code })],
  [
    "a passkey's name",
    60,
    factors.addPasskeyInput,
    (name) => ({ name, passkey: { ...PASSKEY, response: CREATION } }),
  ],
  ["the id of a passkey to remove", 8192, factors.passkeyIdInput, (id) => ({ id })],
  ["a college", 200, shopDetails, (college) => ({ ...SHOP, college })],
  ["a shop's name", 200, updateShopInput, (shopName) => ({ ...SHOP, shopId: "s", version: 1, shopName })],
  [
    "a shop's place",
    200,
    updateShopInput,
    (shopLocation) => ({ ...SHOP, shopId: "s", version: 1, shopLocation }),
  ],
  ["a reason for a refund", 500, payments.refundInput, (reason) => ({ ...REFUND, reason })],
  [
    "a reason for a reversal",
    500,
    payments.reverseInput,
    (reason) => ({ orderId: "o1", paymentId: "p1", key: "press-one", reason }),
  ],
  ["a reason for a hold", 500, holds.holdInput, (reason) => ({ orderId: "o1", reason })],
  ["the answer to a hold", 1000, holds.holdAnswerInput, (answer) => ({ ...CHANGES, answer })],
  [
    "the pages of a replaced file",
    2000,
    holds.holdChangesInput,
    (pages) => ({ ...CHANGES, files: [{ fileId: "f", fileUrl: "/files/g", pages }] }),
  ],
  ["a counter's code", 64, openVisitInput, (code) => ({ shopId: "s", code })],
  ["a name at the counter", 60, visitOrderInput, (name) => ({ ...VISIT, name })],
  ["a name that a clerk enters", 60, walkInInput, (name) => ({ ...WALK_IN, name })],
  ["the key of a visitor's order", 200, visitOrderInput, (idempotencyKey) => ({ ...VISIT, idempotencyKey })],
  ["a paper to filter by", 200, board.boardInput, (paper) => ({ paper })],
  ["a colour to filter by", 200, board.boardInput, (colour) => ({ colour })],
  ["the legal name of a tax payer", 200, saveTaxInput, (legalName) => ({ ...TAX, legalName })],
  ["the address of a tax payer", 300, saveTaxInput, (address) => ({ ...TAX, address })],
  ["the name of somebody invited", 200, staff.newStaffAccount, (fullName) => ({ ...STAFF, fullName })],
];

describe("a text that is required", () => {
  test.each(TEXTS)("%s is accepted up to %i characters, and not empty", (_what, longest, schema, input) => {
    expect(accepts(schema, input("x".repeat(longest)))).toBe(true);
    expect(accepts(schema, input("x".repeat(longest + 1)))).toBe(false);
    expect(accepts(schema, input("x"))).toBe(true);
    expect(accepts(schema, input(""))).toBe(false);
    expect(complaint(schema, input("")), "names what is missing").not.toMatch(/(^|: ) is required/);
  });
});

const OPTIONAL_TEXTS: Field[] = [
  ["a search in the audit log", 200, auditListInput, (search) => ({ search })],
  ["a search for orders", 200, board.orderPageInput, (search) => ({ search })],
  ["a search for mails", 200, mailListInput, (search) => ({ search })],
  ["a search for shops", 200, shopListInput, (search) => ({ search })],
  ["a search on the home page", 200, shopPageInput, (search) => ({ search })],
  [
    "a subject",
    200,
    contactInput,
    (subject) => ({ fullName: "Asha", email: SIGNUP.email, message: "Hi", subject }),
  ],
  [
    "a shop's phone number in an order",
    40,
    orderData,
    (shopContactNumber) => ({ ...ORDER, shopContactNumber }),
  ],
  [
    "the address of a file that replaces another",
    2000,
    holds.holdChangesInput,
    (fileUrl) => ({ ...CHANGES, files: [{ fileId: "f", fileUrl }] }),
  ],
  ["the note of a closing", 500, closeDayInput, (note) => ({ ...CLOSING, note })],
  ["a message to the shop", 2000, orderData, (message) => ({ ...ORDER, message })],
  ["the student's e-mail in an order", 254, orderData, (userEmail) => ({ ...ORDER, userEmail })],
  [
    "the note of a closed shop",
    120,
    openShopInput,
    (closedNote) => ({ shopId: "s", isOpen: false, closedNote }),
  ],
  [
    "a shop's picture at a change",
    500,
    updateShopInput,
    (shopImage) => ({ ...SHOP, shopId: "s", version: 1, shopImage }),
  ],
];

describe("a text that may be left out", () => {
  test.each(OPTIONAL_TEXTS)("%s is accepted up to %i characters", (_what, longest, schema, input) => {
    expect(accepts(schema, input("x".repeat(longest)))).toBe(true);
    expect(accepts(schema, input("x".repeat(longest + 1)))).toBe(false);
    expect(accepts(schema, input(""))).toBe(true);
  });
});

type List = [
  what: string,
  most: number,
  fewest: number,
  schema: z.ZodType,
  input: (list: unknown[]) => unknown,
];

const LISTS: [...List, entry: (index: number) => unknown][] = [
  ["files of an order", 50, 1, orderData, (filesUrl) => ({ ...ORDER, filesUrl }), (n) => `/files/${n}`],
  [
    "page ranges of an order",
    50,
    0,
    orderData,
    (pageRanges) => ({ ...ORDER, pageRanges }),
    (n) => ({ public_id: `f${n}`, pages: "1" }),
  ],
  ["files whose colours are asked for", 50, 1, coloursInput, (ids) => ({ ids }), (n) => `f${n}`],
  [
    "orders that are moved at once",
    100,
    1,
    board.moveManyInput,
    (orders) => ({ orders, to: "printing" }),
    (n) => ({ orderId: `o${n}`, from: "placed" }),
  ],
  [
    "orders that are put on hold at once",
    100,
    1,
    holds.holdSeveralInput,
    (orderIds) => ({ orderIds, reason: "Pale" }),
    (n) => `o${n}`,
  ],
  [
    "files that are replaced",
    50,
    0,
    holds.holdChangesInput,
    (files) => ({ ...CHANGES, files }),
    (n) => ({ fileId: `f${n}`, fileUrl: "/files/g" }),
  ],
  [
    "jobs whose options change",
    20,
    0,
    holds.holdChangesInput,
    (options) => ({ ...CHANGES, options }),
    () => ({ paperTypes: "p" }),
  ],
  [
    "holidays",
    100,
    0,
    saveScheduleInput,
    (holidays) => ({ ...SCHEDULE, holidays }),
    (n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
  ],
  [
    "jobs of an order",
    20,
    1,
    orderJobs,
    (jobs) => jobs,
    (n) => (n === 0 ? {} : { pageRanges: [{ public_id: "f", pages: `${n}` }] }),
  ],
  [
    "files of a job",
    50,
    1,
    orderJobs,
    (pageRanges) => [{}, { pageRanges }],
    (n) => ({ public_id: `f${n}`, pages: "1" }),
  ],
  [
    "photos of a report",
    5,
    0,
    reportInput,
    (photos) => ({ orderId: "o1", reason: "Pale", photos }),
    (n) => `p${n}`,
  ],
  [
    "shops of one person",
    1000,
    1,
    staff.inviteInput,
    (shopIds) => ({ email: SIGNUP.email, role: "owner", shopIds }),
    (n) => `s${n}`,
  ],
  [
    "options of a price list",
    50,
    0,
    priceListsInput.shape.coverOptions,
    (options) => options,
    (n) => ({ ...OPTION, name: `Option ${n}` }),
  ],
  [
    "options of a seeded list",
    50,
    1,
    seedFile,
    (coverOptions) => ({ shops: [{ ...SEED_SHOP, coverOptions }] }),
    (n) => ({ ...SEED_OPTION, name: `Option ${n}` }),
  ],
  [
    "options of a list in a file",
    50,
    0,
    priceListFile,
    (coverOptions) => ({ coverOptions }),
    (n) => ({ ...SEED_OPTION, name: `Option ${n}` }),
  ],
  [
    "transports of a passkey",
    10,
    0,
    factors.passkeyCreation,
    (transports) => ({ ...PASSKEY, response: { ...CREATION, transports } }),
    () => "usb",
  ],
];

test.each(LISTS)("%s: at most %i, at least %i", (_what, most, fewest, schema, input, entry) => {
  const list = (length: number) => input(Array.from({ length }, (_, index) => entry(index)));
  expect(accepts(schema, list(most))).toBe(true);
  expect(accepts(schema, list(most + 1))).toBe(false);
  expect(accepts(schema, list(fewest))).toBe(true);
  if (fewest > 0) expect(accepts(schema, list(fewest - 1))).toBe(false);
});

type NumberField = [
  what: string,
  least: number,
  most: number,
  schema: z.ZodType,
  input: (n: number) => unknown,
];

const NUMBERS: NumberField[] = [
  ["pages", 1, 100_000, orderData, (noOfPages) => ({ ...ORDER, noOfPages })],
  ["copies", 1, 1000, orderData, (noOfCopies) => ({ ...ORDER, noOfCopies })],
  ["stars of a rating", 1, 5, rateInput, (stars) => ({ orderId: "o1", stars })],
  ["stars of a shop", 0, 5, shopDetails, (ratings) => ({ ...SHOP, ratings })],
  ["cards of a column", 1, 200, board.boardInput, (cards) => ({ cards })],
  [
    "pages that a shop prints a minute",
    1,
    2000,
    saveScheduleInput,
    (pagesPerMinute) => ({ ...SCHEDULE, pagesPerMinute }),
  ],
  [
    "minutes for an order",
    0,
    240,
    saveScheduleInput,
    (handlingMinutes) => ({ ...SCHEDULE, handlingMinutes }),
  ],
  ["pages of a promise", 1, 1_000_000, promiseInput, (pages) => ({ shopId: "s", pages })],
  [
    "paise of a payment",
    1,
    2_147_483_647,
    payments.takePaymentInput,
    (amountPaise) => ({ ...PAYMENT, amountPaise }),
  ],
  [
    "paise of a drawer",
    -2_147_483_647,
    2_147_483_647,
    closeDayInput,
    (countedCashPaise) => ({ ...CLOSING, countedCashPaise }),
  ],
  ["shops of an answer", 1, 500, shopListInput, (limit) => ({ limit })],
  ["paise of a price", 0, 1_000_000_000, paiseField, (paise) => paise],
  ["rupees of a price", 0, 10_000_000, rupeesField, (rupees) => rupees],
  [
    "the place of a page of figures",
    0,
    1_000_000,
    shopStatsInput,
    (cursor) => ({ from: "2026-11-21", until: "2026-11-21", cursor }),
  ],
];

test.each(NUMBERS)("%s: from %i to %i", (_what, least, most, schema, input) => {
  expect(accepts(schema, input(least))).toBe(true);
  expect(accepts(schema, input(least - 1))).toBe(false);
  expect(accepts(schema, input(most))).toBe(true);
  expect(accepts(schema, input(most + 1))).toBe(false);
});

test("a new total that a student agrees to is not negative", () => {
  const agree = (expectedTotalPaise: number) =>
    accepts(holds.agreeChangesInput, { ...CHANGES, expectedTotalPaise });
  expect([agree(0), agree(-1), agree(0.5)]).toEqual([true, false, false]);
});

test("changes of an order on hold are of that hold, and change nothing that they do not name", () => {
  expect(holds.openHoldInput.parse(CHANGES)).toEqual(CHANGES);
  expect(holds.holdChangesInput.parse(CHANGES)).toEqual({ ...CHANGES, files: [], options: [] });
});

test("a person has ten addresses, ten devices that get messages, and ten passkeys at most", () => {
  expect([MAX_ADDRESSES, MAX_PUSH_DEVICES, factors.MAX_PASSKEYS]).toEqual([10, 10, 10]);
});

test("a press has a key of 8 to 64 letters, digits, - and _", () => {
  const take = (key: string) => complaint(payments.takePaymentInput, { ...PAYMENT, key });
  for (const right of ["a".repeat(8), "Z_9-".repeat(16)]) expect(take(right)).toBeUndefined();
  for (const wrong of ["a".repeat(7), "a".repeat(65), " abcdefgh", "abcdefgh ", "abc defgh"])
    expect(take(wrong)).toBe("key: must be a key of 8 to 64 characters");
});

describe("the jobs of an order", () => {
  const pageRanges = [{ public_id: "f", pages: "1" }];
  test.each<[string, unknown, string | undefined]>([
    ["one that says nothing", [{}], undefined],
    [
      "a first one with pages",
      [{ pageRanges }],
      "0.pageRanges: The first job prints what no other does, with the options of the order data",
    ],
    [
      "a first one with options",
      [{ options: { paperSize: "A3" } }],
      "0.options: The first job prints what no other does, with the options of the order data",
    ],
    [
      "a second one without pages",
      [{}, { options: { paperSize: "A3" } }],
      "1.pageRanges: Say which pages this job prints",
    ],
    ["a second one with pages and options", [{}, { pageRanges, options: { paperSize: "A3" } }], undefined],
    ["none", [], "An order has at least one job"],
    ["no list", {}, "must be a list of jobs"],
    [
      "a number of pages on a side that no sheet has",
      [{ pagesPerSide: 3 }],
      "0.pagesPerSide: must be 1, 2, 4, 6 or 9",
    ],
    ["a booklet with 2 pages on a side", [{ isBooklet: true, pagesPerSide: 2 }], undefined],
    [
      "a booklet with 4 of them",
      [{ isBooklet: true, pagesPerSide: 4 }],
      "0.pagesPerSide: A booklet has 2 pages on a side",
    ],
    ["a booklet without them", [{ isBooklet: true }], "0.pagesPerSide: A booklet has 2 pages on a side"],
  ])("%s", (_what, jobs, said) => {
    expect(complaint(orderJobs, jobs)).toBe(said);
  });

  test("are plain where nothing else is said, and can have 1, 2, 4, 6 or 9 pages on a side", () => {
    expect(orderJobs.parse([{}])).toEqual([{ pagesPerSide: 1, hasFrames: false, isBooklet: false }]);
    for (const pagesPerSide of [1, 2, 4, 6, 9]) expect(accepts(orderJobs, [{ pagesPerSide }])).toBe(true);
  });
});

describe("a period of the book", () => {
  const period = (from: string, until: string) => ({ from, until });

  test("ends on its first day or later, and may be a year and a day long", () => {
    expect(complaint(yearInput, period("2026-11-22", "2026-11-21"))).toBe(
      "until: The last day cannot be before the first",
    );
    for (const [from, until] of [
      ["2026-11-21", "2026-11-21"],
      ["2023-11-21", "2024-11-20"],
    ] as const)
      expect(accepts(yearInput, period(from, until))).toBe(true);
    expect(complaint(yearInput, period("2023-11-21", "2024-11-21"))).toBe(
      "from: This is longer than a year. Please choose fewer days",
    );
    expect(accepts(periodInput, period("2020-01-01", "2026-11-21"))).toBe(true);
  });

  test("can be a day of one shop, and what is owed from before a day of one shop or of all", () => {
    const [shopId, day] = ["s", "2026-11-21"];
    expect(bookDayInput.parse({ shopId, day })).toEqual({ shopId, day });
    expect(accepts(bookDayInput, { day })).toBe(false);
    expect(outstandingInput.parse({ shopId, before: day })).toEqual({ shopId, before: day });
    expect(outstandingInput.parse({ before: day })).toEqual({ before: day });
    expect(accepts(outstandingInput, {})).toBe(false);
  });

  test("lists all orders where no filter is given, and none backwards", () => {
    expect(bookOrdersInput.parse(period("2026-11-21", "2026-11-21"))).toMatchObject({ filter: "all" });
    expect(complaint(bookOrdersInput, period("2026-11-22", "2026-11-21"))).toBe(
      "until: The last day cannot be before the first",
    );
  });
});

test("an option of a shop is out for nobody's last choice unless that is said", () => {
  const option = { shopId: "s", optionId: "o" };
  expect(setOutInput.parse({ ...option, isOut: true })).toEqual({
    ...option,
    isOut: true,
    isLastAccepted: false,
  });
  expect(askAboutInput.parse(option)).toEqual(option);
  expect(changeStockInput.parse({ ...option, toOptionId: "p" })).toEqual({ ...option, toOptionId: "p" });
});

test("a shop closes early, or goes on working, where that is said", () => {
  for (const isClosing of [true, false])
    expect(closeEarlyInput.parse({ shopId: "s", isClosing })).toEqual({ shopId: "s", isClosing });
  expect(accepts(closeEarlyInput, { shopId: "s" })).toBe(false);
});

describe("at the counter", () => {
  test("an order says what is printed at which price, and in which jobs where it has several", () => {
    const jobs = [{}, { pageRanges: [{ public_id: "f", pages: "1" }] }];
    expect(visitOrderInput.parse({ ...VISIT, jobs }).jobs).toHaveLength(2);
    for (const [schema, order] of [
      [visitOrderInput, VISIT],
      [walkInInput, WALK_IN],
    ] as const) {
      expect(accepts(schema, order)).toBe(true);
      expect(accepts(schema, { ...order, orderData: undefined })).toBe(false);
      expect(accepts(schema, { ...order, orderValue: undefined })).toBe(false);
    }
  });

  test("a visitor's key has no spaces around it", () => {
    expect(visitOrderInput.parse({ ...VISIT, idempotencyKey: " k " }).idempotencyKey).toBe("k");
    expect(accepts(visitOrderInput, { ...VISIT, idempotencyKey: " " })).toBe(false);
  });

  test("a clerk may take a payment with the order", () => {
    const payment = { method: "cash", amountPaise: 900 };
    expect(walkInInput.parse({ ...WALK_IN, payment }).payment).toEqual(payment);
    expect(accepts(walkInInput, { ...WALK_IN, payment: {} })).toBe(false);
  });

  test("a shop turns its page on and off", () => {
    expect(switchCounterInput.parse({ shopId: "s", isOn: true })).toEqual({ shopId: "s", isOn: true });
    expect(accepts(switchCounterInput, { shopId: "s" })).toBe(false);
  });
});

test("a file is approved by its id", () => {
  expect(approvedFile.parse({ public_id: "f" })).toEqual({ public_id: "f" });
  expect(accepts(approvedFile, {})).toBe(false);
});

test("a new e-mail is given with the password", () => {
  const input = { email: "asha@college.example", password: "blue kettle" };
  expect(profile.newEmailInput.parse(input)).toEqual(input);
  expect(accepts(profile.newEmailInput, { email: input.email })).toBe(false);
});

test("holidays are kept once each, in order", () => {
  const holidays = ["2026-12-25", "2026-01-26", "2026-12-25"];
  expect(saveScheduleInput.parse({ ...SCHEDULE, holidays }).holidays).toEqual(["2026-01-26", "2026-12-25"]);
});

describe("the address of a browser that gets push messages", () => {
  test.each([
    "https://fcm.googleapis.com/fcm/send/a",
    "https://updates.push.services.mozilla.com/wpush/v2/a",
    "https://sg2p.notify.windows.com/w/?token=a",
    "https://wns2-pn1p.notify.windows.com/w/?token=a",
    "https://a.b.notify.windows.com/w/?token=a",
    "https://web.push.apple.com/a",
  ])("can be %s", (endpoint) => {
    expect(accepts(pushSubscriptionInput, { ...DEVICE, endpoint })).toBe(true);
  });

  test.each([
    "http://fcm.googleapis.com/a",
    "https://fcm.googleapis.com:8443/a",
    "https://fcm.googleapis.com.evil.example/a",
    "https://evilfcm.googleapis.com/a",
    "https://x.fcm.googleapis.com/a",
    "https://fcmxgoogleapis.com/a",
    "https://push.apple.com/a",
    "https://apush.apple.com.evil.example/a",
    "https://user@fcm.googleapis.com/a",
    "https://:word@fcm.googleapis.com/a",
    "https://FCM.googleapis.com/a",
    "https://127.0.0.1/a",
    "not an address",
    "",
  ])("cannot be %j", (endpoint) => {
    expect(complaint(pushSubscriptionInput, { ...DEVICE, endpoint })).toBe(
      "endpoint: This is not the address of a push service",
    );
  });

  test("has at most 1000 characters, and keys of 65 and 16 bytes", () => {
    const endpoint = (length: number) => DEVICE.endpoint.padEnd(length, "a");
    const long = (length: number) =>
      accepts(pushSubscriptionInput, { ...DEVICE, endpoint: endpoint(length) });
    expect([long(1000), long(1001)]).toEqual([true, false]);
    const keys = (p256dh: number, auth: number) =>
      accepts(pushSubscriptionInput, {
        ...DEVICE,
        keys: { p256dh: "B".repeat(p256dh), auth: "a".repeat(auth) },
      });
    expect([keys(87, 22), keys(86, 22), keys(88, 22), keys(87, 21), keys(87, 23)]).toEqual([
      ...[true, false, false, false, false],
    ]);
  });
});

describe("the tax settings of a shop", () => {
  test.each<[string, object, string | undefined]>([
    ["complete ones", {}, undefined],
    ["none at all", { gstin: "", legalName: "", address: "" }, undefined],
    [
      "a GSTIN with a wrong digit",
      { gstin: "27AAPFU0939F1ZW" },
      "gstin: This is not a valid GSTIN. Please check each character",
    ],
    [
      "a GSTIN without the name",
      { legalName: " " },
      "legalName: Please enter the legal name that is registered for this GSTIN",
    ],
    [
      "a GSTIN without the address",
      { address: "" },
      "address: Please enter the address that is registered for this GSTIN",
    ],
    [
      "a rate that there is not",
      { ratePercent: 17 },
      "ratePercent: Invalid option: expected one of 5|12|18|28|40",
    ],
  ])("%s", (_what, changes, said) => {
    expect(complaint(saveTaxInput, { ...TAX, ...changes })).toBe(said);
  });

  test("have a GSTIN of at most 40 characters as it is typed", () => {
    const typed = (length: number) => accepts(saveTaxInput, { ...TAX, gstin: TAX.gstin.padEnd(length) });
    expect([typed(40), typed(41)]).toEqual([true, false]);
  });

  test("are stored without spaces and hyphens, in capitals", () => {
    const typed = { ...TAX, gstin: " 27aapfu-0939 f1zv", sac: " 998912 ", series: " lp " };
    expect(saveTaxInput.parse(typed)).toMatchObject({ gstin: TAX.gstin, sac: "998912", series: "LP" });
  });

  test.each(["9989", "998912", "99891212"])("have a code of 4, 6 or 8 digits: %s", (sac) => {
    expect(accepts(saveTaxInput, { ...TAX, sac })).toBe(true);
  });

  test.each(["", "9", "998", "99891", "9989123", "998912123", "99891a", "a998912", "998912a"])(
    "have no code %j",
    (sac) => {
      expect(complaint(saveTaxInput, { ...TAX, sac })).toBe("sac: A HSN or SAC code has 4, 6 or 8 digits");
    },
  );

  test.each([
    ["A", true],
    ["LP7", true],
    ["", false],
    ["ABCD", false],
    ["A/", false],
    ["/A", false],
  ])("number invoices with %j: %s", (series, isRight) => {
    expect(accepts(saveTaxInput, { ...TAX, series })).toBe(isRight);
  });
});

test("a version starts at 1 for shops and at 0 for price lists", () => {
  const shop = (version: number) => ({ ...SHOP, shopId: "s", version });
  expect([accepts(updateShopInput, shop(1)), accepts(updateShopInput, shop(0))]).toEqual([true, false]);
  const lists = Object.fromEntries(Object.keys(priceListsInput.shape).map((kind) => [kind, []]));
  const prices = (version: number) => ({ shopId: "s", version, lists });
  expect([accepts(savePricesInput, prices(0)), accepts(savePricesInput, prices(-1))]).toEqual([true, false]);
  expect(savePricesInput.parse(prices(0)).show, "a shop is not shown unless it is said").toBe(false);
});

describe("an id", () => {
  test.each(["a", "Z_9-", "x".repeat(64)])("can be %j", (id) => expect(accepts(idField, id)).toBe(true));
  test.each(["", "x".repeat(65), "a b", "a/b", "a.b", " a", "a ", "ä", 5])("cannot be %j", (id) => {
    expect(complaint(idField, id)).toBe("must be an id");
  });
});

describe("an e-mail address", () => {
  test("has at most 254 characters", () => {
    const address = (length: number) => `${"a".repeat(length - 10)}@b.example`;
    expect([accepts(emailField, address(254)), accepts(emailField, address(255))]).toEqual([true, false]);
  });

  test.each(["x@yyy.zz ", "X@Y.ZZ"])("is stored in lower case and without spaces: %j", (text) => {
    expect(emailField.parse(text)).toBe(text.trim().toLowerCase());
  });

  test.each([...' \t@<>(),;:"[]\\'])("has no %j in either part", (sign) => {
    expect(accepts(emailField, `a${sign}b@college.example`)).toBe(false);
    expect(accepts(emailField, `ab@coll${sign}ege.example`)).toBe(false);
    expect(accepts(emailField, `ab@college.exam${sign}ple`)).toBe(false);
  });

  test.each(["a@b.c.", "a@b..", "a@.zz", "@b.zz", "a@b.z"])("is not %j", (text) => {
    expect(complaint(emailField, text)).toBe(VALIDATION.email);
  });

  test("can have dots before its last part", () => {
    expect(accepts(emailField, "a.b@mail.college.ac.in")).toBe(true);
  });
});

describe("a password", () => {
  const change = (password: unknown) => ({ ...SIGNUP, password, confirmpassword: password });

  test("has at most 256 characters, and at least one", () => {
    expect(accepts(accounts.signupInput, change("p".repeat(256)))).toBe(true);
    expect(complaint(accounts.signupInput, change("p".repeat(257)))).toBe(
      "password: Password must be at most 256 characters long",
    );
    expect(complaint(accounts.signupInput, change(""))).toBe("password: Password is required");
    expect(complaint(accounts.signupInput, change(undefined))).toBe("password: Password is required");
  });

  test("keeps its spaces", () => {
    expect(accounts.loginInput.parse({ email: SIGNUP.email, password: " p " }).password).toBe(" p ");
  });

  const CHANGE = { currentPassword: "old", password: "correct horse 9", confirmpassword: "correct horse 9" };
  test.each<[string, z.ZodType, Record<string, unknown>]>([
    ["at sign-up", accounts.signupInput, SIGNUP],
    ["at a recovery", accounts.resetPasswordInput, { token: "t", password: "p", confirmpassword: "p" }],
    ["at a change", profile.changePasswordInput, CHANGE],
    ["at a change by staff", profile.changeStaffPasswordInput, CHANGE],
    ["at an invitation", staff.newStaffAccount, STAFF],
  ])("is typed twice %s", (_where, schema, form) => {
    expect(accepts(schema, form)).toBe(true);
    expect(complaint(schema, { ...form, confirmpassword: "another" })).toBe(
      `confirmpassword: ${VALIDATION.passwordsDiffer}`,
    );
  });

  test("is typed twice by an invited person with an account", () => {
    const input = (confirmpassword: string) => ({
      token: "t",
      newPassword: { password: STAFF.password, confirmpassword },
    });
    expect(accepts(staff.acceptInvitationInput, input(STAFF.password))).toBe(true);
    expect(accepts(staff.acceptInvitationInput, input("another"))).toBe(false);
  });

  test("of staff has at least twelve characters wherever it is new", () => {
    const short = { password: "eleven char", confirmpassword: "eleven char" };
    const message = "Staff passwords must be at least 12 characters long";
    expect(complaint(staff.newStaffAccount, { ...STAFF, ...short })).toBe(`password: ${message}`);
    expect(complaint(profile.changeStaffPasswordInput, { ...CHANGE, ...short })).toBe(`password: ${message}`);
    expect(accepts(profile.changePasswordInput, { ...CHANGE, ...short })).toBe(true);
  });
});

describe("a login by code", () => {
  const input = (fields: object) => ({ verifyCode: "123456", ...fields });

  test("names a phone number or an e-mail", () => {
    expect(accepts(accounts.otpLoginInput, input({ email: SIGNUP.email }))).toBe(true);
    expect(accepts(accounts.otpLoginInput, input({ phone: SIGNUP.phone }))).toBe(true);
    expect(complaint(accounts.otpLoginInput, input({}))).toBe("Phone or email not found.");
  });

  test("takes the code as text or as a number", () => {
    expect(accounts.verifyCode.parse(12_345)).toBe("012345");
    expect(complaint(accounts.verifyCode, null)).toBe("Verification code is required");
    expect(complaint(accounts.verifyCode, " ")).toBe("Verification code is required");
  });
});

test("an identity is confirmed by a password, a code or a passkey", () => {
  for (const proof of [{ password: "p" }, { code: "1" }, { passkey: { ...PASSKEY, response: SIGNATURE } }]) {
    expect(accounts.confirmInput.parse(proof)).toMatchObject(proof);
  }
  expect(accepts(accounts.confirmInput, {})).toBe(false);
});

describe("passkey data", () => {
  const answer = (fields: object) => ({ ...PASSKEY, response: { ...SIGNATURE, ...fields } });

  test("is base64url of at most 8,192 characters", () => {
    expect(accepts(factors.passkeyAnswer, answer({ signature: "aZ0_-".repeat(1600) }))).toBe(true);
    expect(accepts(factors.passkeyAnswer, answer({ signature: "a".repeat(8192) }))).toBe(true);
    expect(accepts(factors.passkeyAnswer, answer({ signature: "a".repeat(8193) }))).toBe(false);
    for (const signature of ["", "a+b", "a=", " a", "a "]) {
      expect(complaint(factors.passkeyAnswer, answer({ signature }))).toBe(
        "response.signature: must be base64url",
      );
    }
  });

  test("names the kind of credential and of authenticator", () => {
    for (const authenticatorAttachment of ["platform", "cross-platform"]) {
      expect(accepts(factors.passkeyAnswer, { ...answer({}), authenticatorAttachment })).toBe(true);
    }
    expect(accepts(factors.passkeyAnswer, { ...answer({}), authenticatorAttachment: "other" })).toBe(false);
    expect(accepts(factors.passkeyAnswer, { ...answer({}), type: "password" })).toBe(false);
    expect(factors.passkeyAnswer.parse(answer({})).clientExtensionResults).toEqual({});
  });

  test("has transports of at most 40 characters", () => {
    const creation = (length: number) => ({
      ...PASSKEY,
      response: { ...CREATION, transports: ["u".repeat(length)] },
    });
    expect(accepts(factors.passkeyCreation, creation(40))).toBe(true);
    expect(accepts(factors.passkeyCreation, creation(41))).toBe(false);
  });

  test("of an authenticator app is sealed in at most 1,000 characters", () => {
    const app = (length: number) => ({ enrolment: "e".repeat(length), code: "1" });
    expect(accepts(factors.addTotpInput, app(1000))).toBe(true);
    expect(accepts(factors.addTotpInput, app(1001))).toBe(false);
  });
});

describe("a pickup code", () => {
  const input = (code: unknown) => ({ orderId: "o1", proof: { by: "code", code } });
  test.each([
    ["0000", "0000"],
    [" 1234 ", "1234"],
    ["१२३४", "1234"],
  ])("can be %j", (code, read) => {
    expect(board.handOverInput.parse(input(code)).proof).toEqual({ by: "code", code: read });
  });
  test.each(["", "123", "12345", "12 34", "abcd", "१२३"])("cannot be %j", (code) => {
    expect(complaint(board.handOverInput, input(code))).toBe("proof.code: The code has four digits");
  });
});

test("an order at the counter is handed over by the name that was called", () => {
  const handOver = { orderId: "o1", proof: { by: "name" } };
  expect(board.handOverInput.parse(handOver)).toEqual(handOver);
});

test.each(["unpaid", "onHold"])("orders are shown where they are %s, or whether or not", (filter) => {
  expect(board.boardInput.parse({ [filter]: true })).toEqual({ [filter]: true });
  expect(accepts(board.boardInput, { [filter]: false })).toBe(false);
});

test("the board is of one shop or of all", () => {
  expect(board.boardInput.parse({ shopId: "s" })).toEqual({ shopId: "s" });
  expect([accepts(board.boardInput, {}), accepts(board.boardInput, { shopId: "a b" })]).toEqual([
    true,
    false,
  ]);
});

describe("a page of orders", () => {
  test("shows open orders, the oldest first, unless something else is asked for", () => {
    expect(board.orderPageInput.parse({})).toEqual({
      state: "open",
      search: "",
      reported: false,
      sort: "oldest",
    });
  });

  test.each([
    ["all", true],
    ["open", true],
    ["done", true],
    ["placed", true],
    ["cancelled", true],
    ["lost", false],
  ])("of state %s", (state, isKnown) => expect(accepts(board.orderPageInput, { state })).toBe(isKnown));

  test("is sorted by age only", () => {
    expect(accepts(board.orderPageInput, { sort: "newest" })).toBe(true);
    expect(accepts(board.orderPageInput, { sort: "oldest" })).toBe(true);
    expect(accepts(board.orderPageInput, { sort: "price" })).toBe(false);
  });

  test("is limited to times in UTC", () => {
    for (const end of ["from", "until"]) {
      expect(accepts(board.orderPageInput, { [end]: "2026-11-21T09:30:00.000Z" })).toBe(true);
      expect(complaint(board.orderPageInput, { [end]: "yesterday" })).toBe(
        `${end}: must be a time such as 2026-11-21T09:30:00.000Z`,
      );
    }
  });

  test.each<[string, z.ZodType]>([
    ["orders", board.orderPageInput],
    ["the audit log", auditListInput],
    ["messages", contactListInput],
    ["mails", mailListInput],
    ["one's own orders", ownOrdersInput],
  ])("of %s goes on after a row that is named by its time and id", (_what, schema) => {
    expect(accepts(schema, { cursor: { createdAt: "2026-11-21T09:30:00.000Z", id: "a" } })).toBe(true);
    expect(accepts(schema, { cursor: null })).toBe(true);
    expect(accepts(schema, { cursor: { createdAt: "now", id: "a" } })).toBe(false);
    expect(accepts(schema, { cursor: { createdAt: "2026-11-21T09:30:00.000Z" } })).toBe(false);
  });
});

test("several orders are moved from the states in which the caller saw them", () => {
  const orders = [{ orderId: "o1", from: "placed" }];
  expect(board.moveManyInput.parse({ orders, to: "printing" })).toEqual({ orders, to: "printing" });
  expect(complaint(board.moveManyInput, { orders: [], to: "printing" })).toBe(
    "orders: Choose at least one order",
  );
});

describe("figures", () => {
  const period = (from: string, until: string) => ({ from, until });

  test("are for at most 366 days", () => {
    expect(accepts(shopStatsInput, period("2024-01-01", "2024-12-31"))).toBe(true);
    expect(complaint(shopStatsInput, period("2024-01-01", "2025-01-01"))).toBe(
      "from: This is longer than a year. Please choose fewer days",
    );
  });

  test("are for one day at least, and not backwards", () => {
    expect(accepts(shopStatsInput, period("2026-11-21", "2026-11-21"))).toBe(true);
    expect(complaint(shopStatsInput, period("2026-11-22", "2026-11-21"))).toBe(
      "until: The last day cannot be before the first",
    );
    expect(complaint(shopStatsInput, period("21.11.2026", "2026-11-21"))).toBe(
      "from: must be a day such as 2026-11-21",
    );
  });

  test("rank shops by revenue unless another measure is asked for", () => {
    expect(shopStatsInput.parse(period("2026-11-21", "2026-11-21")).by).toBe("revenue");
    for (const by of ["revenue", "orders", "pages", "sheets"]) {
      expect(accepts(shopStatsInput, { ...period("2026-11-21", "2026-11-21"), by })).toBe(true);
    }
    expect(accepts(shopStatsInput, { ...period("2026-11-21", "2026-11-21"), by: "age" })).toBe(false);
  });
});

describe("staff", () => {
  test("have at least one shop, except admins", () => {
    const invite = (role: string, shopIds: string[]) => ({ email: SIGNUP.email, role, shopIds });
    expect(complaint(staff.inviteInput, invite("counter", []))).toBe("shopIds: Choose at least one shop");
    expect(accepts(staff.inviteInput, invite("counter", ["s"]))).toBe(true);
    expect(accepts(staff.inviteInput, invite("admin", []))).toBe(true);
    expect(complaint(staff.inviteInput, invite("customer", ["s"]))).toBe("role: Choose a role");
    const base = { role: "owner", shopIds: ["s"] };
    const change = { ...base, userId: "u", shopIds: [], base };
    expect(complaint(staff.changeStaffInput, change)).toBe("shopIds: Choose at least one shop");
  });

  test("may leave out their phone number", () => {
    expect(staff.newStaffAccount.parse(STAFF).phone).toBeNull();
    expect(staff.newStaffAccount.parse({ ...STAFF, phone: "9876543210" }).phone).toBe("9876543210");
    expect(complaint(staff.newStaffAccount, { ...STAFF, phone: "12" })).toBe(`phone: ${VALIDATION.phone}`);
  });
});

describe("a shop", () => {
  test("has stars with at most one decimal, which are stored in tenths", () => {
    expect(shopDetails.parse({ ...SHOP, ratings: 4.3 }).ratings).toBe(43);
    expect(complaint(shopDetails, { ...SHOP, ratings: 4.25 })).toBe("ratings: must have at most one decimal");
    expect(complaint(shopDetails, { ...SHOP, ratings: 5.1 })).toBe("ratings: must be from 0 to 5");
    expect(complaint(shopDetails, { ...SHOP, ratings: -0.1 })).toBe("ratings: must be from 0 to 5");
  });

  test.each(["", "a@b2", "Lamp.Post-9_x@okbank", "9876543210@upi"])("can have the UPI ID %j", (id) => {
    expect(accepts(upiIdField, id)).toBe(true);
  });

  test.each(["a@b", "@okbank", ".a@okbank", "a@9bank", "a@ok-bank", "a b@okbank", "a@okbank.in", "xa@@ok"])(
    "cannot have the UPI ID %j",
    (id) => expect(complaint(upiIdField, id)).toBe("must look like name@bank, or be empty"),
  );

  test("has a UPI ID of at most 255 characters", () => {
    expect(accepts(upiIdField, `${"a".repeat(250)}@bank`)).toBe(true);
    expect(accepts(upiIdField, `${"a".repeat(251)}@bank`)).toBe(false);
  });

  test("offers no pickup, takes no UPI and separates no files unless it says so", () => {
    expect(shopDetails.parse(SHOP)).toMatchObject({
      ...{ offersPickup: false, separatesFiles: false, openingHours: "", upiId: "" },
    });
  });

  test("has opening hours as people type them, stored in one way", () => {
    const typed = (openingHours: string) => ({ ...SHOP, openingHours });
    expect(shopDetails.parse(typed("mon - fri 9 am-8 pm")).openingHours).toBe("Mon–Fri 9:00–20:00");
    const long = (length: number) => accepts(shopDetails, typed(`Mon${" ".repeat(length - 7)}9-10`));
    expect([long(300), long(301)]).toEqual([true, false]);
    const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    // Each day of its own, so that what is stored is longer than what was typed.
    const daily = (times: (day: number) => string) => days.map((day, at) => `${day} ${times(at)}`).join(";");
    expect(accepts(shopDetails, typed(daily((at) => `9-1${at},17-18,18-19`)))).toBe(true);
    expect(complaint(shopDetails, typed(daily((at) => `9-1${at},17-18,18-19,19-20,20-21`)))).toBe(
      "openingHours: must be at most 300 characters long as they are shown",
    );
    expect(complaint(shopDetails, typed("when the lamp is lit"))).toBe(
      "openingHours: Write the hours like “Mon-Sat 9:00-20:00; Sun 10:00-14:00”",
    );
  });

  test("is created with an id and all its details", () => {
    expect(accepts(createShopInput, { ...SHOP, id: "lamp" })).toBe(true);
    expect(complaint(createShopInput, SHOP)).toBe(
      "id: must have only letters, digits and hyphens, such as lamp-post-prints",
    );
    expect(accepts(createShopInput, { id: "lamp" })).toBe(false);
  });

  test("may write digits as Indian keyboards do", () => {
    const given = { perPageCost: "१.२५", contactNumber: "०20 १२३४", openingHours: "Mon-Sat ९:००-२०:००" };
    expect(shopDetails.parse({ ...SHOP, ...given })).toMatchObject({
      perPageCost: 125,
      contactNumber: "020 1234",
      openingHours: "Mon–Sat 9:00–20:00",
    });
  });

  test("has a contact number that can be called", () => {
    const given = (contactNumber: string) => accepts(shopDetails, { ...SHOP, contactNumber });
    for (const number of [
      "112",
      "+91 98765 43210",
      "(020) 1234-5678",
      "123456789012345",
      `1${" ".repeat(37)}23`,
      ` ${"1 ".repeat(15)}`,
    ])
      expect([number, given(number)]).toEqual([number, true]);
    for (const number of ["", "12", "1234567890123456", "call Ravi", "98765+43210", `1${" ".repeat(38)}23`])
      expect([number, given(number)]).toEqual([number, false]);
  });

  test("says of a field that is not there that it is missing", () => {
    const { college: _left, ...without } = SHOP;
    expect(complaint(shopDetails, without)).toBe("college: is missing");
    expect(complaint(shopDetails, { ...SHOP, college: 7 })).toBe("college: must be text");
  });

  test("needs a picture of this store", () => {
    expect(complaint(shopDetails, { ...SHOP, shopImage: "https://elsewhere.example/a.png" })).toBe(
      "shopImage: must be a picture of this store: upload it here instead of giving its address",
    );
    expect(complaint(shopDetails, { ...SHOP, shopImage: "" })).toBe("shopImage: Shop picture is required");
  });
});

describe("a price list", () => {
  const lists = (coverOptions: object[]) => complaint(priceListsInput.shape.coverOptions, coverOptions);

  test("has each name and each id once", () => {
    expect(lists([OPTION, { ...OPTION, name: "A5" }])).toBeUndefined();
    expect(lists([OPTION, OPTION])).toBe('1.name: "A4" is here twice');
    expect(lists([OPTION, { ...OPTION, name: " a4" }])).toBe('1.name: "a4" is here twice');
    const saved = (id: string) => [
      { ...OPTION, id: "o" },
      { ...OPTION, id, name: "A5" },
    ];
    expect(lists(saved("o"))).toBe('1.id: "o" is here twice');
    expect(lists(saved("p"))).toBeUndefined();
  });

  test("has two sides among the printing sides only", () => {
    expect(lists([{ ...OPTION, sides: 2 }])).toBe("0.sides: must be 1: only printing sides can be 2");
    const sides = (count: number) => [{ ...OPTION, sides: count }];
    const schema = priceListsInput.shape.printingSides;
    expect([accepts(schema, sides(1)), accepts(schema, sides(2))]).toEqual([true, true]);
    expect(complaint(schema, sides(3))).toBe("0.sides: must be 1 or 2");
  });

  test("has options in colour among the printed colours only", () => {
    expect(lists([{ ...OPTION, inColour: true }])).toBe(
      "0.inColour: must be false: only printed colours can be in colour",
    );
    const colours = (inColour: unknown) =>
      accepts(priceListsInput.shape.printedColours, [{ ...OPTION, inColour }]);
    expect([colours(true), colours(false), colours(1)]).toEqual([true, true, false]);
  });

  test("has no fields that the store does not know", () => {
    expect(accepts(priceListsInput.shape.coverOptions, [{ ...OPTION, colour: "red" }])).toBe(false);
  });
});

describe("a seed file", () => {
  const seed = (changes: object) => ({ shops: [{ ...SEED_SHOP, ...changes }] });

  test("has at least one shop, and each id once", () => {
    expect(accepts(seedFile, seed({}))).toBe(true);
    expect(complaint(seedFile, { shops: [] })).toBe("shops: must have at least one shop");
    expect(complaint(seedFile, { shops: [SEED_SHOP, SEED_SHOP] })).toBe('shops.1.id: "lamp" is here twice');
  });

  test("has an option that is on in each list", () => {
    expect(complaint(seedFile, seed({ paperTypes: [{ ...SEED_OPTION, active: false }] }))).toBe(
      "shops.0.paperTypes: must have at least one option that is on",
    );
    const one = [
      { ...SEED_OPTION, active: false },
      { ...SEED_OPTION, name: "A5" },
    ];
    expect(accepts(seedFile, seed({ paperTypes: one }))).toBe(true);
    expect(accepts(seedFile, seed({ paperTypes: [SEED_OPTION, SEED_OPTION] }))).toBe(false);
  });

  test("has options per page that are on, where it does not say otherwise", () => {
    const [shop] = seedFile.parse(seed({})).shops;
    expect(shop?.paperTypes).toEqual([{ name: "A4", price: 100, basis: "page", active: true }]);
    expect([shop?.upiId, shop?.offersPickup, shop?.openingHours]).toEqual([undefined, undefined, undefined]);
  });
});

describe("an amount in rupees", () => {
  test("has at most two decimals, also where floating point has more", () => {
    expect(rupeesField.parse(0.29)).toBe(29);
    expect(rupeesField.parse(1_234_567.89)).toBe(123_456_789);
    expect(complaint(rupeesField, 0.001)).toBe("must have at most two decimals");
    expect(complaint(rupeesField, 1.239)).toBe("must have at most two decimals");
  });

  test.each(["1.", ".5", "1.234", "+1", "1 000", "1234567890"])("cannot be %j", (text) => {
    expect(complaint(rupeesField, text)).toBe("must be an amount in rupees, such as 12.50");
  });

  test("can be text with spaces around it", () => {
    expect(rupeesField.parse(" 12.5 ")).toBe(1250);
  });

  test("in paise is a whole number", () => {
    expect(complaint(paiseField, 1.5)).toBe("must be an amount in paise");
    expect(complaint(paiseField, -1)).toBe("must be an amount in paise");
    expect(complaint(paiseField, 1_000_000_001)).toBe("must be an amount in paise");
  });
});

describe("a count", () => {
  const field = countField("Number of copies", 1000);

  test.each([0, 1001, 1.5, "1001", "1e2", "1234567890", "", true])(
    "explains what is wrong with %j",
    (count) => {
      expect(complaint(field, count)).toBe("Number of copies must be a whole number from 1 to 1000");
    },
  );

  test("can have nine digits as text", () => {
    expect(countField("Pages", 999_999_999).parse("999999999")).toBe(999_999_999);
  });
});

describe("an input that names one thing by its id", () => {
  test.each<[string, z.ZodType, string]>([
    ["a shop", shopIdInput, "id"],
    ["anything", idInput, "id"],
    ["a shop's own", ofShop, "shopId"],
    ["an order's own", ofOrder, "orderId"],
    ["a person's own", ofUser, "userId"],
  ])("takes %s, and nothing without an id", (_what, schema, name) => {
    expect(schema.parse({ [name]: "a1" })).toEqual({ [name]: "a1" });
    expect(complaint(schema, {})).toBe(`${name}: must be an id`);
    expect(complaint(schema, { [name]: "a b" })).toBe(`${name}: must be an id`);
  });
});

describe("an input", () => {
  test.each<[string, z.ZodType, Record<string, unknown>]>([
    ["of an address", addAddressInput, { address: ADDRESS }],
    ["of a changed address", updateAddressInput, { id: "a", address: ADDRESS }],
    ["of an e-mail", accounts.emailInput, { email: SIGNUP.email }],
    ["of a phone number", accounts.phoneInput, { phone: SIGNUP.phone }],
    ["of a login", accounts.loginInput, { email: SIGNUP.email, password: "p" }],
    ["of an account's code", accounts.verifyAccountInput, { verifyCode: "1", phone: SIGNUP.phone }],
    ["of a phone's code", profile.confirmContactInput, { verifyCode: "1" }],
    ["of a deletion", profile.deleteAccountInput, { password: "p" }],
    ["of a login by passkey", factors.passkeyLoginInput, { passkey: { ...PASSKEY, response: SIGNATURE } }],
    ["of a second factor's code", factors.finishLoginInput, { code: "1" }],
    ["of an app's code", factors.addTotpInput, { enrolment: "e", code: "1" }],
    ["of the rule for second factors", factors.secondFactorRuleInput, { required: true }],
    ["of a move", board.moveInput, { orderId: "o", from: "placed", to: "printing" }],
    ["of a cancelled order", board.cancelInput, { orderId: "o", from: "placed", reason: "Torn" }],
    ["of a payment", payments.takePaymentInput, PAYMENT],
    ["of a refund", payments.refundInput, { ...PAYMENT, reason: "Blank" }],
    ["of a reversal", payments.reverseInput, { orderId: "o", paymentId: "p", key: PAYMENT.key, reason: "B" }],
    ["of a hand-over", board.handOverInput, { orderId: "o", proof: { by: "note", note: "Known" } }],
    ["of a message's state", markContactInput, { id: "m", state: "read" }],
    ["of a choice of mails", profile.mailChoiceInput, { kind: "placed", wanted: false }],
    ["of an answer to a report", answerInput, { orderId: "o", accepted: false, answer: "No" }],
    ["of a rating", rateInput, { orderId: "o", stars: 3 }],
    ["of a hidden shop", hideShopInput, { shopId: "s", hidden: true }],
    ["of an invitation", staff.inviteInput, { email: SIGNUP.email, role: "admin", shopIds: [] }],
    [
      "of a change of staff",
      staff.changeStaffInput,
      { userId: "u", role: "admin", shopIds: [], base: { role: "owner", shopIds: ["s"] } },
    ],
    ["of an order's values", orderValue, { subTotal: "3", tax: "3", deliveryFee: "3", orderTotal: "9" }],
    ["of a reprint", reprintOrderInput, { orderId: "o", filesUrl: ["/files/a"] }],
  ])("%s needs each of its parts", (_what, schema, input) => {
    expect(accepts(schema, input)).toBe(true);
    for (const name of Object.keys(input)) {
      expect(accepts(schema, { ...input, [name]: undefined }), `without ${name}`).toBe(false);
    }
  });

  test.each<[string, z.ZodType, Record<string, unknown>, string[]]>([
    ["of states of messages", contactListInput, {}, ["new", "read", "answered"]],
    ["of states of mails", mailListInput, {}, ["waiting", "sent", "failed"]],
  ])("%s knows these only", (_what, schema, input, states) => {
    for (const state of states) expect(accepts(schema, { ...input, state })).toBe(true);
    expect(accepts(schema, { ...input, state: "lost" })).toBe(false);
  });

  test("of an action in the audit log is one of those that are recorded", () => {
    expect(accepts(auditListInput, { action: "order.move" })).toBe(true);
    expect(accepts(auditListInput, { action: "order.fly" })).toBe(false);
    expect(accepts(auditListInput, { from: "yesterday" })).toBe(false);
    expect(accepts(auditListInput, { until: "yesterday" })).toBe(false);
  });

  test("of a report can be without photos", () => {
    expect(reportInput.parse({ orderId: "o", reason: "Pale" }).photos).toEqual([]);
  });

  test("of a reprint can choose pages", () => {
    const pageRanges = [{ public_id: "a", pages: "1-2" }];
    expect(reprintOrderInput.parse({ orderId: "o", filesUrl: ["/files/a"], pageRanges }).pageRanges).toEqual(
      pageRanges,
    );
  });

  test("of live events names the last one in at most 20 characters", () => {
    expect(accepts(liveInput, undefined)).toBe(true);
    expect(accepts(liveInput, { lastEventId: null })).toBe(true);
    expect(accepts(liveInput, { lastEventId: "9".repeat(20) })).toBe(true);
    expect(accepts(liveInput, { lastEventId: "9".repeat(21) })).toBe(false);
  });

  test("of an order is delivered unless it says otherwise, and trims its key", () => {
    const order = { orderData: ORDER, orderValue: VALUE };
    expect(placeOrderInput.parse(order).fulfilment).toBe("delivery");
    expect(placeOrderInput.parse({ ...order, fulfilment: "pickup" }).fulfilment).toBe("pickup");
    expect(placeOrderInput.parse({ ...order, idempotencyKey: " k " }).idempotencyKey).toBe("k");
    expect(accepts(placeOrderInput, { ...order, idempotencyKey: "  " })).toBe(false);
    expect(accepts(placeOrderInput, { ...order, address: {} })).toBe(false);
  });

  test("of an order's files has addresses of at most 2,000 characters", () => {
    const order = (length: number) => ({ ...ORDER, filesUrl: ["f".repeat(length)] });
    expect(accepts(orderData, order(2000))).toBe(true);
    expect(accepts(orderData, order(2001))).toBe(false);
    expect(complaint(orderData, { ...ORDER, filesUrl: [] })).toBe("filesUrl: At least one file is required");
    expect(complaint(orderData, { ...ORDER, filesUrl: "a" })).toBe("filesUrl: must be a list of file URLs");
  });

  test("of shops is sorted by name unless it says otherwise, and in whole numbers", () => {
    expect(shopListInput.parse({})).toEqual({ search: "", sort: "listed" });
    expect(shopListInput.parse({ limit: "20", sort: "price", after: "s" })).toMatchObject({
      limit: 20,
      sort: "price",
      after: "s",
    });
    expect(accepts(shopListInput, { limit: "2.5" })).toBe(false);
    expect(accepts(shopListInput, { sort: "age" })).toBe(false);
    expect(accepts(shopListInput, { after: "a b" })).toBe(false);
    expect(accepts(shopPageInput, { cursor: "a b" })).toBe(false);
    expect(accepts(shopPageInput, { cursor: null })).toBe(true);
  });
});

describe("an answer", () => {
  const SHOP_FIELDS = [
    ...["_id", "shopName", "shopLocation", "college", "shopImage", "ratings", "perPageCost", "email"],
    ...["contactNumber", "isOpen", "closedNote", "takesUpi", "offersPickup", "openingHours"],
  ];

  test.each<[string, z.ZodObject, string[]]>([
    ["about the caller", accounts.currentUser, ["_id", "fullName", "email", "phone", "role"]],
    [
      "about an option",
      shopOption,
      ["_id", "name", "price", "pricePaise", "basis", "sides", "inColour", "isOut"],
    ],
    [
      "about a shop",
      shop,
      [
        ...SHOP_FIELDS,
        ...["paperTypes", "paperSizes", "printedColours", "printingSides", "bindingOptions", "coverOptions"],
      ],
    ],
    ["about a shop in the grid", shopCard, [...SHOP_FIELDS, "samplePaise", "closedOn", "closedUntil"]],
    ["to an order", placedOrder, ["_id", "orderNumber", "status", "orderValue", "createdAt"]],
    [
      "about an order's values",
      placedOrder.shape.orderValue,
      ["subTotal", "tax", "deliveryFee", "orderTotal"],
    ],
    [
      "to an upload",
      uploadedFile,
      ["secure_url", "pages", "public_id", "bytes", "format", "original_filename", "converted_from"],
    ],
  ])("%s has these fields", (_what, schema, fields) => {
    expect(Object.keys(schema.shape)).toEqual(fields);
  });
});
