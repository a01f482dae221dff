import type { AnyProcedure } from "@trpc/server";
import { inspectRoutes } from "hono/dev";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { appRouter } from "#server/router.ts";
import { mayCall, PERMISSIONS } from "#shared/permissions.ts";
import { shopIds, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";
import { callsAbout, type GuardedProcedure } from "./strangers.calls.ts";
import { type Belongings, createBelongings, rowsAbout, waitUntilIdle } from "./strangers.data.ts";
import { routesAbout, type StrangersRequest } from "./strangers.routes.ts";

const procedures: Record<string, unknown> = appRouter._def.procedures;
const GUARDED = Object.entries(PERMISSIONS)
  .filter(([, access]) => access !== "everyone" && access !== "admin")
  .map(([name]) => name as GuardedProcedure);

/** A remote address, because this machine itself may read the mailbox. */
const FAR_AWAY = { "X-Forwarded-For": "203.0.113.7" };

/** Of a password; no answer has one. */
const HASH = /argon2id|password_?hash/i;

const store = testStore();
let mine: Belongings;
let before: Record<string, string[]>;
let admin: ApiClient;
let strangers: { student: ApiClient; staff: ApiClient; counter: ApiClient };

beforeAll(async () => {
  const [shopId, elsewhere] = await shopIds(store);
  mine = await createBelongings(store, shopId);
  admin = (await signedInAdmin(store)).visitor;
  strangers = {
    student: (await signedInStudent(store)).visitor,
    staff: (await signedInOwner(store, [elsewhere])).visitor,
    counter: (await signedInCounter(store, [elsewhere])).visitor,
  };
  await waitUntilIdle(store);
  before = await rowsAbout(store, mine);
});

function call(visitor: ApiClient, procedure: string, input: unknown): Promise<ApiAnswer> {
  const { type } = (procedures[procedure] as AnyProcedure)._def;
  return type === "query" ? visitor.query(procedure, input) : visitor.mutate(procedure, input);
}

function ask(visitor: ApiClient, route: string, { path, body }: StrangersRequest): Promise<ApiAnswer> {
  const [method = ""] = route.split(" ");
  const json = body === undefined ? undefined : JSON.stringify(body);
  return visitor.send(method, path, json, { ...FAR_AWAY, "Content-Type": "application/json" });
}

/** The student's words in an answer to somebody else. */
function betrayed({ body }: ApiAnswer): string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return mine.words.filter((word) => text.includes(word));
}

test("the student owns something in every table that a stranger could target", () => {
  const wanted = ["users", "sessions", "addresses", "files", "orders", "order_lines", "order_files"];
  wanted.push(
    "order_events",
    "order_notes",
    "payments",
    "order_holds",
    "reprints",
    "reprint_photos",
    "outbox",
    "shops",
    "shop_options",
  );
  expect(wanted.filter((table) => !before[table]?.length)).toEqual([]);
  expect(Object.entries(mine).filter(([, value]) => !value)).toEqual([]);
});

describe("a stranger can neither read nor change another person's data through the procedure", () => {
  test.each(GUARDED)("%s", async (procedure) => {
    const calls = callsAbout(mine)[procedure];
    expect(calls, "its line in strangers.calls.ts").toBeTruthy();
    if (typeof calls === "string") return;
    for (const { input, outcome } of calls) {
      for (const [who, visitor] of Object.entries(strangers)) {
        const answer = await call(visitor, procedure, input);
        const role = who === "student" ? "customer" : who === "counter" ? "counter" : "owner";
        const expected = mayCall(procedure, role) ? outcome : "FORBIDDEN";
        expect([who, answer.body.error?.data.appCode ?? "nothing"]).toEqual([who, expected]);
        expect([who, betrayed(answer)]).toEqual([who, []]);
      }
    }
    expect(await rowsAbout(store, mine)).toEqual(before);
  });
});

test("the same procedures work for those who are concerned", async () => {
  for (const procedure of GUARDED) {
    const calls = callsAbout(mine)[procedure];
    if (typeof calls === "string" || (procedures[procedure] as AnyProcedure)._def.type !== "query") continue;
    for (const { input } of calls) {
      const visitor = ["user", "uploader"].includes(PERMISSIONS[procedure]) ? mine.student : mine.staff;
      const { status, body } = await call(visitor, procedure, input);
      expect([procedure, status]).toEqual([procedure, 200]);
      expect([procedure, HASH.exec(JSON.stringify(body))]).toEqual([procedure, null]);
    }
  }
});

describe("over HTTP", () => {
  test("the route table lists exactly the existing routes", () => {
    const routes = inspectRoutes(createApp(store.deps)).filter(({ isMiddleware }) => !isMiddleware);
    const names = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    expect(Object.keys(routesAbout(mine)).sort()).toEqual([...names].sort());
  });

  test("a stranger can neither read nor change another person's data", async () => {
    for (const [route, requests] of Object.entries(routesAbout(mine))) {
      if (typeof requests === "string") continue;
      for (const request of requests) {
        for (const who of ["student", "staff", "counter"] as const) {
          const answer = await ask(strangers[who], route, request);
          const status = who === "student" ? request.student : request.staff;
          expect([route, who, answer.status]).toEqual([route, who, status]);
          expect([route, who, betrayed(answer)]).toEqual([route, who, []]);
        }
      }
    }
    expect(await rowsAbout(store, mine)).toEqual(before);
  });

  test("the same routes work for those who are concerned", async () => {
    for (const [route, requests] of Object.entries(routesAbout(mine))) {
      if (typeof requests === "string" || !route.startsWith("GET ")) continue;
      for (const request of requests) {
        const answers = [mine.student, mine.staff, admin].map((visitor) => ask(visitor, route, request));
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        expect([route, statuses.includes(200)]).toEqual([route, true]);
      }
    }
  });
});

/** What removes something comes last, because other calls need it. */
const isLast = (procedure: string) => /remove|delete|end|withdraw|cancel|staff\./i.test(procedure);

test("the people concerned never get NOT_FOUND from these calls, so all the ids are real", async () => {
  const changing = GUARDED.filter((name) => (procedures[name] as AnyProcedure)._def.type === "mutation");
  for (const procedure of changing.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const calls = callsAbout(mine)[procedure];
    // Resending an invitation replaces it, so that it cannot be withdrawn afterwards.
    if (typeof calls === "string" || procedure === "staff.withdraw") continue;
    for (const { input } of calls) {
      const isOwn = ["user", "uploader"].includes(PERMISSIONS[procedure]);
      const visitors = isOwn ? [mine.student, mine.staff] : [mine.staff];
      const answers = await Promise.all(visitors.map((visitor) => call(visitor, procedure, input)));
      const codes = answers.map(({ body }) => body.error?.data.appCode ?? "done");
      expect([procedure, codes.some((code) => code !== "NOT_FOUND" && code !== "UNAUTHENTICATED")]).toEqual([
        procedure,
        true,
      ]);
    }
  }
});
