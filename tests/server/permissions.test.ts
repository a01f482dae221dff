import type { AnyProcedure } from "@trpc/server";
import { beforeAll, expect, test } from "vitest";
import { appRouter } from "#server/router.ts";
import { ACCESS, type Access, type Caller, PERMISSIONS } from "#shared/permissions.ts";
import { shopIds, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const CALLERS = ["guest", "visitor", "customer", "counter", "owner", "admin"] as const satisfies Caller[];
const procedures: Record<string, unknown> = appRouter._def.procedures;

/** The table, with leaving and logout last, because they end the visit and the sessions of the other calls. */
const TABLE: [procedure: string, access: Access][] = Object.entries(PERMISSIONS);
const LAST = ["visits.leave", "accounts.logout"];
TABLE.sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));

const store = testStore();
let shopId: string;
let visitors: Record<Caller | "owner of another shop", ApiClient>;

beforeAll(async () => {
  const [own, other] = await shopIds(store);
  shopId = own;
  const counter = (await signedInCounter(store, [own])).visitor;
  visitors = {
    guest: store.visitor(),
    visitor: await visitorAt(store, own, await codeAt(counter, own)),
    customer: (await signedInStudent(store)).visitor,
    "owner of another shop": (await signedInOwner(store, [other])).visitor,
    counter,
    owner: (await signedInOwner(store, [own])).visitor,
    admin: (await signedInAdmin(store)).visitor,
  };
});

test("the permission table lists exactly the existing procedures", () => {
  expect(Object.keys(PERMISSIONS).sort()).toEqual(Object.keys(procedures).sort());
});

test.each(TABLE)("%s allows exactly the people in the table (%s)", async (procedure, access) => {
  const admitted: readonly Caller[] = ACCESS[access];
  for (const caller of CALLERS) {
    const isLoggedIn = caller !== "guest" && caller !== "visitor";
    const refusal = isLoggedIn ? "FORBIDDEN" : "UNAUTHENTICATED";
    const answer = await call(visitors[caller], procedure, access);
    expect([caller, verdict(answer)]).toEqual([caller, admitted.includes(caller) ? "let in" : refusal]);
  }
});

test("a shop's procedure answers the owner of another shop as if the shop did not exist", async () => {
  for (const [procedure, access] of TABLE.filter(([, access]) => access === "shop")) {
    const { body } = await call(visitors["owner of another shop"], procedure, access);
    expect([procedure, body.error?.data.appCode]).toEqual([procedure, "NOT_FOUND"]);
  }
});

/** Permissions are checked before the input, so an allowed caller gets an error about the missing input, if any. */
function call(visitor: ApiClient, procedure: string, access: Access): Promise<ApiAnswer> {
  const input = access === "shop" ? { shopId } : undefined;
  const { type } = (procedures[procedure] as AnyProcedure)._def;
  if (type === "subscription") return beginningOf(visitor, procedure);
  return type === "query" ? visitor.query(procedure, input) : visitor.mutate(procedure, input);
}

/** The first event of a subscription: a refusal comes first, and anything else has no end. */
async function beginningOf(visitor: ApiClient, procedure: string): Promise<ApiAnswer> {
  const { body, status, headers } = await visitor.fetch(`/api/trpc/${procedure}`);
  let said = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    said += part;
    const refusal = /^event: serialized-error\ndata: (.*)\n/m.exec(said)?.[1];
    if (refusal) return { status, headers, body: { error: JSON.parse(refusal) } };
    if (/^id: .*\n/m.test(said)) break;
  }
  return { status, headers, body: {} };
}

function verdict({ body }: ApiAnswer): string {
  const code = body.error?.data.appCode;
  return code === "UNAUTHENTICATED" || code === "FORBIDDEN" ? code : "let in";
}
