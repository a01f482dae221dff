import { TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isDatabaseUnavailable, isTransactionConflict } from "#db/errors.ts";
import { AppError, STATUS, toAppError, versionConflict } from "#server/errors.ts";

test("each error code has its HTTP status and its tRPC code", () => {
  const statuses = Object.entries(STATUS).map(([code, { http, trpc }]) => [code, http, trpc]);
  expect(statuses).toEqual([
    ["BAD_REQUEST", 400, "BAD_REQUEST"],
    ["INVALID_INPUT", 422, "UNPROCESSABLE_CONTENT"],
    ["UNAUTHENTICATED", 401, "UNAUTHORIZED"],
    ["FORBIDDEN", 403, "FORBIDDEN"],
    ["ACCOUNT_NOT_VERIFIED", 403, "FORBIDDEN"],
    ["PASSWORD_TOO_WEAK", 403, "FORBIDDEN"],
    ["SECOND_FACTOR_REQUIRED", 403, "FORBIDDEN"],
    ["SECOND_FACTOR_SETUP_REQUIRED", 403, "FORBIDDEN"],
    ["CONFIRMATION_REQUIRED", 403, "FORBIDDEN"],
    ["NOT_FOUND", 404, "NOT_FOUND"],
    ["GONE", 410, "NOT_FOUND"],
    ["CONFLICT", 409, "CONFLICT"],
    ["PRICE_CHANGED", 409, "CONFLICT"],
    ["TOO_LARGE", 413, "PAYLOAD_TOO_LARGE"],
    ["NO_ROOM", 413, "PAYLOAD_TOO_LARGE"],
    ["UNSUPPORTED_TYPE", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["UNREADABLE_FILE", 422, "UNPROCESSABLE_CONTENT"],
    ["PASSWORD_REQUIRED", 422, "UNPROCESSABLE_CONTENT"],
    ["WRONG_PASSWORD", 422, "UNPROCESSABLE_CONTENT"],
    ["INFECTED", 422, "UNPROCESSABLE_CONTENT"],
    ["RATE_LIMITED", 429, "TOO_MANY_REQUESTS"],
    ["STORAGE_FULL", 503, "SERVICE_UNAVAILABLE"],
    ["UNAVAILABLE", 503, "SERVICE_UNAVAILABLE"],
    ["INTERNAL", 500, "INTERNAL_SERVER_ERROR"],
  ]);
});

const coded = (code: string) => Object.assign(new Error("a detail that nobody may read"), { code });
const outcomeOf = (error: unknown) => {
  const { code, message, retryAfterSeconds } = toAppError(error);
  return [code, message, retryAfterSeconds];
};

describe("whoever calls reads of an error", () => {
  test.each(["ENOSPC", "EDQUOT", "SQLITE_FULL", "53100"])("that the store has no room, for %s", (code) => {
    const message = "The store has no room left. Please try again later";
    expect(outcomeOf(coded(code))).toEqual(["STORAGE_FULL", message, undefined]);
  });

  test("that the store cannot answer, while the database does not", () => {
    const message = "The store cannot answer at the moment. Please try again shortly";
    expect(outcomeOf(coded("ECONNREFUSED"))).toEqual(["UNAVAILABLE", message, 5]);
  });

  test.each([coded("EACCES"), new Error("secret"), "secret", null, undefined])(
    "nothing of an unexpected one",
    (error) => {
      expect(outcomeOf(error)).toEqual(["INTERNAL", "Something went wrong", undefined]);
      expect(toAppError(error).cause).toBe(error);
    },
  );

  test("an expected one as it is, also when tRPC has wrapped it", () => {
    const error = new AppError("GONE", "This is over");
    expect(toAppError(error)).toBe(error);
    expect(toAppError(new TRPCError({ code: "BAD_REQUEST", cause: error }))).toBe(error);
  });

  test("which field is wrong, also when tRPC has wrapped it", () => {
    const cause = z.string("Please enter your name").safeParse(1).error;
    const { code, message } = toAppError(new TRPCError({ code: "BAD_REQUEST", cause }));
    expect([code, message]).toEqual(["INVALID_INPUT", "Please enter your name"]);
  });

  test.each([
    ["NOT_FOUND", "NOT_FOUND", "There is nothing here"],
    ["PARSE_ERROR", "BAD_REQUEST", "The request could not be read"],
    ["BAD_REQUEST", "BAD_REQUEST", "The request could not be read"],
    ["METHOD_NOT_SUPPORTED", "UNSUPPORTED_TYPE", "This kind of request is not understood here"],
    ["UNSUPPORTED_MEDIA_TYPE", "UNSUPPORTED_TYPE", "This kind of request is not understood here"],
    ["INTERNAL_SERVER_ERROR", "INTERNAL", "Something went wrong"],
  ] as const)("what tRPC means by %s", (code, ours, message) => {
    expect(outcomeOf(new TRPCError({ code, message: "a detail" }))).toEqual([ours, message, undefined]);
  });

  test("the cause of an error of tRPC, if it has one", () => {
    const full = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: coded("ENOSPC") });
    expect(toAppError(full).code).toBe("STORAGE_FULL");
  });
});

