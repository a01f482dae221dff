import { randomBytes, randomUUID } from "node:crypto";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { Db } from "#db/open.ts";
import {
  type CurrentUser,
  type Role,
  SESSION_DAYS,
  STAFF_SESSION_DAYS,
  STAFF_SESSION_IDLE_HOURS,
} from "#shared/schemas/accounts.ts";
import { askedTogether } from "../asked-together.ts";
import { sha256 } from "../keyring.ts";
import { deviceName } from "./accounts.device-names.ts";
import { isSecondFactorRequired } from "./accounts.second-factor.queries.ts";
import {
  deleteSession,
  deleteSessionsBefore,
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
} from "./accounts.session-queries.ts";

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
  sweepExpired(): Promise<void>;
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
    sweepExpired: () => lucia.deleteExpiredSessions(),
  };
}

/**
 * When a session ends that is not used again. Lucia knows one lifetime, which is the students'; staff's, of whom it knows
 * nothing, is shorter and has an end in any case.
 */
export function sessionEnd(
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
  readonly #find: (id: string) => Promise<FoundSession | undefined>;

  constructor(db: Db, readDb: Db, now: () => Date) {
    this.#db = db;
    this.#readDb = readDb;
    this.#now = now;
    this.#find = askedTogether((ids) => findSessions(readDb, ids));
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
    return deleteSessionsBefore(this.#db, this.#now());
  }
}

function toLucia(session: SessionRecord, id: string): DatabaseSession {
  const { id: _, userId, expiresAt, ...attributes } = session;
  return { id, userId, expiresAt, attributes };
}
