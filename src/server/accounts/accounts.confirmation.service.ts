import { CONFIRMATION_MINUTES } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

const LIFETIME_MS = CONFIRMATION_MINUTES * 60 * 1000;

/**
 * Throws CONFIRMATION_REQUIRED when the person of the session has not proved for ten minutes that it is them: whoever
 * finds a console open does not get at people, payment addresses, refunds and exports.
 */
export function requireRecentAuth(ctx: Pick<Context, "confirmedAt" | "now">): void {
  if (!hasRecentAuth(ctx)) throw confirmationRequired();
}

/** For what asks for the proof only where it turns out to give money back. */
export function hasRecentAuth({ confirmedAt, now }: Pick<Context, "confirmedAt" | "now">): boolean {
  return confirmedAt !== null && now().getTime() - confirmedAt.getTime() < LIFETIME_MS;
}

export function confirmationRequired(): AppError {
  return new AppError("CONFIRMATION_REQUIRED", "Please confirm that it is you, and try again");
}
