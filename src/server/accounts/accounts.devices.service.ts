import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { deleteOtherSessions, deleteSessionByPublicId, findSessionsOf } from "./accounts.session-queries.ts";
import { currentSessionId, sessionEnd } from "./accounts.sessions.ts";

/** A session as its owner sees it; times are ISO 8601 in UTC. */
export interface Device {
  id: string;
  /** Browser and system; empty where they are not known. */
  name: string;
  signedInAt: string;
  /** To within some minutes. */
  lastSeenAt: string;
  /** Whether it is the one that asks. */
  isThis: boolean;
}

/** Where the user is signed in, this device first and then the one that was used last. */
export async function listDevices(ctx: Context<SignedIn>): Promise<Device[]> {
  const sessions = await findSessionsOf(ctx.readDb, ctx.actor.user._id, ctx.now());
  const living = sessions.filter((session) => sessionEnd(session, ctx.actor.user.role) > ctx.now());
  const devices = living.map((session) => ({
    id: session.publicId,
    name: session.device,
    signedInAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    isThis: session.id === currentSessionId(ctx),
  }));
  return devices.sort((a, b) => Number(b.isThis) - Number(a.isThis));
}

/** Signs one device of the user out. Throws NOT_FOUND when it is none of theirs, or signed out already. */
export async function endDevice(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  const ended = await deleteSessionByPublicId(ctx.db, ctx.actor.user._id, id);
  if (!ended) throw new AppError("NOT_FOUND", "This device is signed out already");
}

/** Signs out every device of the user but the one that asks. */
export async function endOtherDevices(ctx: Context<SignedIn>): Promise<void> {
  await deleteOtherSessions(ctx.db, ctx.actor.user._id, currentSessionId(ctx));
}
