import { beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS, type LimitName } from "#server/http/rate-limit.ts";
import { sha256 } from "#server/lib/crypto.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInCounter } from "../factories/staff.ts";
import { codeAt, removeHours, visitOrderFor } from "../factories/visits.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

/** Small enough that the bounds of a whole day are reached with a few calls. */
const SCALE = 0.02;
const most = (name: LimitName) => Math.max(1, Math.round(LIMITS[name].points * SCALE));

const store = testStore({ RATE_LIMIT_SCALE: String(SCALE) });
let shopId: string;
let clerk: StaffPerson;
let code: string;
let addresses = 0;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  await removeHours(store, shopId);
  clerk = await signedInCounter(store, [shopId]);
});
beforeEach(async () => {
  await store.deps.db.deleteFrom("rate_limits").execute();
  const { body } = await clerk.visitor.mutate("counter.renew", { shopId });
  code = new URL(body.result.data.url).searchParams.get("code") ?? "";
});

const newAddress = () => `198.51.100.${addresses++ % 250}`;
const mutate = (phone: ApiClient, procedure: string, input: unknown, address: string) =>
  phone.send("POST", `/api/trpc/${procedure}`, JSON.stringify(input), {
    "Content-Type": "application/json",
    "X-Forwarded-For": address,
  });
const open = (given: string, address = newAddress(), phone = store.visitor()) =>
  mutate(phone, "visits.open", { shopId, code: given }, address);

/** The answers of the first call that is one too many, and of the one before it. */
async function atTheEdge(name: LimitName, call: () => Promise<ApiAnswer>): Promise<[number, string]> {
  let last: ApiAnswer | undefined;
  for (let use = 0; use < most(name); use++) last = await call();
  return [last?.status ?? 0, codeOf(await call())];
}

test("one address opens so many visits an hour, and another one still can", async () => {
  const address = newAddress();
  expect(await atTheEdge("visitAddress", () => open(code, address))).toEqual([200, "RATE_LIMITED"]);
  expect((await open(code)).status).toBe(200);
  expect((await open(code, address)).body.error.message).toContain("use mobile data");
  store.clock.advance({ hours: 1 });
  code = await codeAt(clerk.visitor, shopId);
  expect((await open(code, address)).status).toBe(200);
});

test("one code opens so many visits a day, and a new one opens more", async () => {
  expect(await atTheEdge("visitCode", () => open(code))).toEqual([200, "RATE_LIMITED"]);
  expect((await open(code)).body.error.message).toContain("ask the staff for a new code");
  const { body } = await clerk.visitor.mutate("counter.renew", { shopId });
  expect((await open(new URL(body.result.data.url).searchParams.get("code") ?? "")).status).toBe(200);
});

test("wrong codes are refused from then on without another answer, and a right one still works", async () => {
  const address = newAddress();
  expect(await atTheEdge("visitWrongAddress", () => open("AAAAAAAA", address))).toEqual([
    422,
    "RATE_LIMITED",
  ]);
  expect((await open(code, address)).status).toBe(200);
  expect(await atTheEdge("visitWrongShop", () => open("AAAAAAAA"))).toEqual([
    expect.anything(),
    "RATE_LIMITED",
  ]);
  expect((await open(code)).status).toBe(200);
});

test("one visit uploads and orders so much; another one at the same address is not held up", async () => {
  const address = newAddress();
  const phone = store.visitor();
  await open(code, address, phone);
  const form = () => {
    const data = new FormData();
    data.set("file", new Blob([new Uint8Array(plainPdf(1))], { type: "application/pdf" }), "notes.pdf");
    return data;
  };
  const upload = (from: ApiClient) =>
    from.send("POST", "/api/v1/uploads", form(), { "X-Forwarded-For": address });
  const statuses: number[] = [];
  for (let use = 0; use <= most("uploadVisit"); use++) statuses.push((await upload(phone)).status);
  expect(statuses.at(-2)).toBe(200);
  expect(statuses.at(-1)).toBe(429);

  const other = store.visitor();
  await open(code, address, other);
  const place = async () => {
    await store.deps.limits.forgive([["uploadVisit", ownerId]]);
    return mutate(other, "visits.place", await visitOrderFor(other, { shopId }), address);
  };
  const ownerId = (await other.query("visits.page", { shopId })).body.result.data.visit.ownerId;
  expect(await atTheEdge("orderVisit", place)).toEqual([200, "RATE_LIMITED"]);
});

test("an order that is sent again, because its answers were lost, is counted once", async () => {
  const address = newAddress();
  const phone = store.visitor();
  await open(code, address, phone);
  const order = await visitOrderFor(phone, { shopId });
  const place = async () => expectDone(await mutate(phone, "visits.place", order, address))._id;
  const id = await place();
  for (let again = 0; again < most("orderVisit") + 1; again++) expect(await place()).toBe(id);
});

test("an order that is sent again under another name renames the visitor, and counts as an order", async () => {
  const address = newAddress();
  const phone = store.visitor();
  await open(code, address, phone);
  const order = await visitOrderFor(phone, { shopId });
  let names = 0;
  const rename = () => mutate(phone, "visits.place", { ...order, name: `Meera ${++names}` }, address);
  expect(await atTheEdge("orderVisit", rename)).toEqual([200, "RATE_LIMITED"]);
  const { visit } = (await phone.query("visits.page", { shopId })).body.result.data;
  expect(visit).toMatchObject({ name: `Meera ${names - 1}`, orders: [{}] });
});

test("the orders of one code are bounded too", async () => {
  const used = most("orderVisitCode");
  const phone = store.visitor();
  await open(code, newAddress(), phone);
  const input = await visitOrderFor(phone, { shopId });
  const visit = await store.deps.readDb
    .selectFrom("visits")
    .select("code")
    .where("id", "=", sha256(phone.cookie("visit")))
    .executeTakeFirstOrThrow();
  for (let use = 0; use < used; use++)
    await store.deps.limits.takeAll(["orderVisitCode", shopId, visit.code]);
  const refused = await mutate(phone, "visits.place", input, newAddress());
  expect(codeOf(refused)).toBe("RATE_LIMITED");
});
