import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import Bowser from "bowser";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { Db } from "#db/database.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import {
  type CurrentUser,
  MAX_SESSIONS,
  type Role,
  SESSION_DAYS,
  SHARED_SESSION_IDLE_MINUTES,
  STAFF_SESSION_DAYS,
  STAFF_SESSION_IDLE_HOURS,
} from "#shared/schemas/accounts.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError, loginRequired } from "../errors.ts";
import { newToken, sha256 } from "../lib/crypto.ts";
import { isSecondFactorRequired } from "./second-factor.queries.ts";
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionByPublicId,
  deleteSessionsOf,
  extendSession,
  type FoundSession,
  findSessions,
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

/** Minimum time between two updates of `lastSeenAt`, so that most requests only read the session. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
const SHARED_IDLE_MS = SHARED_SESSION_IDLE_MINUTES * MINUTE_MS;
const STAFF_IDLE_MS = STAFF_SESSION_IDLE_HOURS * HOUR_MS;
const STAFF_MS = STAFF_SESSION_DAYS * DAY_MS;

interface NewSession {
  token: string;
  /** For the cookie; null where it ends with the browser. */
  expiresAt: Date | null;
}

interface ResolvedSession {
  user: CurrentUser;
  confirmedAt: Date | null;
  isShared: boolean;
  /** New expiry for the cookie when the session was extended; otherwise null. */
  renewedUntil: Date | null;
}

/** Sessions by token. Only the SHA-256 of a token is stored, so a copy of the database gives access to no account. */
export interface SessionStore {
  /**
   * @param how `isConfirmed`: the person has just proved their identity by a password or a second factor; `isShared`: others use the
   *   computer too
   */
  create(
    user: Pick<CurrentUser, "_id" | "role">,
    userAgent: string,
    how: { isConfirmed: boolean; isShared: boolean },
  ): Promise<NewSession>;
  /**
   * A valid session, or null.
   * @param isUserActivity false for automatic requests, such as live streams, which are no use of a session
   */
  resolve(token: string, isUserActivity: boolean): Promise<ResolvedSession | null>;
  /**
   * Records that the person has just proved their identity again, and replaces the token, so that a copy of the old token
   * does not gain the proof. Null when the session has ended or another request has replaced its token.
   */
  confirm(token: string, role: Role): Promise<NewSession | null>;
  end(token: string): Promise<void>;
  deleteExpired(): Promise<void>;
}

/** Database id of the caller's session. */
export function currentSessionId({ cookie }: { cookie: { token: string | null } }): string {
  return sha256(cookie.token ?? "");
}

/** @param publicUrl setting PUBLIC_URL: admins need a second factor if it is https */
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
    async create({ _id, role }, userAgent, { isConfirmed, isShared }) {
      const at = now();
      const session = await lucia.createSession(_id, {
        publicId: randomUUID(),
        device: deviceName(userAgent),
        createdAt: at,
        lastSeenAt: at,
        confirmedAt: isConfirmed ? at : null,
        isShared,
      });
      return { token: session.id, expiresAt: cookieEnd(session, role) };
    },
    async resolve(token, isUserActivity) {
      const { session, user } = await lucia.validateSession(token);
      if (!session) return null;
      const { id, email, phone, fullName, role, hasSecondFactor } = user;
      const at = now();
      const lacksFactor = !hasSecondFactor && (await isSecondFactorRequired(readDb, role, publicUrl));
      const isShortLived = role !== "customer" || session.isShared;
      if (lacksFactor || (isShortLived && sessionEnd(session, role) <= at)) {
        await lucia.invalidateSession(token);
        return null;
      }
      const unseenMs = at.getTime() - session.lastSeenAt.getTime();
      if (isUserActivity && unseenMs >= SEEN_EVERY_MS) await markSeen(db, sha256(token), at);
      return {
        user: { _id: id, email, phone, fullName, role },
        confirmedAt: session.confirmedAt,
        isShared: session.isShared,
        renewedUntil: session.fresh ? cookieEnd(session, role) : null,
      };
    },
    async confirm(from, role) {
      const token = newToken();
      const renewed = await renewSession(db, sha256(from), { id: sha256(token), confirmedAt: now() });
      return renewed && { token, expiresAt: cookieEnd(renewed, role) };
    },
    end: (token) => lucia.invalidateSession(token),
    deleteExpired: () => lucia.deleteExpiredSessions(),
  };
}

type SessionTimes = Pick<SessionRecord, "createdAt" | "lastSeenAt" | "expiresAt" | "isShared">;

/**
 * When a session ends if it is not used again. Lucia knows only one lifetime, that of students; sessions on shared computers have a
 * shorter idle time, and those of staff a maximum age as well.
 */
