import { randomBytes, randomUUID } from "node:crypto";
import Bowser from "bowser";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { Db } from "#db/open.ts";
import {
  type CurrentUser,
  type Role,
  SESSION_DAYS,
  STAFF_SESSION_DAYS,
  STAFF_SESSION_IDLE_HOURS,
} from "#shared/schemas/accounts.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { isSecondFactorRequired } from "./second-factor.queries.ts";
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionByPublicId,
  deleteSessionsOf,
  extendSession,
  findSession,
  findSessionsOf,
  insertSession,
  markSeen,
  renewSession,
  type SessionOwner,
  type SessionRecord,
} from "./sessions.queries.ts";

type SessionMarks = Omit<SessionRecord, "id" | "userId" | "expiresAt">;

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionMarks, SessionOwner>;
    DatabaseUserAttributes: SessionOwner;
    DatabaseSessionAttributes: SessionMarks;
  }
}

/** When a session was last used is written down so seldom that reading a page stays reading. */
const SEEN_EVERY_MS = 5 * 60 * 1000;
const STAFF_IDLE_MS = STAFF_SESSION_IDLE_HOURS * 60 * 60 * 1000;
const STAFF_MS = STAFF_SESSION_DAYS * 24 * 60 * 60 * 1000;

export interface NewSession {
  token: string;
  expiresAt: Date;
}

export interface ResolvedSession {
  user: CurrentUser;
  confirmedAt: Date | null;
  /** Set when its life was extended and the cookie needs it too. */
  renewedUntil: Date | null;
}

/** Sessions by token. Only the SHA-256 of a token is stored, so a copy of the database opens no account. */
export interface SessionStore {
  /** @param isConfirmed whether the person has just proved by a password or a second factor that it is them */
  create(
    user: Pick<CurrentUser, "_id" | "role">,
    userAgent: string,
    isConfirmed: boolean,
  ): Promise<NewSession>;
  /**
   * A living session, or null.
   * @param isUse false for what goes on by itself, such as a live stream: it keeps no session alive
   */
  resolve(token: string, isUse?: boolean): Promise<ResolvedSession | null>;
  /**
   * Notes that the person of a session has just proved again that it is them, and renews its token: whoever else has the
   * one from before has nothing of the proof. Null when the session has ended, or was renewed meanwhile.
   */
  confirm(token: string, role: Role): Promise<NewSession | null>;
  end(token: string): Promise<void>;
  deleteExpired(): Promise<void>;
}

/** The id under which the caller's own session is stored. */
export function currentSessionId({ cookie }: { cookie: { token: string | null } }): string {
  return sha256(cookie.token ?? "");
}

/** @param publicUrl by which it is known who needs a second factor */
export function createSessionStore(
  db: Db,
  readDb: Db,
  now: () => Date,
  publicUrl: string | null,
): SessionStore {
  const lucia = new Lucia(new HashedSessionAdapter(db, readDb, now), {
    sessionExpiresIn: new TimeSpan(SESSION_DAYS, "d"),
    getUserAttributes: (owner) => owner,
    getSessionAttributes: (marks) => marks,
  });
  return {
    async create({ _id, role }, userAgent, isConfirmed) {
      const at = now();
      const session = await lucia.createSession(_id, {
        publicId: randomUUID(),
        device: deviceName(userAgent),
        createdAt: at,
        lastSeenAt: at,
        confirmedAt: isConfirmed ? at : null,
      });
      return { token: session.id, expiresAt: sessionEnd(session, role) };
    },
    async resolve(token, isUse = true) {
      const { session, user } = await lucia.validateSession(token);
      if (!session) return null;
      const { id, email, phone, fullName, role, hasSecondFactor } = user;
      const at = now();
      const lacksFactor = !hasSecondFactor && (await isSecondFactorRequired(readDb, role, publicUrl));
      if (lacksFactor || (role !== "customer" && sessionEnd(session, role) <= at)) {
        await lucia.invalidateSession(token);
        return null;
      }
      const before = new Date(at.getTime() - SEEN_EVERY_MS);
      const isSeen = isUse && session.lastSeenAt <= before;
      if (isSeen) await markSeen(db, sha256(token), { at, before });
      const isRenewed = session.fresh || (isSeen && role !== "customer");
      return {
        user: { _id: id, email, phone, fullName, role },
        confirmedAt: session.confirmedAt,
        renewedUntil: isRenewed
          ? sessionEnd({ ...session, lastSeenAt: isSeen ? at : session.lastSeenAt }, role)
          : null,
      };
    },
    async confirm(from, role) {
      const token = randomBytes(32).toString("base64url");
      const renewed = await renewSession(db, sha256(from), { id: sha256(token), confirmedAt: now() });
      return renewed && { token, expiresAt: sessionEnd(renewed, role) };
    },
    end: (token) => lucia.invalidateSession(token),
    deleteExpired: () => lucia.deleteExpiredSessions(),
  };
}

