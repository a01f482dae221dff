import { type TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import type { Context as HonoContext } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ZodError } from "zod";
import { hasNul, isDatabaseUnavailable } from "#db/errors.ts";
import type { ErrorCode, FieldIssue } from "#shared/error-codes.ts";
import { indianTime } from "#shared/indian-time.ts";

/** HTTP status and tRPC code of every error code. */
export const STATUS = {
  BAD_REQUEST: { http: 400, trpc: "BAD_REQUEST" },
  INVALID_INPUT: { http: 422, trpc: "UNPROCESSABLE_CONTENT" },
  UNAUTHENTICATED: { http: 401, trpc: "UNAUTHORIZED" },
  FORBIDDEN: { http: 403, trpc: "FORBIDDEN" },
  ACCOUNT_NOT_VERIFIED: { http: 403, trpc: "FORBIDDEN" },
  PASSWORD_TOO_WEAK: { http: 403, trpc: "FORBIDDEN" },
  SECOND_FACTOR_REQUIRED: { http: 403, trpc: "FORBIDDEN" },
  SECOND_FACTOR_SETUP_REQUIRED: { http: 403, trpc: "FORBIDDEN" },
  CONFIRMATION_REQUIRED: { http: 403, trpc: "FORBIDDEN" },
  NOT_FOUND: { http: 404, trpc: "NOT_FOUND" },
  GONE: { http: 410, trpc: "NOT_FOUND" },
  CONFLICT: { http: 409, trpc: "CONFLICT" },
  PRICE_CHANGED: { http: 409, trpc: "CONFLICT" },
  TOO_LARGE: { http: 413, trpc: "PAYLOAD_TOO_LARGE" },
  NO_ROOM: { http: 413, trpc: "PAYLOAD_TOO_LARGE" },
  UNSUPPORTED_TYPE: { http: 415, trpc: "UNSUPPORTED_MEDIA_TYPE" },
  UNREADABLE_FILE: { http: 422, trpc: "UNPROCESSABLE_CONTENT" },
  PASSWORD_REQUIRED: { http: 422, trpc: "UNPROCESSABLE_CONTENT" },
  WRONG_PASSWORD: { http: 422, trpc: "UNPROCESSABLE_CONTENT" },
  INFECTED: { http: 422, trpc: "UNPROCESSABLE_CONTENT" },
  RATE_LIMITED: { http: 429, trpc: "TOO_MANY_REQUESTS" },
  STORAGE_FULL: { http: 503, trpc: "SERVICE_UNAVAILABLE" },
  UNAVAILABLE: { http: 503, trpc: "SERVICE_UNAVAILABLE" },
  INTERNAL: { http: 500, trpc: "INTERNAL_SERVER_ERROR" },
} as const satisfies Record<ErrorCode, { http: ContentfulStatusCode; trpc: TRPC_ERROR_CODE_KEY }>;

interface ErrorExtras {
  /** The invalid fields. */
  issues?: FieldIssue[];
  /** Data that the caller needs to continue, such as the correct price of an order. */
  data?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** Name of the limit that was reached, for the log. */
  limit?: string;
  cause?: unknown;
}

/** An expected error. `message` is shown to the person as it is. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: FieldIssue[] | undefined;
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = "AppError";
    this.code = code;
    this.issues = extras.issues;
    this.data = extras.data;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.limit = extras.limit;
  }
}

/** Error about one field of the input; `path` is the field's place in it, as the client shows it there. */
export function fieldError(path: string, message: string, code: ErrorCode = "INVALID_INPUT"): AppError {
  return new AppError(code, message, { issues: [{ path, message }] });
}

export function loginRequired(): AppError {
  return new AppError("UNAUTHENTICATED", "Please log in to continue");
}

export function forbidden(): AppError {
  return new AppError("FORBIDDEN", "You do not have permission to do this");
}

export function noSuchCall(): AppError {
  return new AppError("NOT_FOUND", "There is no such call");
}

