import { describe, expect, test } from "vitest";
import { bodyLimitOf, formLimit, tooLarge } from "#server/http/limits.ts";
import { MAX_HOLD_ANSWER, MAX_HOLD_REASON } from "#shared/holds.ts";
import { OPTION_KINDS } from "#shared/options.ts";

const KB = 1024;
const MB = 1024 * KB;
const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";

describe("the largest body that a call's fields allow is accepted", () => {
  /** A letter that JSON may encode in six bytes. */
  const text = (length: number) => "क".repeat(length);
  const escaped = (value: unknown) =>
    JSON.stringify(value).replace(
      /[^\0-\x7f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  const id = "x".repeat(64);
  const option = { id, name: text(80), pricePaise: 1_000_000_000, basis: "order", sides: 1, active: false };
  const options = Array(50).fill(option);
  const files = {
    filesUrl: Array(50).fill("h".repeat(2000)),
    pageRanges: Array(50).fill({ public_id: id, pages: "1".repeat(2000) }),
  };
  const orderData = { shopName: text(200), shopLocation: text(200), message: text(2000), ...files };
  const shop = {
    shopName: text(200),
    shopLocation: text(200),
    college: text(200),
    shopImage: text(500),
    email: "a".repeat(254),
    contactNumber: text(40),
    upiId: text(255),
  };

  test.each<[string, unknown]>([
    [
      "accounts.register",
      {
        fullName: text(200),
        email: "a".repeat(254),
        phone: "9".repeat(10),
        password: text(256),
        confirmpassword: text(256),
      },
    ],
    ["addresses.add", { country: text(200), roadNo: text(200), flatno: text(200), fullname: text(200) }],
    [
      "contact.send",
      { fullName: text(200), email: "a".repeat(254), subject: text(200), message: text(5000) },
    ],
    ["board.note", { orderId: id, body: text(2000) }],
    ["board.cancel", { orderId: id, from: "placed", reason: text(500) }],
    ["reprints.report", { orderId: id, reason: text(1000), photos: Array(5).fill(id) }],
    ["reprints.answer", { orderId: id, answer: text(1000) }],
    ["board.moveSeveral", { orders: Array(100).fill({ orderId: id, from: "delivered" }), to: "delivered" }],
    ["shops.admin.create", shop],
    ["shops.admin.update", { shopId: id, version: 1, ...shop }],
    ["holds.hold", { orderId: id, reason: text(MAX_HOLD_REASON) }],
    ["holds.holdSeveral", { orderIds: Array(100).fill(id), reason: text(MAX_HOLD_REASON) }],
    ["holds.answer", { orderId: id, holdId: id, answer: text(MAX_HOLD_ANSWER) }],
    [
      "holds.change",
      {
        orderId: id,
        holdId: id,
        files: Array(50).fill({ fileId: id, fileUrl: "h".repeat(2000), pages: "1".repeat(2000) }),
        options: [],
        expectedTotalPaise: 0,
      },
    ],
    [
      "staff.change",
      {
        userId: id,
        role: "owner",
        shopIds: Array(1000).fill(id),
        base: { role: "owner", shopIds: Array(1000).fill(id) },
      },
    ],
    ["staff.invite", { email: "a".repeat(254), role: "owner", shopIds: Array(1000).fill(id) }],
    [
      "prices.save",
      {
        shopId: id,
        version: 1,
        lists: Object.fromEntries(OPTION_KINDS.map((kind) => [kind, options])),
      },
    ],
    [
      "orders.place",
      {
        orderData,
        orderValue: {},
        address: { country: text(200), roadNo: text(200), flatno: text(200), fullname: text(200) },
      },
    ],
    ["visits.place", { name: text(60), orderData, orderValue: {} }],
    ["visits.walkIn", { name: text(60), orderData, orderValue: {} }],
    ["reprints.order", { orderId: id, ...files }],
  ])("%s", async (procedure, input) => {
    const { bytes } = bodyLimitOf([procedure], JSON_TYPE);
    expect(escaped(input).length).toBeLessThan(bytes);
  });
});

describe("a call may have as many bytes", () => {
  test("as its calls together in a batch, and a megabyte at most", () => {
    const bytesOf = (calls: string[]) => bodyLimitOf(calls, JSON_TYPE).bytes;
    expect(bytesOf(["accounts.login"])).toBe(8 * KB);
    expect(bytesOf(["accounts.login", "orders.place"])).toBe(264 * KB);
    expect(bytesOf(Array(5).fill("orders.place"))).toBe(MB);
    // A batch has at most 20 calls.
    expect(bytesOf(Array(30).fill("accounts.login"))).toBe(160 * KB);
  });

  test("as its picture where it is sent as bytes, alone and not as JSON", () => {
    const picture = { kind: "picture", bytes: 15 * MB };
    for (const call of ["reprints.uploadPhoto", "shops.admin.uploadPhoto"])
      expect(bodyLimitOf([call], BYTES_TYPE)).toEqual(picture);
    expect(bodyLimitOf(["reprints.uploadPhoto"], `${BYTES_TYPE}; charset=binary`)).toEqual(picture);
    const json = (bytes: number) => ({ kind: "request", bytes });
    expect(bodyLimitOf(["reprints.uploadPhoto"], JSON_TYPE)).toEqual(json(8 * KB));
    expect(bodyLimitOf(["reprints.uploadPhoto", "accounts.me"], BYTES_TYPE)).toEqual(json(16 * KB));
    expect(bodyLimitOf(["accounts.login"], BYTES_TYPE)).toEqual(json(8 * KB));
  });

  test("as a file and its form, in an upload", () => {
    expect(formLimit(100 * MB)).toEqual({ kind: "file", bytes: 100 * MB, frameBytes: 64 * KB });
  });
});

test.each([
  ["request", 8 * KB, "The request is larger than 8 kB"],
  ["request", MB, "The request is larger than 1 MB"],
  ["file", 2.5649 * MB, "The file is larger than 2.56 MB. Please upload a smaller one"],
  ["file", 0.5 * MB, "The file is larger than 0.5 MB. Please upload a smaller one"],
  ["picture", 15 * MB, "The picture is larger than 15 MB. Please choose a smaller one"],
] as const)("a %s of more than %i bytes is refused with its size", (kind, bytes, message) => {
  expect(tooLarge({ kind, bytes: Math.floor(bytes) })).toMatchObject({ code: "TOO_LARGE", message });
});
