import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import type { Context, Deps } from "#server/context.ts";
import { createContext, type Env, requestLog } from "#server/http/request-context.ts";
import { BACKGROUND_HEADER, USER_HEADER } from "#shared/calls.ts";

const SOON = new Date("2026-11-21T09:30:00.000Z");
const ASHA = { _id: "asha" };

interface Asking {
  headers?: Record<string, string>;
  remoteAddress?: string | undefined;
  https?: boolean;
}

/** What the store knows of this request: Asha's session is s1, and v1 is a visit. */
async function contextOf({ headers = {}, https = false, ...asking }: Asking) {
  const { remoteAddress } = { remoteAddress: "192.0.2.1", ...asking };
  const activity: boolean[] = [];
  const publicUrl = https ? "https://print.example" : null;
  const deps = {
    config: { publicUrl, isTrustedProxy: (address: string) => address === "192.0.2.100" },
    publicUrl: () => publicUrl ?? "http://localhost:8080",
    sessions: {
      async resolve(token: string, isUserActivity: boolean) {
        activity.push(isUserActivity);
        const renewedUntil = token === "renewed" ? SOON : null;
        return token === "gone" ? null : { user: ASHA, confirmedAt: SOON, renewedUntil };
      },
    },
    visits: {
      resolve: async (token: string) => (token === "v1" ? { kind: "visitor", visit: { id: "v1" } } : null),
    },
  } as unknown as Deps;
  const app = new Hono<Env>();
  const set: string[] = [];
  let context: Context | undefined;
  app.all("*", async (c) => {
    c.set("requestId", "r1");
    context = await createContext(c, deps, (name, value) => set.push(`${name}: ${value}`));
    return c.text("done");
  });
  const incoming = { headers, socket: { remoteAddress } };
  await app.request("/", { method: "POST", headers }, { incoming });
  if (!context) throw new Error("There is no context");
  return { context, set, activity };
}

const actorOf = async (headers: Record<string, string>) => (await contextOf({ headers })).context.actor;
const GUEST = { kind: "guest" };

describe("whose request it is", () => {
  test("the cookie of a session says, together with when its user was last confirmed", async () => {
    const { context, set } = await contextOf({ headers: { cookie: "session=s1" } });
    expect(context).toMatchObject({ actor: { kind: "user", user: ASHA }, confirmedAt: SOON });
    expect(set).toEqual([]);
  });

  test("nobody can say without a session, or by one that has ended", async () => {
    const [without, ended] = [await contextOf({}), await contextOf({ headers: { cookie: "session=gone" } })];
    for (const { context } of [without, ended])
      expect(context).toMatchObject({ actor: GUEST, confirmedAt: null });
    expect([without, ended].map(({ activity }) => activity.length)).toEqual([0, 1]);
  });

  test("a visit says where there is no session, and only there", async () => {
    expect(await actorOf({ cookie: "visit=v1" })).toMatchObject({ kind: "visitor" });
    expect(await actorOf({ cookie: "visit=v1; session=gone" })).toMatchObject({ kind: "visitor" });
    expect(await actorOf({ cookie: "visit=ended" })).toEqual(GUEST);
    const both = await contextOf({ headers: { cookie: "visit=v1; session=s1" } });
    expect(both.context).toMatchObject({ actor: { user: ASHA }, confirmedAt: SOON });
  });

  test("a page that was loaded for one account acts for no other, nor for a visit", async () => {
    expect(await actorOf({ cookie: "session=s1", [USER_HEADER]: "asha" })).toMatchObject({ user: ASHA });
    expect(await actorOf({ cookie: "session=s1", [USER_HEADER]: "ravi" })).toEqual(GUEST);
    expect(await actorOf({ cookie: "visit=v1", [USER_HEADER]: "asha" })).toEqual(GUEST);
    expect(await actorOf({ [USER_HEADER]: "" })).toEqual(GUEST);
  });
});

test("what pages do by themselves does not keep a session alive, what people do does", async () => {
  const keepsAlive = async (headers: Record<string, string>) =>
    (await contextOf({ headers: { cookie: "session=s1", ...headers } })).activity;
  expect(await keepsAlive({})).toEqual([true]);
  expect(await keepsAlive({ accept: "application/json" })).toEqual([true]);
  expect(await keepsAlive({ accept: "text/event-stream, */*" })).toEqual([false]);
  expect(await keepsAlive({ [BACKGROUND_HEADER]: "1" })).toEqual([false]);
});

