import { randomUUID } from "node:crypto";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { Db } from "#db/open.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { askedTogether } from "../asked-together.ts";
import { sha256 } from "../keyring.ts";
import { deviceName } from "./accounts.device-names.ts";
import {
  confirmSession,
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  extendSession,
  type FoundSession,
  findSessions,
  findSessionsOf,
  insertSession,
  markSeen,
  type SessionOwner,
  type SessionRecord,
} from "./accounts.session-queries.ts";

type SessionMarks = Pick<SessionRecord, "publicId" | "device" | "lastSeenAt" | "confirmedAt">;

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionMarks, SessionOwner>;
    DatabaseUserAttributes: SessionOwner;
    DatabaseSessionAttributes: SessionMarks;
  }
}

/** When a session was last used is written down so seldom that reading a page stays reading. */
const SEEN_EVERY_MS = 5 * 60 * 1000;

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
  create(userId: string, userAgent: string, isConfirmed: boolean): Promise<NewSession>;
  /** A living session, or null. */
  resolve(token: string): Promise<ResolvedSession | null>;
  /** Notes that the person of a session has just proved again that it is them. */
  confirm(token: string): Promise<void>;
  end(token: string): Promise<void>;
  sweepExpired(): Promise<void>;
}

/** The id under which the caller's own session is stored. */
export function currentSessionId({ cookie }: { cookie: { token: string | null } }): string {
  return sha256(cookie.token ?? "");
}

export function createSessionStore(db: Db, readDb: Db, now: () => Date): SessionStore {
  const lucia = new Lucia(new HashedSessionAdapter(db, readDb, now), {
    sessionExpiresIn: new TimeSpan(30, "d"),
    getUserAttributes: (owner) => owner,
    getSessionAttributes: (marks) => marks,
  });
  return {
    async create(userId, userAgent, isConfirmed) {
      const device = deviceName(userAgent);
      const session = await lucia.createSession(userId, {
        publicId: randomUUID(),
        device,
        lastSeenAt: now(),
        confirmedAt: isConfirmed ? now() : null,
      });
      return { token: session.id, expiresAt: session.expiresAt };
    },
    async resolve(token) {
      const { session, user } = await lucia.validateSession(token);
      if (!session) return null;
      const before = new Date(now().getTime() - SEEN_EVERY_MS);
      if (session.lastSeenAt <= before) await markSeen(db, sha256(token), { at: now(), before });
      const { id, email, phone, fullName, role } = user;
      return {
        user: { _id: id, email, phone, fullName, role },
        confirmedAt: session.confirmedAt,
        renewedUntil: session.fresh ? session.expiresAt : null,
      };
    },
    confirm: (token) => confirmSession(db, sha256(token), now()),
    end: (token) => lucia.invalidateSession(token),
    sweepExpired: () => lucia.deleteExpiredSessions(),
  };
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
    return insertSession(this.#db, { id: sha256(id), userId, expiresAt, ...attributes }, this.#now());
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
  const { userId, expiresAt, publicId, device, lastSeenAt, confirmedAt } = session;
  return { id, userId, expiresAt, attributes: { publicId, device, lastSeenAt, confirmedAt } };
}
