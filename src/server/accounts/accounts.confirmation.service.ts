import { CONFIRMATION_MINUTES } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

const LIFETIME_MS = CONFIRMATION_MINUTES * 60 * 1000;

/**
 * Throws CONFIRMATION_REQUIRED when the person of the session has not proved for ten minutes that it is them: whoever
 * finds a console open does not get at people, payment addresses and exports.
 */
export function requireRecentAuth({ confirmedAt, now }: Pick<Context, "confirmedAt" | "now">): void {
  if (confirmedAt && now().getTime() - confirmedAt.getTime() < LIFETIME_MS) return;
  throw new AppError("CONFIRMATION_REQUIRED", "Please confirm that it is you, and try again");
}
