import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import { RawClient } from "../fuzz/raw-client.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { startServerProcess } from "../setup/temporary.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();

const json = { "Content-Type": "application/json" };

describe("the REST API", () => {
  test("answers an unknown path with 404 in JSON", async () => {
    for (const path of ["/api/v1/nothing", "/api/nothing", "/api/v1/users/register/more"]) {
      const answer = await store.visitor().get(path);
      expect([answer.status, answer.body.success, answer.body.code]).toEqual([404, false, "NOT_FOUND"]);
    }
  });

  test("refuses a body that is not JSON", async () => {
    const broken = await store.visitor().send("POST", "/api/v1/users/login", "{", json);
    expect([broken.status, broken.body.code]).toEqual([400, "BAD_REQUEST"]);
    const form = await store
      .visitor()
      .send("POST", "/api/v1/users/login", new URLSearchParams({ email: "a@b.cc" }));
    expect([form.status, form.body.code]).toEqual([415, "UNSUPPORTED_TYPE"]);
    for (const body of ["null", "[]", "5", '"text"']) {
      const answer = await store.visitor().send("POST", "/api/v1/users/login", body, json);
      expect(answer.status).toBe(422);
    }
  });

  test("stores text that looks encoded literally", async () => {
    const fullName = "50%25 &amp; \\u0041%00 + &#65;";
    const { status, body } = await register(store.visitor(), { ...newStudent(), fullName });
    expect([status, body.data.fullName]).toEqual([200, fullName]);
  });

  test("refuses a body over the call's limit, with or without a Content-Length", async () => {
    const body = JSON.stringify({ email: "a@b.cc", password: "x".repeat(9000) });
    const announced = await store.visitor().send("POST", "/api/v1/users/login", body, json);
    expect([announced.status, announced.body.code]).toEqual([413, "TOO_LARGE"]);
    const streamed = await fetch(`${store.url}/api/v1/users/login`, {
      method: "POST",
      headers: json,
      body: new Blob([body]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });

  test("counts an aborted request as a bad request, not as a server error", async () => {
    const answers = async (status: number) => {
      const count = new RegExp(`^http_request_duration_seconds_count{.*status="${status}"} (\\d+)$`, "gm");
      const text = await store.deps.metrics.text();
      return [...text.matchAll(count)].reduce((sum, [, number]) => sum + Number(number), 0);
    };
    const [refused, failed] = [await answers(400), await answers(500)];
    for (const body of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]) {
      const client = await SocketClient.connect(store.url);
      client.send(
        `POST /api/v1/users/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n${body}`,
      );
      await sleep(50);
      client.close();
    }
    await expect.poll(() => answers(400)).toBe(refused + 2);
    expect(await answers(500)).toBe(failed);
  });

  test("can answer the next request after refusing one with an unread body", async () => {
    const client = new RawClient(store.url);
    const path = "/api/v1/users/login";
    for (const [headers, status] of [
      [{ "Content-Type": "text/plain" }, 413],
      [{ ...json, Origin: "https://evil.example" }, 403],
    ] as const) {
      const refused = await client.send({ method: "POST", path, headers, body: "x".repeat(900_000) });
      expect(refused.status).toBe(status);
      const next = await client.send({ method: "POST", path, headers: json, body: "{}" });
      expect(next.status).toBe(422);
    }
    client.close();
  });

  test("refuses a state-changing request from another site, over REST and tRPC", async () => {
    const { visitor } = await signedInStudent(store);
    for (const path of ["/api/v1/users/logout", "/api/trpc/accounts.logout"]) {
      for (const headers of [
        { Origin: "https://evil.example" },
        { Origin: "null" },
        { "Sec-Fetch-Site": "cross-site" },
      ] as Record<string, string>[]) {
        expect((await visitor.post(path, {}, headers)).status).toBe(403);
      }
    }
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(200);
    const own = await visitor.post("/api/v1/users/logout", {}, { Origin: store.url });
    expect(own.status).toBe(200);
  });

  test("sends such refusals to the React apps in tRPC's error format", async () => {
    const foreign = await store
      .visitor()
      .post("/api/trpc/accounts.logout", {}, { Origin: "https://evil.example" });
    expect(foreign.body.error).toMatchObject({
      message: "This request did not come from the store's own pages",
      data: { appCode: "FORBIDDEN", httpStatus: 403 },
    });
    const large = await store.visitor().mutate("accounts.login", { password: "x".repeat(9000) });
    expect([large.status, large.body.error.data.appCode]).toEqual([413, "TOO_LARGE"]);
  });

  test("never shows a stack trace or an internal message", async () => {
    const broken = await tempStore({ LOG_LEVEL: "silent" });
    await broken.deps.db.schema.dropTable("contact_messages").execute();
    const body = { fullName: "A", email: "a@b.cc", message: "Hello" };
    const answer = await broken.visitor().post("/api/v1/users/contactus", body);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ success: false, message: "Something went wrong", code: "INTERNAL" });
    expect(answer.headers.get("x-request-id")).toBeTruthy();
  });

  test("refuses a URL with invalid percent-encoding, over REST and tRPC", async () => {
    const built = await startServerProcess();
    for (const server of [store, built])
      for (const path of ["/api/v1/%ff", "/api/trpc/%ff", "/api/trpc/shops.list,%c3%28?batch=1"]) {
        const { status } = await server.visitor().get(path);
        expect([path, status]).toEqual([path, path.startsWith("/api/v1") ? 404 : 400]);
      }
  });

  test("reports that it is healthy", async () => {
    expect((await store.visitor().get("/healthz")).body).toEqual({ status: "ok" });
  });
});
