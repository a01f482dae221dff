import { beforeEach, expect, test } from "vitest";
import { orderFor } from "../factories/orders.ts";
import { shopIds } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import { tempStore } from "../setup/test-store.ts";
import { sharedSettings } from "./limits.fixtures.ts";

let shared: Record<string, string>;
beforeEach(async () => {
  shared = await sharedSettings();
});

test.each([
  ["login", "/api/v1/users/login", { email: "*@b.cc", password: "guess" }, 2],
  [
    "registration",
    "/api/v1/users/register",
    { email: "*@b.cc", phone: "900000000*", fullName: "A", password: "p*", confirmpassword: "p*" },
    1,
  ],
  ["messages", "/api/v1/users/contactus", { email: "*@b.cc", fullName: "A", message: "*" }, 1],
])("%s is limited per address, across accounts", async (_name, path, body, allowed) => {
  const store = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.001" });
  let count = 0;
  const call = () =>
    store.visitor().post(path, JSON.parse(JSON.stringify(body).replaceAll("*", String(count++))));
  for (let time = 0; time < allowed; time++) expect((await call()).status).not.toBe(429);
  expect((await call()).status).toBe(429);
});

test.each([
  ["codes", "generate-otp-for-login", "account-login"],
  ["links", "fpmail", "account-recovery"],
])(
  "mailed %s are limited per address, not counting requests for unknown accounts",
  async (_name, path, kind) => {
    const open = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0" });
    const students = [];
    for (let count = 0; count < 3; count++) students.push((await signedInStudent(open)).student);
    const store = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    const ask = async ({ email }: { email: string }) =>
      (await store.visitor().post(`/api/v1/users/${path}`, { email })).status;
    // Of requests there may be five, mailed or not.
    expect(await ask(newStudent())).toBe(200);
    const statuses = [];
    for (const student of students) statuses.push(await ask(student));
    expect(statuses).toEqual([200, 200, 429]);
    const mailed = store.deps.readDb.selectFrom("outbox").select("id").where("kind", "=", kind);
    expect(await mailed.execute()).toHaveLength(2);
    // Otherwise the refusal would tell who has an account.
    expect(await ask(newStudent())).toBe(429);
  },
);

test.each([
  ["codes requested", "v1/users/generate-otp-for-login", 200, "otpSendPair"],
  ["verification codes requested", "trpc/accounts.resendVerification", 200, "otpSendPair"],
  ["codes entered", "v1/users/login-with-otp", 401, "otpTryPair"],
  ["links requested", "v1/users/fpmail", 200, "recoveryPair"],
])(
  "%s are limited per address, so that one host cannot fill the disk with counts, and a known device is exempt",
  async (_name, path, status, pair) => {
    const open = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0" });
    const { visitor, student } = await signedInStudent(open);
    const store = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    store.deps.minimumAnswerMs = 0;
    const ask = async ({ email, phone }: { email: string; phone: string }, by = store.visitor()) => {
      const who = path.endsWith("resendVerification") ? { phone } : { email };
      return (await by.post(`/api/${path}`, { ...who, verifyCode: "000000" })).status;
    };
    const statuses = [];
    for (let times = 0; times < 8; times++) statuses.push(await ask(newStudent()));
    expect(statuses).toEqual([...Array(5).fill(status), 429, 429, 429]);
    const keys = await store.deps.readDb.selectFrom("rate_limits").select("key").execute();
    expect(keys.filter(({ key }) => key.startsWith(`${pair}:`))).toHaveLength(5);
    if (!path.endsWith("resendVerification")) expect(await ask(student, visitor.at(store))).toBe(status);
  },
);

test("orders, receipts and reports of printing errors are limited per account, failed ones included", async () => {
  const store = await tempStore({ RATE_LIMIT_SCALE: "0.01" });
  const { visitor } = await signedInStudent(store);
  const [shopId] = await shopIds(store);
  const order = await orderFor(visitor, { shopId });
  const place = () => visitor.post("/api/v1/prints/printorder", order);
  const placed = await place();
  expect([placed.status, (await place()).status]).toEqual([200, 429]);

  const receipt = () => visitor.get("/orders/none/receipt.pdf");
  expect([(await receipt()).status, (await receipt()).status]).toEqual([404, 429]);

  const report = () =>
    visitor.mutate("reprints.report", { orderId: placed.body.data._id, reason: "The ink is smeared" });
  expect([(await report()).status, (await report()).status]).toEqual([409, 429]);
});

test("messages of somebody who is logged in count for their account, whatever e-mail they type", async () => {
  const store = await tempStore({ RATE_LIMIT_SCALE: "0.1" });
  const [one, two] = [await signedInStudent(store), await signedInStudent(store)];
  const write = async ({ visitor }: typeof one, email: string) => {
    const message = { fullName: "A", email, message: "Where is my order?" };
    return (await visitor.post("/api/v1/users/contactus", message)).status;
  };
  expect([await write(one, "a@b.cc"), await write(two, "a@b.cc")]).toEqual([200, 200]);
  expect(await write(one, "c@b.cc")).toBe(429);
});

test("the addresses of one IPv6 network count as one address", async () => {
  const store = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.001" });
  const from = async (address: string) => {
    const email = `${address.replaceAll(":", "-")}@b.cc`;
    const headers = { "X-Forwarded-For": address };
    return (await store.visitor().post("/api/v1/users/login", { email, password: "guess" }, headers)).status;
  };
  expect(await from("2001:db8:1:2::1")).toBe(401);
  expect(await from("2001:db8:1:2:ffff::2")).toBe(401);
  expect(await from("2001:db8:1:2:3:4:5:6")).toBe(429);
  expect(await from("2001:db8:1:3::1")).toBe(401);
  expect(await from("192.0.2.1")).toBe(401);
  expect(await from("::ffff:192.0.2.1")).toBe(401);
  expect(await from("192.0.2.1")).toBe(429);
});
