import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, getShop, orderFor, uploadPages } from "../factories/orders.ts";
import { signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const URL_OF_CALL = "/api/v1/prints/printorder";
const store = testStore();
let shopId: string;
let otherShopId: string;
beforeAll(async () => {
  const shops = (await store.visitor().get("/api/v1/prints/shopslocation")).body.data;
  [shopId, otherShopId] = [shops[0]._id, shops[1]._id];
});

async function ready(wishes: { pages?: number; copies?: number } = {}) {
  const { visitor, student } = await signedInStudent(store);
  return { visitor, student, order: await orderFor(visitor, { shopId, ...wishes }) };
}

async function ordersOf(email: string) {
  return store.deps.readDb.selectFrom("orders").selectAll().where("user_email", "=", email).execute();
}

describe("POST /prints/printorder", () => {
  test("stores the order with its lines and files and mails both sides, atomically", async () => {
    const { visitor, student, order } = await ready({ pages: 4, copies: 3 });
    await sql`create trigger refuses before insert on outbox begin select raise(abort, 'no mail today'); end`.execute(
      store.deps.db,
    );
    const failed = await visitor.post(URL_OF_CALL, { ...order, address: ADDRESS });
    await sql`drop trigger refuses`.execute(store.deps.db);
    expect([failed.status, await ordersOf(student.email)]).toEqual([500, []]);

    const answer = await visitor.post(URL_OF_CALL, { ...order, address: ADDRESS });
    expect(answer.status).toBe(200);
    const [row] = await ordersOf(student.email);
    expect(row).toMatchObject({ pages: 4, copies: 3, state: "placed", message: order.orderData.message });
    expect(answer.body.data).toEqual({
      _id: row?.id,
      orderNumber: row?.number,
      status: "placed",
      orderValue: order.orderValue,
      createdAt: store.deps.now().toISOString(),
    });
    expect(row?.total_paise).toBe(Math.round(Number(order.orderValue.orderTotal) * 100));
    expect(JSON.parse(row?.address ?? "null")).toEqual(ADDRESS);
    const id = row?.id ?? "";
    const { readDb } = store.deps;
    expect(
      await readDb.selectFrom("order_lines").selectAll().where("order_id", "=", id).execute(),
    ).toHaveLength(6);
    expect(
      await readDb.selectFrom("order_files").selectAll().where("order_id", "=", id).execute(),
    ).toHaveLength(1);
    expect(await readDb.selectFrom("files").selectAll().where("order_id", "=", id).execute()).toHaveLength(1);
    expect(
      await readDb.selectFrom("order_events").select("state").where("order_id", "=", id).execute(),
    ).toEqual([{ state: "placed" }]);
  });

  test("mails every field of the order to both sides, with a link that opens the file for the shop", async () => {
    const { visitor, student, order } = await ready();
    const { body } = await visitor.post(URL_OF_CALL, { ...order, address: ADDRESS });
    const { orderData, orderValue } = order;
    const inRupees = (amount: keyof typeof orderValue) => `₹${Number(orderValue[amount]).toFixed(2)}`;
    const toStudent = (await mailsTo(store, student.email)).find((mail) =>
      mail.subject.includes(body.data.orderNumber),
    );
    const toShop = (await mailsTo(store, orderData.shopEmail)).find((mail) =>
      mail.subject.includes(body.data.orderNumber),
    );
    const expected = [
      ...[orderData.shopName, orderData.shopLocation, orderData.shopEmail, orderData.shopContactNumber ?? ""],
      ...[orderData.printedColour, orderData.printingSide, orderData.paperType, orderData.paperSize],
      ...[orderData.coverOption, orderData.bindingOption, orderData.message ?? "", student.email],
      ...["Number of pages: 3", "Number of copies: 2", `Subtotal: ${inRupees("subTotal")}`],
      ...[`Tax: ${inRupees("tax")}`, `Delivery fee: ${inRupees("deliveryFee")}`],
      ...[`Order total: ${inRupees("orderTotal")}`, ...Object.values(ADDRESS), "notes.pdf"],
    ];
    for (const text of expected) {
      expect(toStudent?.text).toContain(text);
      expect(toShop?.text).toContain(text);
    }
    const link = /http\S+\/files\/\S+/.exec(toShop?.text ?? "")?.[0] ?? "";
    const file = await fetch(link);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const unsigned = await fetch(link.replace(/\?.*/, ""));
    expect(unsigned.status).toBe(404);
  });

  test("gives it a number of signs that nobody mistakes for others, read aloud or copied by hand", async () => {
    const { visitor, student } = await signedInStudent(store);
    for (let count = 0; count < 10; count++)
      await visitor.post(URL_OF_CALL, await orderFor(visitor, { shopId, pages: 1 }));
    const numbers = (await ordersOf(student.email)).map(({ number }) => number);
    expect(numbers).toHaveLength(10);
    for (const number of numbers) expect(number).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  });

  test("creates one order per idempotency key, however often it is sent", async () => {
    const { visitor, student, order } = await ready();
    const send = () => visitor.post(URL_OF_CALL, order, { "Idempotency-Key": "draft-1" });
    const answers = await Promise.all([send(), send(), send()]);
    answers.push(await send());
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.data._id)).size).toBe(1);
    expect(await ordersOf(student.email)).toHaveLength(1);
    expect(await mailsTo(store, student.email)).toHaveLength(1);
  });

  test("refuses a different order with a used key, whichever part differs", async () => {
    const { visitor, order } = await ready();
    const key = { "Idempotency-Key": "draft-2" };
    await visitor.post(URL_OF_CALL, { ...order, address: ADDRESS }, key);
    const others = [
      { address: ADDRESS, orderData: { ...order.orderData, message: "Something else" } },
      { address: ADDRESS, orderValue: { ...order.orderValue, orderTotal: 1 } },
      { address: { ...ADDRESS, flatno: "Hostel 5" } },
      { address: ADDRESS, jobs: [{}] },
      { address: ADDRESS, fulfilment: "pickup" },
      {},
    ];
    for (const changes of others) {
      const answer = await visitor.post(URL_OF_CALL, { ...order, ...changes }, key);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        "This order was already placed with other details",
      ]);
    }
  });

  test("lets two students use the same key", async () => {
    const [first, second] = [await ready(), await ready()];
    const headers = { "Idempotency-Key": "same" };
    const one = await first.visitor.post(URL_OF_CALL, first.order, headers);
    const two = await second.visitor.post(URL_OF_CALL, second.order, headers);
    expect(one.body.data._id).not.toBe(two.body.data._id);
  });

  test('accepts totals as text: "123.00" means 123', async () => {
    const { visitor, order } = await ready();
    const text = (rupees: unknown) => Number(rupees).toFixed(2);
    const orderValue = Object.fromEntries(
      Object.entries(order.orderValue).map(([name, value]) => [name, text(value)]),
    );
    const orderData = { ...order.orderData, subTotal: text(order.orderData.subTotal) };
    expect((await visitor.post(URL_OF_CALL, { orderData, orderValue })).status).toBe(200);
  });

  test("refuses a wrong price with the right figures, and stores nothing", async () => {
    const { visitor, student, order } = await ready();
    for (const field of ["subTotal", "tax", "deliveryFee", "orderTotal"] as const) {
      for (const paise of [1, -1]) {
        const orderValue = { ...order.orderValue, [field]: Number(order.orderValue[field]) + paise / 100 };
        const answer = await visitor.post(URL_OF_CALL, { ...order, orderValue });
        expect([field, answer.status, answer.body.code]).toEqual([field, 409, "PRICE_CHANGED"]);
        expect(answer.body.data.orderValue).toEqual(order.orderValue);
      }
    }
    const orderData = { ...order.orderData, subTotal: Number(order.orderData.subTotal) + 1 };
    expect((await visitor.post(URL_OF_CALL, { ...order, orderData })).body.code).toBe("PRICE_CHANGED");
    expect(await ordersOf(student.email)).toEqual([]);
    expect(await mailsTo(store, student.email)).toEqual([]);
    expect((await visitor.post(URL_OF_CALL, order)).status).toBe(200);
  });

  test("prices the printed sides where several pages share one, and refuses the price of one page on each", async () => {
    const { visitor, student, order } = await ready({ pages: 10, copies: 1 });
    const jobs = [{ pagesPerSide: 4 }];
    const refused = await visitor.post(URL_OF_CALL, { ...order, jobs });
    expect([refused.status, refused.body.code]).toEqual([409, "PRICE_CHANGED"]);
    const { orderValue } = refused.body.data;
    const three = await orderFor(visitor, { shopId, pages: 3, copies: 1 });
    expect(orderValue).toEqual(three.orderValue);
    const orderData = { ...order.orderData, subTotal: orderValue.subTotal };
    const placed = await visitor.post(URL_OF_CALL, { ...order, orderData, orderValue, jobs });
    expect([placed.status, placed.body.data.orderValue]).toEqual([200, orderValue]);
    expect(await ordersOf(student.email)).toMatchObject([{ pages: 3, sheets: 3 }]);
  });

  test("refuses jobs that no printer makes, and stores nothing", async () => {
    const { visitor, student, order } = await ready();
    const job = { pagesPerSide: 1 };
    const wrong = [
      [],
      [job, job],
      [{ pagesPerSide: 3 }],
      [{ pagesPerSide: "4" }],
      [{ pagesPerSide: -2 }],
      job,
      "4",
    ];
    for (const jobs of [...wrong, [{ ...job, hasFrames: "yes" }], [null]]) {
      const answer = await visitor.post(URL_OF_CALL, { ...order, jobs });
      expect([jobs, answer.status, answer.body.code]).toEqual([jobs, 422, "INVALID_INPUT"]);
    }
    expect(await ordersOf(student.email)).toEqual([]);
    expect((await visitor.post(URL_OF_CALL, { ...order, jobs: [job] })).status).toBe(200);
    expect(await ordersOf(student.email)).toMatchObject([{ jobs: null }]);
  });

  test("uses the current price list", async () => {
    const { visitor, order } = await ready();
    const option = { shop: shopId, kind: "printedColours", name: order.orderData.printedColour } as const;
    const change = (by: number) =>
      store.deps.db
        .updateTable("shop_options")
        .set((eb) => ({ price_paise: eb("price_paise", "+", by) }))
        .where("shop_id", "=", option.shop)
        .where("kind", "=", option.kind)
        .where("name", "=", option.name)
        .execute();
    await change(500);
    expect((await visitor.post(URL_OF_CALL, order)).body.code).toBe("PRICE_CHANGED");
    await change(-500);
    expect((await visitor.post(URL_OF_CALL, order)).status).toBe(200);
  });

  test("refuses an order without an option, and option names that the shop does not offer", async () => {
    const { visitor, order } = await ready();
    for (const field of [
      "printedColour",
      "printingSide",
      "paperType",
      "paperSize",
      "coverOption",
      "bindingOption",
    ]) {
      const orderData = { ...order.orderData, [field]: "Gold leaf" };
      const answer = await visitor.post(URL_OF_CALL, { ...order, orderData });
      expect([answer.status, answer.body.issues[0].path]).toEqual([422, `orderData.${field}`]);
      expect(answer.body.message).toContain("Gold leaf");
      const { [field]: _, ...without } = order.orderData as Record<string, unknown>;
      const missing = await visitor.post(URL_OF_CALL, { ...order, orderData: without });
      expect([missing.status, missing.body.issues[0].path]).toEqual([422, `orderData.${field}`]);
    }
  });

  test("refuses an unknown shop, and prefers the shop id to name, place and e-mail", async () => {
    const { visitor, order } = await ready();
    const unknown = { ...order.orderData, shopEmail: "else@where.example" };
    const misnamed = [{ shopName: "Another Shop" }, { shopLocation: "Another place" }];
    for (const orderData of [unknown, ...misnamed.map((change) => ({ ...order.orderData, ...change }))])
      expect((await visitor.post(URL_OF_CALL, { ...order, orderData })).status).toBe(404);
    const wrongId = { ...order.orderData, shopId: "unknown" };
    expect((await visitor.post(URL_OF_CALL, { ...order, orderData: wrongId })).status).toBe(404);
    const byId = { ...unknown, shopId };
    expect((await visitor.post(URL_OF_CALL, { ...order, orderData: byId })).status).toBe(200);
  });

  test("refuses a shop whose name, place and e-mail match two shops", async () => {
    const { visitor, order } = await ready();
    const { readDb, db } = store.deps;
    const shop = await readDb
      .selectFrom("shops")
      .selectAll()
      .where("id", "=", shopId)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("shops")
      .values({ ...shop, id: "its-twin" })
      .execute();
    expect((await visitor.post(URL_OF_CALL, order)).status).toBe(409);
    await db.deleteFrom("shops").where("id", "=", "its-twin").execute();
    expect((await visitor.post(URL_OF_CALL, order)).status).toBe(200);
  });

  test("refuses more pages than the files have, and accepts fewer", async () => {
    const { visitor } = await signedInStudent(store);
    const filesUrl = [await uploadPages(visitor, 3), await uploadPages(visitor, 2)];
    const tooMany = await orderFor(visitor, { shopId, pages: 6, filesUrl });
    const refused = await visitor.post(URL_OF_CALL, tooMany);
    expect([refused.status, refused.body.issues]).toEqual([
      422,
      [
        {
          path: "orderData.noOfPages",
          message: "The files have 5 pages. The number of pages cannot be more than that",
        },
      ],
    ]);
    const fewer = await orderFor(visitor, { shopId, pages: 2, filesUrl });
    expect((await visitor.post(URL_OF_CALL, fewer)).status).toBe(200);
  });

  test.each([
    ["noOfCopies", -1],
    ["noOfCopies", 0],
    ["noOfCopies", 1.5],
    ["noOfCopies", 1_000_001],
    ["noOfPages", 0],
    ["noOfPages", "many"],
    ["filesUrl", []],
    ["filesUrl", "one"],
    ["subTotal", "a lot"],
    ["subTotal", -5],
    ["message", 5],
    ["message", "x".repeat(10_000)],
    ["paperType", null],
  ])("refuses %s = %j", async (field, value) => {
    const { visitor, student, order } = await ready();
    const answer = await visitor.post(URL_OF_CALL, {
      ...order,
      orderData: { ...order.orderData, [field]: value },
    });
    expect([answer.status, answer.body.code]).toEqual([422, "INVALID_INPUT"]);
    expect(answer.body.issues[0].path).toMatch(`orderData.${field}`);
    expect(await ordersOf(student.email)).toEqual([]);
  });

  test("refuses files that the student cannot order", async () => {
    const { visitor, order } = await ready();
    const { order: theirs } = await ready();
    const own = order.orderData.filesUrl[0] ?? "";
    const bad = [
      theirs.orderData.filesUrl,
      [own.replace(store.url, "https://evil.example")],
      ["https://evil.example/notes.pdf"],
      [`${store.url}/files/unknown`],
      ["not a url"],
      [own, own],
      [`${own}/../..`],
    ];
    for (const filesUrl of bad) {
      const answer = await visitor.post(URL_OF_CALL, {
        ...order,
        orderData: { ...order.orderData, filesUrl },
      });
      const { code, issues } = answer.body;
      expect([filesUrl, answer.status, code, issues?.[0].path]).toEqual([
        filesUrl,
        422,
        "INVALID_INPUT",
        expect.stringMatching(/^orderData\.filesUrl\.[01]$/),
      ]);
    }
    expect((await visitor.post(URL_OF_CALL, order)).status).toBe(200);
  });

  test("refuses a file that already belongs to an order", async () => {
    const { visitor, student, order } = await ready();
    await visitor.post(URL_OF_CALL, order);
    const again = await visitor.post(URL_OF_CALL, order);
    expect(again.status).toBe(409);
    expect(await ordersOf(student.email)).toHaveLength(1);
  });

  test("accepts one of two orders for the same file at the same moment", async () => {
    const { visitor, student, order } = await ready();
    const answers = await Promise.all([visitor.post(URL_OF_CALL, order), visitor.post(URL_OF_CALL, order)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(await ordersOf(student.email)).toHaveLength(1);
  });

  test("refuses options of another shop", async () => {
    const { visitor, order } = await ready();
    const { shopName, shopLocation, shopEmail } = (await orderFor(visitor, { shopId: otherShopId }))
      .orderData;
    const mixed = { ...order.orderData, shopName, shopLocation, shopEmail };
    const sameNames = await visitor.post(URL_OF_CALL, { ...order, orderData: mixed });
    expect([sameNames.status, sameNames.body.code]).toEqual([409, "PRICE_CHANGED"]);

    const [here, there] = [await getShop(visitor, shopId), await getShop(visitor, otherShopId)];
    const only = OPTION_KINDS.flatMap((kind) => {
      const names = here[kind]
        .map(({ name }) => name)
        .filter((name) => !there[kind].some((option) => option.name === name));
      return names.map((name) => ({ field: OPTION_FIELDS[kind].orderField, name }));
    });
    expect(only).not.toEqual([]);
    for (const { field, name } of only) {
      const answer = await visitor.post(URL_OF_CALL, { ...order, orderData: { ...mixed, [field]: name } });
      expect([name, answer.status, answer.body.issues?.[0].path]).toEqual([name, 422, `orderData.${field}`]);
    }
  });

  test("takes the student's e-mail from the session, not from the order", async () => {
    const { visitor, student, order } = await ready();
    const orderData = { ...order.orderData, userEmail: "victim@college.example" };
    await visitor.post(URL_OF_CALL, { ...order, orderData });
    expect(await ordersOf(student.email)).toHaveLength(1);
    expect(await mailsTo(store, "victim@college.example")).toEqual([]);
  });

  test("refuses a guest", async () => {
    const { order } = await ready();
    const answer = await store.visitor().post(URL_OF_CALL, order);
    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("refuses an incomplete address", async () => {
    const { visitor, order } = await ready();
    const answer = await visitor.post(URL_OF_CALL, { ...order, address: { ...ADDRESS, roadNo: " " } });
    expect([answer.status, answer.body.message]).toEqual([422, "Road number is required"]);
  });
});