test.each([
  ["a whole sentence stands alone", z.string("Please enter your name"), "Please enter your name"],
  ["half a sentence follows the field", z.string("must be text"), "user.name: must be text"],
  ["zod's own words follow the field", z.email(), "user.name: Invalid email address"],
])("of invalid input the first message is shown: %s", (_what, name, message) => {
  const input = z.object({ user: z.object({ name, age: z.number("must be a number") }) });
  const value = { user: { name: name instanceof z.ZodEmail ? "nobody" : 1, age: "old" } };
  const { error } = input.safeParse(value);
  const shown = toAppError(error);
  expect([shown.code, shown.message]).toEqual(["INVALID_INPUT", message]);
  expect(shown.issues?.map(({ path }) => path)).toEqual(["user.name", "user.age"]);
});

test("a message about the whole input has no field before it", () => {
  const { error } = z.string("must be text").safeParse(1);
  expect(toAppError(error).message).toBe("must be text");
  expect(toAppError(new z.ZodError([])).message).toBe("Invalid input");
});

test("a conflict names who saved the newer version, and when", () => {
  const savedAt = "2026-11-21T09:30:00.000Z";
  const saved = versionConflict("the prices", { version: 3, savedBy: "Ravi", savedAt });
  expect(saved.message).toBe("Ravi saved the prices while you were editing it (21 Nov 2026, 3:00 pm IST)");
  expect([saved.code, saved.data]).toEqual(["CONFLICT", { version: 3, savedBy: "Ravi", savedAt }]);
  expect(versionConflict("the shop", { version: 1, savedBy: null, savedAt: null }).message).toBe(
    "Someone else saved the shop while you were editing it",
  );
});

describe("an error of the database", () => {
  test.each(["40001", "40P01", "23505", "23503"])("%s lets the transaction run again", (code) => {
    expect(isTransactionConflict(coded(code))).toBe(true);
    expect(isDatabaseUnavailable(coded(code))).toBe(false);
  });

  test.each([
    ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
    ...["57P01", "57P02", "57P03", "57014", "53300", "08006", "08P01"],
    ...["SQLITE_BUSY", "SQLITE_BUSY_RECOVERY", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC"],
  ])("%s says that it does not answer", (code) => {
    expect(isDatabaseUnavailable(coded(code))).toBe(true);
    expect(isTransactionConflict(coded(code))).toBe(false);
  });

  test.each([
    "Connection terminated unexpectedly",
    "timeout exceeded when trying to connect",
    "Client has encountered a connection error and is not queryable",
  ])("without a code says so too: %s", (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseUnavailable(message)).toBe(false);
  });

  test.each(["22P02", "508001", "080011", "", 40001, "SQLITE_CONSTRAINT_UNIQUE"])(
    "%j says neither",
    (code) => {
      const error = Object.assign(new Error("no such thing"), { code });
      expect([isTransactionConflict(error), isDatabaseUnavailable(error)]).toEqual([false, false]);
    },
  );

  test("that is none says neither", () => {
    expect([isTransactionConflict(null), isDatabaseUnavailable(undefined)]).toEqual([false, false]);
  });
});