describe("a cookie", () => {
  test("of a session that was renewed is sent again with its new end", async () => {
    const { set } = await contextOf({ headers: { cookie: "session=renewed" } });
    expect(set).toEqual([
      "Set-Cookie: session=renewed; Path=/; Expires=Sat, 21 Nov 2026 09:30:00 GMT; HttpOnly; SameSite=Lax",
    ]);
  });

  test("is set and cleared for the whole site, out of reach of scripts and of other sites", async () => {
    const { context, set } = await contextOf({ https: true });
    context.deviceCookie.set("d1", SOON);
    context.signupCookie.clear();
    const attributes = "HttpOnly; Secure; SameSite=Lax";
    expect(set).toEqual([
      `Set-Cookie: __Host-device=d1; Path=/; Expires=Sat, 21 Nov 2026 09:30:00 GMT; ${attributes}`,
      `Set-Cookie: __Host-signup=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes}`,
    ]);
  });

  test("is read under its own name", async () => {
    const cookie = "session=s1; visit=v1; signup=u1; device=d1; pending-login=p1";
    const { context } = await contextOf({ headers: { cookie } });
    const { cookie: session, visitCookie, signupCookie, deviceCookie, pendingLogin } = context;
    const cookies = [session, visitCookie, signupCookie, deviceCookie, pendingLogin];
    expect(cookies.map(({ token }) => token)).toEqual(["s1", "v1", "u1", "d1", "p1"]);
    expect((await contextOf({})).context.cookie.token).toBeNull();
  });
});

test("the caller's address is the last one that is no trusted proxy", async () => {
  const addressOf = async (asking: Asking) => (await contextOf(asking)).context.address;
  const forwarded = { "x-forwarded-for": "203.0.113.9, 198.51.100.7" };
  expect(await addressOf({})).toBe("192.0.2.1");
  expect(await addressOf({ headers: forwarded })).toBe("192.0.2.1");
  expect(await addressOf({ headers: forwarded, remoteAddress: "192.0.2.100" })).toBe("198.51.100.7");
  const invalid = { "x-forwarded-for": "somebody" };
  expect(await addressOf({ headers: invalid, remoteAddress: "192.0.2.100" })).toBe("192.0.2.100");
  expect(await addressOf({ remoteAddress: undefined })).toBe("unknown");
});

test("the store's own origins are its public one and, where none is set, the requested host", async () => {
  const originsOf = async (asking: Asking) => (await contextOf(asking)).context.origins;
  const headers = { host: "192.168.1.5:8080" };
  expect(await originsOf({ headers })).toEqual(["http://localhost:8080", "http://192.168.1.5:8080"]);
  expect(await originsOf({ headers, https: true })).toEqual(["https://print.example"]);
  expect(await originsOf({})).toEqual(["http://localhost:8080"]);
});

test("a request's browser, program and length are known where it tells them", async () => {
  const headers = { origin: "http://localhost:8080", "user-agent": "Firefox", "content-length": "0" };
  const told = { isBrowser: true, userAgent: "Firefox", contentLength: 0, requestId: "r1" };
  expect((await contextOf({ headers })).context).toMatchObject(told);
  const untold = { isBrowser: false, userAgent: "", contentLength: null };
  expect((await contextOf({})).context).toMatchObject(untold);
});

describe("the log of a request", () => {
  /** The level and the facts of the line, and what was counted. */
  async function logged(method: string, path: string) {
    const lines: unknown[] = [];
    const counted: [object, number][] = [];
    const write = (level: string) => (facts: object, text: string) => lines.push([level, facts, text]);
    const log = { debug: write("debug"), info: write("info") };
    const metrics = { observeRequest: (labels: object, ms: number) => counted.push([labels, ms]) };
    const app = new Hono<Env>();
    app.use(async (c, next) => {
      c.set("requestId", "r1");
      await next();
    });
    app.use(requestLog({ log, metrics } as unknown as Deps));
    app.get("/files/:id", (c) => c.text("file"));
    app.get("/cached", (c) => {
      c.set("route", "/shops");
      return c.text("shops");
    });
    app.get("/refused", (c) => c.text("no", 400));
    app.post("/orders", (c) => c.text("placed"));
    const start = performance.now();
    await app.request(path, { method });
    const most = performance.now() - start;
    expect(counted).toEqual([[expect.anything(), expect.toSatisfy((ms) => ms >= 0 && ms <= most)]]);
    return { line: lines[0], labels: counted[0]?.[0] };
  }

  test.each([
    ["GET", "/files/secret?signature=abc", "debug", "/files/:id", 200],
    ["HEAD", "/files/secret", "debug", "/files/:id", 200],
    ["GET", "/cached", "debug", "/shops", 200],
    ["GET", "/refused", "info", "/refused", 400],
    ["POST", "/orders", "info", "/orders", 200],
  ])(
    "names the route, not the URL, and is quiet of reads that succeed: %s %s",
    async (method, path, level, route, status) => {
      const { line, labels } = await logged(method, path);
      const facts = { method, route, status };
      expect(labels).toEqual(facts);
      expect(line).toEqual([level, { requestId: "r1", ...facts, ms: expect.any(Number) }, "request"]);
    },
  );
});