/** After five seconds most of the earlier bodies have ended. */
export function overloaded(): AppError {
  return new AppError("UNAVAILABLE", "The store has too much to do at the moment. Please try again shortly", {
    retryAfterSeconds: 5,
  });
}

const NOTHING_HERE = "There is nothing here";

/** Converts anything thrown to an error that the caller may see. An unexpected error becomes INTERNAL without details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) return fromZod(error);
  if (error instanceof TRPCError) return fromTrpc(error);
  if (isOfBrokenRequest(error)) return requestBrokeOff();
  if (isDiskFull(error)) {
    return new AppError("STORAGE_FULL", "The store has no room left. Please try again later", {
      cause: error,
    });
  }
  if (isDatabaseUnavailable(error)) {
    const message = "The store cannot answer at the moment. Please try again shortly";
    return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 5, cause: error });
  }
  if (hasNul(error)) return new AppError("NOT_FOUND", NOTHING_HERE, { cause: error });
  return new AppError("INTERNAL", "Something went wrong", { cause: error });
}

/** Answers an error as plain text for people, which no cache keeps. */
export function textFailure(c: HonoContext, { code, message }: AppError): Response {
  return c.text(message, STATUS[code].http, { "Cache-Control": "private, no-store" });
}

function fromZod(error: ZodError): AppError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const first = issues[0];
  return new AppError("INVALID_INPUT", first ? readable(first) : "Invalid input", { issues, cause: error });
}

/**
 * Messages that begin with a capital letter are whole sentences, as in the spec, and stand alone. Others ("must be text",
 * zod's "Invalid …") follow the field's name.
 */
function readable({ path, message }: FieldIssue): string {
  const standsAlone = message.charAt(0) !== message.charAt(0).toLowerCase() && !message.startsWith("Invalid");
  return standsAlone || !path ? message : `${path}: ${message}`;
}

function fromTrpc(error: TRPCError): AppError {
  if (error.cause instanceof AppError || error.cause instanceof ZodError) return toAppError(error.cause);
  if (error.code === "NOT_FOUND") return new AppError("NOT_FOUND", NOTHING_HERE);
  if (error.code === "PARSE_ERROR" || error.code === "BAD_REQUEST") {
    return new AppError("BAD_REQUEST", "The request could not be read", { cause: error });
  }
  if (error.code === "METHOD_NOT_SUPPORTED" || error.code === "UNSUPPORTED_MEDIA_TYPE") {
    return new AppError("UNSUPPORTED_TYPE", "This kind of request is not understood here", { cause: error });
  }
  return toAppError(error.cause ?? new Error(error.message));
}

/** Whether the operator must read the cause in the log, because nothing that the caller did explains the error. */
export function isForLog({ code, cause }: AppError): boolean {
  return code === "INTERNAL" || (code === "UNAVAILABLE" && isDatabaseUnavailable(cause));
}

/** The client closed the connection before its request was complete, which is no failure of the server. */
export function requestBrokeOff(): AppError {
  return new AppError("BAD_REQUEST", "The request was interrupted. Please send it again");
}

/** What Node says to whoever reads such a request's body. A database that resets a connection has the same code. */
function isOfBrokenRequest(error: unknown): boolean {
  return (
    error instanceof Error && error.message === "aborted" && "code" in error && error.code === "ECONNRESET"
  );
}

function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL" || code === "53100";
}

/** Who last saved something that several people edit, and when. */
export interface LastSave {
  version: number;
  /** Name of the person; null if it was not recorded. */
  savedBy: string | null;
  savedAt: string | null;
}

/** Error for changes to an outdated version: says who saved the newer one, and when. */
export function versionConflict(what: string, { version, savedBy, savedAt }: LastSave): AppError {
  const who = savedBy ?? "Someone else";
  const when = savedAt ? ` (${indianTime(savedAt)})` : "";
  return new AppError("CONFLICT", `${who} saved ${what} while you were editing it${when}`, {
    data: { version, savedBy, savedAt },
  });
}
