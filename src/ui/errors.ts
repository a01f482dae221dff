import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/router.ts";
import type { ErrorCode, FieldIssue } from "#shared/error-codes.ts";

const UNREACHABLE = "The store cannot be reached. Check your connection and try again";
const OFFLINE = "You are offline. Nothing is lost; try again when your internet is back";

/** A failure in the browser whose message is for the person. */
export class ShownError extends Error {}

/** The server's message, or that of a ShownError; a general one if there was no response. */
export function messageOf(error: unknown): string {
  if (error instanceof ShownError) return error.message;
  const answer = answerOf(error);
  return answer?.message ?? (globalThis.navigator?.onLine === false ? OFFLINE : UNREACHABLE);
}

/** Whether a server answered, be it by an error; if not, there is no connection. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof TRPCClientError && (Boolean(error.data) || error.meta?.response !== undefined);
}

/** The server's error code; null if there was no response. */
export function codeOf(error: unknown): ErrorCode | null {
  return answerOf(error)?.data.appCode ?? null;
}

/** The password or code was right, but a second factor must be entered or set up, which staff do in the console. */
export function needsSecondFactor(error: unknown): boolean {
  const code = codeOf(error);
  return code === "SECOND_FACTOR_REQUIRED" || code === "SECOND_FACTOR_SETUP_REQUIRED";
}

/** The server's validation errors by field. */
export function issuesOf(error: unknown): FieldIssue[] {
  return answerOf(error)?.data.issues ?? [];
}

/** The server's message about one field. */
export function issueOf(error: unknown, field: string): string | undefined {
  return issuesOf(error).find(({ path }) => path === field)?.message;
}

/** Details of the error, such as the right amounts of an order. */
export function detailsOf(error: unknown): Record<string, unknown> {
  return answerOf(error)?.data.details ?? {};
}

/** Whether the error may be temporary: a lost connection, or a server that is busy or down. */
export function isWorthRetrying(error: unknown): boolean {
  const code = codeOf(error);
  return code === null || code === "UNAVAILABLE";
}

function answerOf(error: unknown) {
  if (!(error instanceof TRPCClientError)) return null;
  const { message, data } = error as TRPCClientError<AppRouter>;
  return data ? { message, data } : null;
}