function sessionEnd({ createdAt, lastSeenAt, expiresAt, isShared }: SessionTimes, role: Role): Date {
  const seenAt = lastSeenAt.getTime();
  const ends = [isShared ? seenAt + SHARED_IDLE_MS : Number.POSITIVE_INFINITY];
  if (role === "customer") ends.push(expiresAt.getTime());
  else ends.push(seenAt + STAFF_IDLE_MS, createdAt.getTime() + STAFF_MS);
  return new Date(Math.min(...ends));
}

/**
 * When the browser forgets the session's cookie; null where it does so as it is closed. A staff cookie gets the maximum age at once,
 * although the server may end the session earlier: a response that renewed it could arrive after that of a confirmation, and put the
 * old token back.
 */
function cookieEnd({ createdAt, expiresAt, isShared }: SessionTimes, role: Role): Date | null {
  if (isShared) return null;
  return role === "customer" ? expiresAt : new Date(createdAt.getTime() + STAFF_MS);
}

/** Stores tokens as hashes, and returns the token as the session's id, as lucia expects. */
class HashedSessionAdapter implements Adapter {
  readonly #db: Db;
  readonly #readDb: Db;
  readonly #now: () => Date;
  readonly #find: (id: string) => Promise<FoundSession | undefined>;

  constructor(db: Db, readDb: Db, now: () => Date) {
    this.#db = db;
    this.#readDb = readDb;
    this.#now = now;
    this.#find = batchLoad((ids) => findSessions(readDb, ids));
  }

  async getSessionAndUser(token: string) {
    const found = await this.#find(sha256(token));
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
    return insertSession(this.#db, { id: sha256(id), userId, expiresAt, ...attributes }, MAX_SESSIONS);
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
    const now = this.#now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    return deleteExpiredSessions(this.#db, {
      now,
      seenBefore: before(STAFF_IDLE_MS),
      openedBefore: before(STAFF_MS),
      sharedSeenBefore: before(SHARED_IDLE_MS),
    });
  }
}

function toLucia(session: SessionRecord, id: string): DatabaseSession {
  const { id: _, userId, expiresAt, ...attributes } = session;
  return { id, userId, expiresAt, attributes };
}

/** A session as its owner sees it; times are ISO 8601 in UTC. */
export interface Device {
  id: string;
  /** Browser and system; empty if unknown. */
  name: string;
  signedInAt: string;
  /** Accurate to SEEN_EVERY_MS. */
  lastSeenAt: string;
  /** Whether it is the caller's own session. */
  isThis: boolean;
}

/** Devices on which the user is logged in: this one first, then by last use. */
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

/** Logs out one device of the user. Throws NOT_FOUND if it is not theirs or is logged out already. */
export async function endDevice(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  const ended = await deleteSessionByPublicId(ctx.db, ctx.actor.user._id, id);
  if (!ended) throw new AppError("NOT_FOUND", "This device is already logged out");
}

/** Logs out every device of the user except the caller's. */
export async function endOtherDevices(ctx: Context<SignedIn>): Promise<void> {
  await deleteOtherSessions(ctx.db, ctx.actor.user._id, currentSessionId(ctx));
}

/** Maximum length of a user agent that is parsed. Longer ones add no information and slow down the parser. */
const MAX_READ = 300;

/** Browser and system, such as "Chrome on Android"; empty for an unknown browser. */
export function deviceName(userAgent: string): string {
  if (!userAgent) return "";
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_READ));
  const system = platform.model || os.name;
  if (!browser.name) return system ?? "";
  return system ? `${browser.name} on ${system}` : browser.name;
}

/**
 * The caller's current account data, for work that outlives its request. Throws UNAUTHENTICATED once the session has ended;
 * does not extend the session.
 */
export async function requireLiveSession({ cookie, sessions }: Context): Promise<CurrentUser> {
  const session = cookie.token ? await sessions.resolve(cookie.token, false) : null;
  if (!session) throw loginRequired();
  return session.user;
}

/**
 * Returns a function that finds one value by its key. `load` is called once for all keys that were asked for in the same
 * turn of the event loop, when that turn is over, so that each caller gets what was committed before it asked. Kept for
 * the row 'GET getuser with a session' of the bench, which has half as many requests a second without it.
 */
export function batchLoad<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; values: Promise<ReadonlyMap<Key, Value>> } | null = null;

  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const values = setImmediate().then(() => {
        next = null;
        return load([...keys]);
      });
      next = { keys, values };
    }
    next.keys.add(key);
    return (await next.values).get(key);
  };
}
