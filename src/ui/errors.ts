import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/router.ts";
import type { ErrorCode, FieldIssue } from "#shared/error-codes.ts";

const UNREACHABLE = "The store cannot be reached. Check your connection and try again";

/** The server's message as it is; a plain sentence when no answer came at all. */
export function messageOf(error: unknown): string {
  const answer = answerOf(error);
  return answer?.message ?? UNREACHABLE;
}

/** The kind of failure that the server told of; null when no answer came. */
export function codeOf(error: unknown): ErrorCode | null {
  return answerOf(error)?.data.appCode ?? null;
}

/** The fields that the server refused. */
export function issuesOf(error: unknown): FieldIssue[] {
  return answerOf(error)?.data.issues ?? [];
}

/** What the server added so that the person can go on, such as the right figures of an order. */
export function detailsOf(error: unknown): Record<string, unknown> {
  return answerOf(error)?.data.details ?? {};
}

/** Only what may pass by itself: a lost connection or a server that is busy or down. */
export function isWorthRetrying(error: unknown): boolean {
  const code = codeOf(error);
  return code === null || code === "UNAVAILABLE";
}

function answerOf(error: unknown) {
  if (!(error instanceof TRPCClientError)) return null;
  const { message, data } = error as TRPCClientError<AppRouter>;
  return data ? { message, data } : null;
}