/**
 * When a session ends that is not used again. Lucia knows one lifetime, which is the students'; staff's, of whom it knows
 * nothing, is shorter and has an end in any case.
 */
function sessionEnd(
  { createdAt, lastSeenAt, expiresAt }: Pick<SessionRecord, "createdAt" | "lastSeenAt" | "expiresAt">,
  role: Role,
): Date {
  if (role === "customer") return expiresAt;
  return new Date(Math.min(lastSeenAt.getTime() + STAFF_IDLE_MS, createdAt.getTime() + STAFF_MS));
}

/** Hashes tokens on the way in and hands the token back as the session's id, as lucia expects it. */
class HashedSessionAdapter implements Adapter {
  readonly #db: Db;
  readonly #readDb: Db;
  readonly #now: () => Date;

  constructor(db: Db, readDb: Db, now: () => Date) {
    this.#db = db;
    this.#readDb = readDb;
    this.#now = now;
  }

  async getSessionAndUser(token: string) {
    const found = await findSession(this.#readDb, sha256(token));
    if (!found) return [null, null] as [null, null];
    const { session, owner } = found;
    return [toLucia(session, token), { id: session.userId, attributes: owner }] as [
      DatabaseSession,
      { id: string; attributes: SessionOwner },
    ];
  }

  async getUserSessions(userId: string) {
    const sessions = await findSessionsOf(this.#readDb, userId, this.#now());
    return sessions.map((session) => toLucia(session, session.id));
  }

  setSession({ id, userId, expiresAt, attributes }: DatabaseSession) {
    return insertSession(this.#db, { id: sha256(id), userId, expiresAt, ...attributes });
  }

  updateSessionExpiration(token: string, expiresAt: Date) {
    return extendSession(this.#db, sha256(token), expiresAt);
  }

  deleteSession(token: string) {
    return deleteSession(this.#db, sha256(token));
  }

  deleteUserSessions(userId: string) {
    return deleteSessionsOf(this.#db, userId);
  }

  deleteExpiredSessions() {
    return deleteExpiredSessions(this.#db, this.#now());
  }
}

function toLucia(session: SessionRecord, id: string): DatabaseSession {
  const { id: _, userId, expiresAt, ...attributes } = session;
  return { id, userId, expiresAt, attributes };
}

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

/** Longer ones say nothing more, and only keep the parser busy. */
const MAX_READ = 300;

/** Browser and system as people know them, such as "Chrome on Android"; empty for what is no known browser. */
export function deviceName(userAgent: string): string {
  if (!userAgent) return "";
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_READ));
  const system = platform.model || os.name;
  if (!browser.name) return system ?? "";
  return system ? `${browser.name} on ${system}` : browser.name;
}

/** How long a mailed one-time code works. */
export const CODE_MINUTES = 10;
/** How long a mailed recovery link works. */
export const LINK_MINUTES = 30;

/**
 * The caller as the database knows them at this moment, for what outlives the request that began it. Throws
 * UNAUTHENTICATED once the session has ended, which this does not put off.
 */
export async function stillSignedIn({ cookie, sessions }: Context): Promise<CurrentUser> {
  const session = cookie.token ? await sessions.resolve(cookie.token, false) : null;
  if (!session) throw new AppError("UNAUTHENTICATED", "Please login to continue");
  return session.user;
}
