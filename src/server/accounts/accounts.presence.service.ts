import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/**
 * The caller as the database knows them at this moment, for what outlives the request that began it. Throws
 * UNAUTHENTICATED once the session has ended, which this does not put off.
 */
export async function stillSignedIn({ cookie, sessions }: Context): Promise<CurrentUser> {
  const session = cookie.token ? await sessions.resolve(cookie.token, false) : null;
  if (!session) throw new AppError("UNAUTHENTICATED", "Please login to continue");
  return session.user;
}
