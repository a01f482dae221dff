import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { mailsTo } from "../factories/mails.ts";
import { orderFor } from "../factories/orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";
import { ReconnectingBoard } from "../setup/reconnecting-board.ts";
import { type TestStore, tempStore } from "../setup/test-store.ts";

const STUDENTS = 5;
const ORDERS_EACH = 6;

let server: PostgresServer;
beforeAll(async () => {
  // As it comes: what it has answered is on the disk.
  server = await startPostgres([]);
});
afterAll(() => server.stop());

function startStore(env: Record<string, string> = {}): Promise<TestStore> {
  return tempStore({
    DATABASE_URL: server.url("postgres"),
    SECRET: "one secret for all starts of a store",
    LOG_LEVEL: "silent",
    ...env,
  });
}

/** Sends an order as the storefront does, again under the same key until it is answered. */
async function placeUntilAnswered(visitor: ApiClient, order: PlaceOrderRequest, key: string) {
  const answers: ApiAnswer[] = [];
  for (;;) {
    const answer = await visitor.post("/api/v1/prints/printorder", order, { "Idempotency-Key": key });
    answers.push(answer);
    if (answer.status !== 503) return answers;
    await sleep(100);
  }
}

test("a restart of PostgreSQL under load neither loses nor duplicates anything that was confirmed", async () => {
  const store = await startStore();
  const [shopId] = await shopIds(store);
  const admin = (await signedInAdmin(store)).visitor;
  const people = await Promise.all(Array.from({ length: STUDENTS }, () => signedInStudent(store)));
  const drafts = await Promise.all(
    people.map(({ visitor }) =>
      Promise.all(Array.from({ length: ORDERS_EACH }, () => orderFor(visitor, { shopId, pages: 1 }))),
    ),
  );
  const board = await ReconnectingBoard.open(admin);
  onTestFinished(() => board.close());
  let answered = 0;

  const ordering = people.map(async ({ visitor }, student) => {
    const answers: ApiAnswer[][] = [];
    for (const [index, draft] of (drafts[student] ?? []).entries()) {
      answers.push(await placeUntilAnswered(visitor, draft, `draft-${index}`));
      answered++;
    }
    return answers;
  });
  await expect.poll(() => answered, { interval: 5 }).toBeGreaterThan(3);
  await server.halt();
  await expect.poll(readiness(store)).toBe(503);
  expect(await admin.get("/about-us")).toMatchObject({
    status: 503,
    body: expect.stringContaining("<h1>Unexpected Application Error!</h1>"),
  });
  await server.resume();
  const answers = (await Promise.all(ordering)).flat();

  expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([200, 503]));
  const refused = answers.flat().find(({ status }) => status === 503);
  expect(refused?.body).toMatchObject({
    code: "UNAVAILABLE",
    message: "The store cannot answer at the moment. Please try again shortly",
  });
  const ids = answers.map((tries) => tries.at(-1)?.body.data._id);
  const orders = await store.deps.readDb.selectFrom("orders").select("id").execute();
  expect(orders.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  for (const { student } of people) {
    const kinds = (await mailsTo(store, student.email)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "order-student")).toHaveLength(ORDERS_EACH);
  }
  const told = () => board.events.flatMap((event) => (event.kind === "placed" ? event.orderId : []));
  await expect.poll(() => told().toSorted()).toEqual(ids.toSorted());
  expect(board.connections).toBeGreaterThan(1);
  expect(await readiness(store)()).toBe(200);
});

function readiness(store: TestStore) {
  return async () => (await store.visitor().get("/readyz")).status;
}

test("a statement over its time limit is answered with 503 and logged once, and the next one works", async () => {
  const store = await startStore({ DATABASE_STATEMENT_SECONDS: "0.3" });
  const logged = vi.spyOn(store.deps.log, "error");
  const { visitor } = await signedInStudent(store);
  const other = new pg.Client(server.url("postgres"));
  await other.connect();
  await other.query("begin");
  await other.query("lock table addresses, contact_messages");

  const late = await visitor.query("addresses.list");

  expect(late.status).toBe(503);
  expect(late.body.error.message).toBe("The store cannot answer at the moment. Please try again shortly");
  const line = { err: expect.objectContaining({ code: "57014" }), path: "addresses.list" };
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(line), "procedure failed");
  logged.mockClear();
  const message = { fullName: "Asha Verma", email: "asha@college.example", message: "Are you open?" };
  expect((await visitor.post("/api/v1/users/contactus", message)).status).toBe(503);
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ path: "contact.send" }),
    "procedure failed",
  );
  await other.query("rollback");
  await other.end();
  expect((await visitor.query("addresses.list")).status).toBe(200);
});

test("a server uses no more connections at once than DATABASE_POOL_SIZE allows", async () => {
  const { db } = (await startStore({ DATABASE_POOL_SIZE: "2" })).deps;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.1)`.execute(db),
    ),
  );
  expect(new Set(answers.flatMap(({ rows }) => rows.map(({ pid }) => pid))).size).toBeLessThan(3);
});
