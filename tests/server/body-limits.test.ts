import { describe, expect, test } from "vitest";
import { bodyLimitOf } from "#server/http/limits.ts";
import type { LimitName } from "#server/http/rate-limit.ts";
import { PERMISSIONS } from "#shared/permissions.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";
import { accountOf, announce, answerOf } from "./bodies.fixtures.ts";

const LOGIN = "/api/v1/users/login";
const MB = 1024 * 1024;

const store = testStore({ RATE_LIMIT_SCALE: "1" });

describe("a body over the limit of its call is refused before it is sent", () => {
  test.each(Object.keys(PERMISSIONS))("%s", async (procedure) => {
    const { bytes } = bodyLimitOf([procedure], "application/json");
    expect(bytes).toBeLessThanOrEqual(MB);
    const refused = await answerOf(await announce(store, `/api/trpc/${procedure}`, bytes + 1));
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining("TOO_LARGE")]);
    expect(refused.head).toMatch(/^connection: close$/im);
  });

  test.each(["login", "register", "verify-account", "fpmail", "login-with-otp", "reset-password"])(
    "POST /users/%s accepts 8 kB",
    async (call) => {
      const refused = await answerOf(await announce(store, `/api/v1/users/${call}`, 8 * 1024 + 1));
      expect([refused.status, JSON.parse(refused.body).message]).toEqual([
        413,
        "The request is larger than 8 kB",
      ]);
    },
  );

  test("a tRPC batch accepts the sum of its calls' limits, at most 1 MB", async () => {
    const batch = (calls: number) => `/api/trpc/${Array(calls).fill("orders.place").join(",")}?batch=1`;
    for (const [calls, bytes] of [
      [2, 512 * 1024],
      [20, MB],
    ] as const) {
      expect((await answerOf(await announce(store, batch(calls), bytes + 1))).status).toBe(413);
      expect((await answerOf(await announce(store, batch(calls), bytes))).status).toBe(401);
    }
  });

  test("JSON for an upload call is limited like JSON for other calls", async () => {
    const { visitor } = await signedInStudent(store);
    const headers = { Cookie: visitor.cookieHeader };
    const refused = await answerOf(await announce(store, "/api/trpc/reprints.uploadPhoto", 5 * MB, headers));
    expect(refused.status).toBe(413);
  });
});

describe("the body is not read", () => {
  test("of an unknown call", async () => {
    const calls = [
      "v1/users/nothing",
      "trpc/accounts.nothing",
      "trpc/accounts.login/",
      "trpc/accounts.login//",
    ];
    for (const call of calls) {
      const { status } = await answerOf(await announce(store, `/api/${call}`, 900_000));
      expect([call, status]).toEqual([call, 404]);
    }
  });

  test("of a guest's order", async () => {
    for (const path of ["/api/v1/prints/printorder", "/api/trpc/orders.place", "/api/v1/uploads"]) {
      const refused = await answerOf(await announce(store, path, 5000));
      expect([path, refused.status, refused.body]).toEqual([
        path,
        401,
        expect.stringContaining("UNAUTHENTICATED"),
      ]);
    }
  });

  test("of an address or an account that has used up its limit", async () => {
    const limited = await tempStore({ RATE_LIMIT_SCALE: "0.002" });
    const [one, other] = [await signedInStudent(limited), await signedInStudent(limited)];
    const accountId = await accountOf(one);
    const exhaust = async (limit: LimitName, key: string) => {
      while (
        await limited.deps.limits.use(limit, key).then(
          () => true,
          () => false,
        )
      );
    };
    /** The answer to a call of which only the head is sent. */
    const answerTo = async (path: string, visitor?: ApiClient, type = "application/json") => {
      const headers = { "Content-Type": type, ...(visitor && { Cookie: visitor.cookieHeader }) };
      return answerOf(await announce(limited, path, 500, headers));
    };
    const bytes = "application/octet-stream";
    const form = "multipart/form-data; boundary=line";

    await exhaust("orderAccount", accountId);
    expect((await answerTo("/api/v1/prints/printorder", one.visitor)).status).toBe(429);
    await exhaust("reportAccount", accountId);
    expect((await answerTo("/api/trpc/reprints.report", one.visitor)).status).toBe(429);
    await exhaust("uploadAccount", accountId);
    expect((await answerTo("/api/v1/uploads", one.visitor, form)).status).toBe(429);
    expect((await answerTo("/api/trpc/reprints.uploadPhoto", one.visitor, bytes)).status).toBe(429);
    await exhaust("uploadAddress", "127.0.0.1");
    expect((await answerTo("/api/v1/uploads", other.visitor, form)).status).toBe(429);
    await exhaust("contactAddress", "127.0.0.1");
    expect((await answerTo("/api/v1/users/contactus")).status).toBe(429);
    // Whoever is logged in has a count of their own.
    const message = { fullName: "Asha", email: "a@b.cc", subject: "", message: "Hello" };
    expect((await one.visitor.post("/api/v1/users/contactus", message)).status).toBe(200);
    await exhaust("registerAddress", "127.0.0.1");
    expect((await answerTo("/api/v1/users/register")).status).toBe(429);
    await exhaust("loginAddress", "127.0.0.1");
    const refused = await answerTo(LOGIN);
    expect(refused.status).toBe(429);
    expect(refused.head).toMatch(/^retry-after: 900$/im);
    // A known device has its own count.
    expect((await one.visitor.post(LOGIN, one.student)).status).toBe(200);
  });
});
