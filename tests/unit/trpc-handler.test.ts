import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import type { Deps } from "#server/context.ts";
import { AppError, toAppError } from "#server/errors.ts";
import { trpcFailureResponse, trpcHandler, trpcProcedures } from "#server/http/trpc-handler.ts";

describe("the calls of a path", () => {
  test.each([
    ["/api/trpc/accounts.me", ["accounts.me"]],
    ["/api/trpc/accounts.me,orders.place", ["accounts.me", "orders.place"]],
    ["/api/trpc/accounts.me%2Corders.place", ["accounts.me", "orders.place"]],
    ["/api/trpc/accounts.nothing,constructor,accounts.me", ["accounts.me"]],
    ["/api/trpc/%ff", []],
    ["/api/trpc/", []],
  ])("are those of its names that exist: %s", (path, calls) => {
    expect(trpcProcedures(path)).toEqual(calls);
  });
});

test("a path that cannot be decoded is the caller's fault", async () => {
  const app = new Hono();
  app.onError((error, c) => c.text(toAppError(error).code));
  app.get("/api/trpc/*", trpcHandler({} as Deps) as never);
  expect(await (await app.request("/api/trpc/%ff")).text()).toBe("BAD_REQUEST");
});

test("a failure before any call is told as tRPC tells those of calls", async () => {
  const app = new Hono();
  const failure = new AppError("RATE_LIMITED", "Please wait", { retryAfterSeconds: 5 });
  app.get("/", (c) => trpcFailureResponse(c, failure));
  const response = await app.request("/");
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({
    error: { message: "Please wait", data: { code: "TOO_MANY_REQUESTS", httpStatus: 429 } },
  });
});
