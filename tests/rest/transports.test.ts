import { beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { orderFor } from "../factories/orders.ts";
import { newestCode, newStudent, register } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
beforeAll(async () => {
  store.deps.minimumAnswerMs = 0;
});

/** One call made over both transports, each by a visitor that `prepare` brought to the same point. */
interface Call {
  title: string;
  status: number;
  prepare?: (visitor: ApiClient) => Promise<unknown>;
  rest: (visitor: ApiClient, input: never) => Promise<ApiAnswer>;
  trpc: (visitor: ApiClient, input: never) => Promise<ApiAnswer>;
}

const post = (path: string) => (visitor: ApiClient, input: unknown) => visitor.post(`/api/v1${path}`, input);
const mutate = (procedure: string) => (visitor: ApiClient, input: unknown) =>
  visitor.mutate(procedure, input);
const pair = (path: string, procedure: string) => ({ rest: post(path), trpc: mutate(procedure) });
const shopdata = {
  rest: (visitor: ApiClient, id: string) => visitor.get(`/api/v1/prints/shopdata?id=${id}`),
  trpc: (visitor: ApiClient, id: string) => visitor.query("shops.byId", { id }),
};

async function signup(visitor: ApiClient) {
  const student = newStudent();
  await register(visitor, student);
  return student;
}

async function verified(visitor: ApiClient) {
  const student = await signup(visitor);
  const verifyCode = await newestCode(store, student.email);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  return student;
}

async function loggedIn(visitor: ApiClient) {
  const student = await verified(visitor);
  await visitor.post("/api/v1/users/login", student);
  return student;
}

async function recoveryInput(visitor: ApiClient) {
  const { email } = await verified(visitor);
  store.clock.advance({ seconds: 1 });
  await visitor.post("/api/v1/users/fpmail", { email });
  const [mail] = await mailsTo(store, email);
  const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  return { token, password: "another one", confirmpassword: "another one" };
}

async function otpInput(visitor: ApiClient) {
  const { email } = await verified(visitor);
  store.clock.advance({ seconds: 1 });
  await visitor.post("/api/v1/users/generate-otp-for-login", { email });
  return { verifyCode: await newestCode(store, email), email };
}

const student = newStudent();
const CALLS: Call[] = [
  {
    title: "register",
    status: 200,
    prepare: async () => ({ ...newStudent(), confirmpassword: student.password }),
    ...pair("/users/register", "accounts.register"),
  },
  {
    title: "register with bad fields",
    status: 422,
    prepare: async () => ({ email: "x" }),
    ...pair("/users/register", "accounts.register"),
  },
  {
    title: "register with a taken e-mail",
    status: 409,
    prepare: async (visitor) => {
      const { email } = await verified(visitor);
      return { ...newStudent(), email, confirmpassword: student.password };
    },
    ...pair("/users/register", "accounts.register"),
  },
  {
    title: "verify-account",
    status: 200,
    prepare: async (visitor) => {
      const { email, phone } = await signup(visitor);
      return { phone, verifyCode: await newestCode(store, email) };
    },
    ...pair("/users/verify-account", "accounts.verify"),
  },
  {
    title: "verify-account with a wrong code",
    status: 401,
    prepare: async (visitor) => ({ phone: (await signup(visitor)).phone, verifyCode: "none" }),
    ...pair("/users/verify-account", "accounts.verify"),
  },
  { title: "login", status: 200, prepare: verified, ...pair("/users/login", "accounts.login") },
  {
    title: "login with a wrong password",
    status: 401,
    prepare: async (visitor) => ({ ...(await verified(visitor)), password: "wrong" }),
    ...pair("/users/login", "accounts.login"),
  },
  {
    title: "login before verifying",
    status: 403,
    prepare: signup,
    ...pair("/users/login", "accounts.login"),
  },
  {
    title: "generate-otp-for-login",
    status: 200,
    prepare: verified,
    ...pair("/users/generate-otp-for-login", "accounts.requestLoginOtp"),
  },
  {
    title: "generate-otp-for-login without an e-mail",
    status: 422,
    ...pair("/users/generate-otp-for-login", "accounts.requestLoginOtp"),
  },
  {
    title: "login-with-otp",
    status: 200,
    prepare: otpInput,
    ...pair("/users/login-with-otp", "accounts.loginWithOtp"),
  },
  {
    title: "login-with-otp without a target",
    status: 422,
    prepare: async () => ({ verifyCode: "123456" }),
    ...pair("/users/login-with-otp", "accounts.loginWithOtp"),
  },
  {
    title: "getuser",
    status: 200,
    prepare: loggedIn,
    rest: (visitor) => visitor.get("/api/v1/users/getuser"),
    trpc: (visitor) => visitor.query("accounts.getUser"),
  },
  {
    title: "getuser, as the storefront asks",
    status: 200,
    prepare: loggedIn,
    rest: (visitor) => visitor.get("/api/v1/users/getuser"),
    trpc: (visitor) => visitor.query("accounts.me"),
  },
  {
    title: "getuser as a guest",
    status: 401,
    rest: (visitor) => visitor.get("/api/v1/users/getuser"),
    trpc: (visitor) => visitor.query("accounts.getUser"),
  },
  { title: "logout", status: 200, prepare: loggedIn, ...pair("/users/logout", "accounts.logout") },
  {
    title: "fpmail",
    status: 200,
    prepare: verified,
    ...pair("/users/fpmail", "accounts.requestPasswordLink"),
  },
  {
    title: "fpmail with a bad e-mail",
    status: 422,
    prepare: async () => ({ email: "x@" }),
    ...pair("/users/fpmail", "accounts.requestPasswordLink"),
  },
  {
    title: "reset-password",
    status: 200,
    prepare: recoveryInput,
    ...pair("/users/reset-password", "accounts.resetPassword"),
  },
  {
    title: "reset-password with a dead link",
    status: 422,
    prepare: async () => ({ token: "dead", password: "a", confirmpassword: "a" }),
    ...pair("/users/reset-password", "accounts.resetPassword"),
  },
  {
    title: "shopslocation",
    status: 200,
    rest: (visitor) => visitor.get("/api/v1/prints/shopslocation"),
    trpc: (visitor) => visitor.query("shops.list"),
  },
  { title: "shopdata", status: 200, prepare: anyShopId, ...shopdata },
  { title: "shopdata of an unknown shop", status: 404, prepare: async () => "unknown", ...shopdata },
  { title: "shopdata of a hostile id", status: 422, prepare: async () => "%00", ...shopdata },
  { title: "printorder", status: 200, prepare: orderInput, ...pair("/prints/printorder", "orders.place") },
  {
    title: "printorder at another price",
    status: 409,
    prepare: async (visitor) => {
      const order = await orderInput(visitor);
      return { ...order, orderValue: { ...order.orderValue, orderTotal: 1 } };
    },
    ...pair("/prints/printorder", "orders.place"),
  },
  { title: "printorder as a guest", status: 401, ...pair("/prints/printorder", "orders.place") },
  {
    title: "printorder with nothing in it",
    status: 422,
    prepare: async (visitor) => {
      await loggedIn(visitor);
      return {};
    },
    ...pair("/prints/printorder", "orders.place"),
  },
  {
    title: "contactus",
    status: 200,
    prepare: async () => ({ fullName: "Ravi", email: "r@college.example", message: "Hello" }),
    ...pair("/users/contactus", "contact.send"),
  },
  { title: "contactus without anything", status: 422, ...pair("/users/contactus", "contact.send") },
];

async function anyShopId(): Promise<string> {
  const answer = await store.visitor().get("/api/v1/prints/shopslocation");
  return answer.body.data[0]._id;
}

async function orderInput(visitor: ApiClient) {
  await loggedIn(visitor);
  return orderFor(visitor, { shopId: await anyShopId() });
}

describe("REST and tRPC give the same answer", () => {
  test.each(CALLS)("to $title", async ({ status, prepare, rest, trpc }) => {
    const overRest = await callAs(rest, prepare);
    const overTrpc = await callAs(trpc, prepare);
    expect([overRest.status, overTrpc.status]).toEqual([status, status]);
    const message = expect.any(String);
    if (status !== 200) expect(overRest.body).toMatchObject({ success: false, message, code: message });
    else expect(overRest.body).toMatchObject({ success: true, message });
    expect(likeRest(overTrpc)).toEqual(fromRest(overRest));
  });
});

async function callAs(call: Call["rest"], prepare: Call["prepare"]): Promise<ApiAnswer> {
  const visitor = store.visitor();
  const input = await prepare?.(visitor);
  return call(visitor, input as never);
}

function fromRest({ body }: ApiAnswer) {
  if (body.success) return { data: withoutChance(body.data) };
  const { message, code, issues, data } = body;
  return { message: withoutNames(message), code, issues, data: withoutChance(data) };
}

function likeRest({ body }: ApiAnswer) {
  if (body.result) return { data: withoutChance(body.result.data) };
  const { message, data } = body.error;
  return {
    message: withoutNames(message),
    code: data.appCode,
    issues: data.issues,
    data: withoutChance(data.details),
  };
}

/** Ids, times and the invented students differ from call to call; everything else must not. */
function withoutChance(data: unknown): unknown {
  const text = JSON.stringify(data ?? null)
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replace(/student\d+@/g, "student@")
    .replace(/"fullName":"[^"]+"/g, '"fullName":"NAME"')
    .replace(/"9\d{9}"/g, '"PHONE"')
    .replace(/"[\dA-Z]{4}-[\dA-Z]{4}"/g, '"NUMBER"')
    .replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"TIME"');
  return JSON.parse(text);
}

function withoutNames(message: string): string {
  return message.replace(/student\d+@/g, "student@");
}
