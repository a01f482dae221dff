import { beforeAll, expect, test } from "vitest";
import { indianDay } from "#shared/indian-time.ts";
import { ADDRESS, orderFor, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { logIn, newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  // It is the next day in India already.
  const evening = new Date(store.clock.now());
  evening.setUTCHours(24 + 20);
  store.clock.set(evening);
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});

test("a user can download all data stored about them as one JSON file", async () => {
  const visitor = store.visitor();
  const student = { ...newStudent(), termsAccepted: true };
  const signedUpAt = store.deps.now().toISOString();
  await register(visitor, student);
  store.clock.advance({ minutes: 1 });
  const verifiedAt = store.deps.now().toISOString();
  const verifyCode = await newestCode(store, student.email);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  await logIn(visitor, student);
  await visitor.mutate("addresses.add", { address: ADDRESS });
  await visitor.mutate("accounts.chooseMail", { kind: "delivered", wanted: false });
  const order = await orderFor(visitor, { shopId });
  const placed = await visitor.post("/api/v1/prints/printorder", { ...order, address: ADDRESS });
  const { _id: id, orderNumber: number } = placed.body.data;
  store.clock.advance({ minutes: 1 });
  await staff.mutate("board.cancel", { orderId: id, from: "placed", reason: "No toner" });
  const url = await uploadPages(visitor, 3);
  const part = await orderFor(visitor, { shopId, pages: 2, filesUrl: [url] });
  const pageRanges = [{ public_id: url.split("/").at(-1), pages: "2-3" }];
  const orderData = { ...part.orderData, pageRanges };
  const second = (await visitor.post("/api/v1/prints/printorder", { ...part, orderData })).body.data;
  await payInFull(staff, second._id);
  await moveTo(staff, second._id, "delivered");
  await visitor.mutate("ratings.rate", { orderId: second._id, stars: 4 });
  const at = store.deps.now().toISOString();
  await expect.poll(async () => (await visitor.get("/my-data")).body.orders[0].files[0].deletedAt).toBe(at);
  await visitor.upload(await pdfOfPages(2), "never ordered.pdf");
  await store.visitor().post("/api/v1/users/contactus", {
    fullName: "Asha",
    email: student.email,
    subject: "Vellum",
    message: "Do you print on it?",
  });

  const { status, headers, body } = await visitor.get("/my-data");
  expect(status).toBe(200);
  const day = indianDay(store.deps.now());
  expect(headers.get("content-disposition")).toBe(`attachment; filename=print-store-${day}.json`);
  expect(headers.get("cache-control")).toBe("private, no-store");
  const { fullName, email, phone } = student;
  expect(body.account).toEqual({
    fullName,
    email,
    phone,
    role: "customer",
    signedUpAt,
    verifiedAt,
    termsAcceptedAt: signedUpAt,
    secondFactors: { authenticatorAppSince: null, passkeys: [], recoveryCodesLeft: 0 },
    mailsWanted: { placed: true, dispatched: true, delivered: false },
    devices: [{ name: "", signedInAt: verifiedAt, lastSeenAt: verifiedAt }],
  });
  expect([body.store, body.collectedAt]).toEqual([store.url, store.deps.now().toISOString()]);
  expect(body.addresses).toEqual([{ ...ADDRESS, isDefault: true }]);
  expect(body.orders).toMatchObject([
    {
      ...{ number: second.orderNumber, state: "delivered", fulfilment: "delivery", address: null },
      ...{ paidAt: at, stars: 4, noOfPages: 2 },
      payments: [{ kind: "payment", method: "cash", amount: second.orderValue.orderTotal, reason: "", at }],
      files: [{ name: "notes.pdf", pages: 3, printedPages: "2-3", deletedAt: at }],
    },
    {
      number,
      state: "cancelled",
      noOfPages: 3,
      noOfCopies: 2,
      message: "Please staple at the top left",
      ...{ paidAt: null, stars: null },
      payments: [],
      address: ADDRESS,
      orderTotal: order.orderValue.orderTotal,
      history: [
        { state: "placed", reason: null },
        { state: "cancelled", reason: "No toner" },
      ],
      files: [{ name: "notes.pdf", pages: 3, bytes: expect.any(Number) }],
    },
  ]);
  expect(body.orders[1].lines).toHaveLength(6);
  expect(body.uploadsNotOrdered).toMatchObject([{ name: "never ordered.pdf", pages: 2, deletedAt: null }]);
  expect(body.mails).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "account-verify", text: null }),
      expect.objectContaining({ kind: "order-student", text: expect.stringContaining(number) }),
      expect.objectContaining({ kind: "order-cancelled", text: expect.stringContaining("No toner") }),
    ]),
  );
  expect(body.contactMessages).toMatchObject([{ subject: "Vellum", message: "Do you print on it?" }]);
});

test("the download contains no credentials and nothing about other people", async () => {
  const { visitor: other, student: otherStudent } = await signedInStudent(store);
  await other.mutate("addresses.add", { address: ADDRESS });
  const order = await placeAnother(other, otherStudent, shopId);
  await moveTo(staff, order.id, "delivered");
  const question = "Do you sell glue?";
  await store.visitor().post("/api/v1/users/contactus", { ...otherStudent, subject: "", message: question });

  const { visitor, student } = await signedInStudent(store);
  store.clock.advance({ seconds: 1 });
  await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
  const code = await newestCode(store, student.email);
  await visitor.post("/api/v1/users/fpmail", { email: student.email });
  const { readDb } = store.deps;
  const user = await readDb
    .selectFrom("users")
    .selectAll()
    .where("email", "=", student.email)
    .executeTakeFirstOrThrow();
  const sessions = await readDb.selectFrom("sessions").selectAll().where("user_id", "=", user.id).execute();
  const codes = await readDb
    .selectFrom("one_time_codes")
    .selectAll()
    .where("user_id", "=", user.id)
    .execute();
  const links = await readDb
    .selectFrom("password_resets")
    .selectAll()
    .where("user_id", "=", user.id)
    .execute();

  const text = JSON.stringify((await visitor.get("/my-data")).body);
  const secrets = [
    code,
    user.password_hash,
    visitor.cookie("session"),
    visitor.cookie("device"),
    ...sessions.map(({ id }) => id),
    ...codes.map(({ code_hash }) => code_hash),
    ...links.map(({ token_hash }) => token_hash),
  ];
  expect(secrets).toHaveLength(7);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toContain("token=");
  for (const trace of [order.number, otherStudent.email, ADDRESS.flatno, question])
    expect(text).not.toContain(trace);
});

test("a guest is asked to log in", async () => {
  const { status, body } = await store.visitor().get("/my-data");
  expect([status, body]).toEqual([401, "Please log in to continue"]);
});

test("the download is limited to twenty an hour", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const { visitor } = await signedInStudent(limited);
  for (let times = 0; times < 20; times++) expect((await visitor.get("/my-data")).status).toBe(200);
  expect((await visitor.get("/my-data")).status).toBe(429);
});
