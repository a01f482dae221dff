import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withParts } from "../factories/mails.ts";
import { orderFor } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { editedPrices, expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { newStudent, register, signedInStudent, visitorAs } from "../factories/students.ts";
import { shopWithPhoto } from "../server/backup.scripts.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { TestCluster } from "../setup/test-cluster.ts";
import type { TestStore } from "../setup/test-store.ts";

// One thing is done at server A and goes on at server B, as behind a proxy that gives each request to another.

let cluster: TestCluster;
let a: TestStore;
let b: TestStore;
let shopId: string;
beforeAll(async () => {
  cluster = await TestCluster.open();
  a = await cluster.server();
  b = await cluster.server();
  [shopId] = await shopIds(a);
});
afterAll(() => cluster.stop());

async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

describe("a session", () => {
  test("started at one server is valid at the others, and ends at all of them", async () => {
    const { visitor, student } = await signedInStudent(a);
    const there = visitor.at(b);
    expect((await there.get("/api/v1/users/getuser")).body.data.email).toBe(student.email);

    expect((await there.post("/api/v1/users/logout")).status).toBe(200);

    for (const each of [visitor, visitor.at(b)])
      expect((await each.get("/api/v1/users/getuser")).status).toBe(401);
  });

  test("at another server ends when the account gets a new password", async () => {
    const { visitor, student } = await signedInStudent(a);
    const password = "another horse battery";
    const change = { currentPassword: student.password, password, confirmpassword: password };
    const there = visitor.at(b);
    const other = await visitorAs(b, student);
    expect((await there.mutate("accounts.changePassword", change)).body).toMatchObject({ result: {} });
    expect((await other.at(a).get("/api/v1/users/getuser")).status).toBe(401);
  });
});

describe("an order", () => {
  test("is created once, however often and at how many servers its key is sent", async () => {
    const { visitor } = await signedInStudent(a);
    const order = await orderFor(visitor, { shopId });
    const key = { "Idempotency-Key": "pressed-again-and-again" };
    order.orderData.filesUrl = order.orderData.filesUrl.map((url) => new URL(url).pathname);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        visitor.at(n % 2 ? b : a).post("/api/v1/prints/printorder", order, key),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.data._id)).size).toBe(1);
    const { rows } = (await visitor.at(b).query("orders.mine", {})).body.result.data;
    expect(rows).toHaveLength(1);
  });

  test("for one file is accepted by only one of two servers asked at the same moment", async () => {
    const { visitor } = await signedInStudent(a);
    const order = await orderFor(visitor, { shopId });
    order.orderData.filesUrl = order.orderData.filesUrl.map((url) => new URL(url).pathname);
    const answers = await Promise.all(
      [a, b, a, b].map((server) => visitor.at(server).post("/api/v1/prints/printorder", order)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  test("is moved once, when two servers move it at the same moment", async () => {
    const { visitor: admin } = await signedInAdmin(a);
    const { id: orderId } = await placeOrder(a, shopId);
    const move = { orderId, from: "placed", to: "printing" };
    const answers = await Promise.all([a, b].map((server) => admin.at(server).mutate("board.move", move)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

test("a price changed at one server applies to the next order at another", async () => {
  const { visitor: admin } = await signedInAdmin(a);
  const { visitor } = await signedInStudent(b);
  const outdated = await orderFor(visitor, { shopId });
  const prices = await editedPrices(admin, shopId, ({ paperTypes }) => ({
    paperTypes: paperTypes.map((option) => ({ ...option, pricePaise: option.pricePaise + 100 })),
  }));
  expectDone(await admin.mutate("prices.save", prices));
  const refused = await visitor.post("/api/v1/prints/printorder", outdated);
  expect(refused.status).toBe(409);
  await expect
    .poll(
      async () =>
        (await visitor.post("/api/v1/prints/printorder", await orderFor(visitor, { shopId }))).status,
    )
    .toBe(200);
});

describe("what one server stored, another returns", () => {
  test("an uploaded file, to its owner and by a signed link", async () => {
    const { visitor } = await signedInStudent(a);
    const bytes = new Uint8Array(numberedPdf("Thesis", 3));
    const { body } = await visitor.upload(bytes);
    const path = `/files/${body.public_id}`;
    expect(await bytesOf(await visitor.at(b).fetch(path))).toEqual(bytes);
    expect((await b.visitor().fetch(path)).status).toBe(404);

    const order = await orderFor(visitor, { shopId, filesUrl: [body.secure_url] });
    await visitor.post("/api/v1/prints/printorder", order);
    const mail = await a.deps.db
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "order-shop")
      .where("content", "like", `%${body.public_id}%`)
      .executeTakeFirstOrThrow();
    const link = new RegExp(`${path}\\?\\S+`).exec(withParts(mail).text)?.[0] ?? "";
    const copy = await bytesOf(await b.visitor().fetch(link));
    expect(await readPages(copy)).toEqual(await readPages(bytes));
    expect((await b.visitor().fetch(link.replace(/sig=./, "sig="))).status).toBe(404);
  });

  test("a shop's photo, in both sizes", async () => {
    const { photo } = await shopWithPhoto(a);
    for (const path of [photo, photo.replace(".webp", "-480.webp")]) {
      const given = await bytesOf(await a.visitor().fetch(path));
      expect(await bytesOf(await b.visitor().fetch(path))).toEqual(given);
    }
  });

  test("an order's print pack and its receipt", async () => {
    const { visitor: admin } = await signedInAdmin(a);
    const order = await placeOrder(a, shopId);
    const pack = await bytesOf(await admin.at(b).fetch(`/admin/orders/${order.id}/pack.pdf`));
    expect((await readPages(pack))[0]).toContain(order.number);
    const receipt = await bytesOf(await order.visitor.at(b).fetch(`/orders/${order.id}/receipt.pdf`));
    expect((await readPages(receipt))[0]).toContain(order.number);
  });

  test("a mail of a store without SMTP, in the mailbox", async () => {
    const student = newStudent();
    await register(a.visitor(), student);
    const { body } = await b.visitor().get("/mailbox");
    expect(body).toContain(student.email);
  });
});
