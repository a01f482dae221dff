import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNotReady } from "#server/health/health.http.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

const TOKEN = "a token for the monitor";

describe("a store", () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  test("is ready for requests", async () => {
    const { status, body } = await store.visitor().get("/readyz");
    expect([status, body]).toEqual([200, { status: "ready" }]);
  });

  test("shows this machine metrics of requests, procedures, queues and the disk", async () => {
    const { visitor } = await signedInStudent(store);
    await visitor.get("/api/v1/prints/shopslocation");
    await store.visitor().query("accounts.getUser");
    const { status, body, headers } = await visitor.get("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    const count = (labels: string) => Number(new RegExp(`_count\\{${labels}\\} (\\d+)`).exec(body)?.[1]);
    expect(count('method="GET",route="/api/v1/prints/shopslocation",status="200"')).toBe(1);
    expect(count('procedure="accounts.register",ok="true"')).toBe(1);
    expect(count('procedure="accounts.getUser",ok="false"')).toBe(1);
    expect(body).toMatch(/^mails_waiting \d+$/m);
    expect(body).toMatch(/^files_unerased 0$/m);
    expect(body).toMatch(/^orders_placed 0$/m);
    expect(body).toMatch(/^disk_free_bytes [1-9]/m);
    expect(body).toMatch(/^process_resident_memory_bytes [1-9]/m);
  });

  test("hides its metrics from requests through a proxy", async () => {
    const answer = await store
      .visitor()
      .send("GET", "/metrics", undefined, { "X-Forwarded-For": "203.0.113.9" });
    expect(answer.status).toBe(404);
  });
});

describe("a store with METRICS_TOKEN", () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startTestStore({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => store.stop());

  test.each([
    ["no token", {}, 404],
    ["a wrong token", { Authorization: "Bearer a token for the monitoR" }, 404],
    ["the token", { Authorization: `Bearer ${TOKEN}`, "X-Forwarded-For": "203.0.113.9" }, 200],
  ])("answers a metrics request with %s", async (_, headers: Record<string, string>, status) => {
    expect((await store.visitor().send("GET", "/metrics", undefined, headers)).status).toBe(status);
  });
});

test("a store in production shows metrics to admins only, even to requests from this machine", async () => {
  const store = await startTestStore({ NODE_ENV: "production" });
  const [admin, student] = [await signedInAdmin(store), await signedInStudent(store)];
  expect((await store.visitor().get("/metrics")).status).toBe(404);
  expect((await student.visitor.get("/metrics")).status).toBe(404);
  expect((await admin.visitor.get("/metrics")).status).toBe(200);
  await store.stop();
});

test("a stopping store keeps serving, but reports not ready, until a proxy has noticed", async () => {
  const store = await startTestStore({ STOP_DELAY_SECONDS: "1" });
  const visitor = store.visitor();
  const stopped = store.stop();
  expect((await visitor.get("/readyz")).body).toEqual({ status: "not ready", reason: "closing" });
  expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
  await stopped;
  await expect(visitor.get("/readyz")).rejects.toThrow();
});

test("a store that is closing or has lost its database says why it is not ready", async () => {
  const store = await startTestStore();
  const { deps } = store;
  expect(await whyNotReady({ ...deps, draining: AbortSignal.abort() })).toBe("closing");
  expect(await whyNotReady(deps)).toBeNull();
  await store.stop();
  expect(await whyNotReady({ ...deps, draining: new AbortController().signal })).toBe(
    "the database does not answer",
  );
});
