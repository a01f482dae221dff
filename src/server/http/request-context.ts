import { isIP, isIPv4 } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext, Next } from "hono";
import { getCookie } from "hono/cookie";
import { routePath } from "hono/route";
import { serialize } from "hono/utils/cookie";
import proxyAddr from "proxy-addr";
import { BACKGROUND_HEADER, USER_HEADER } from "#shared/calls.ts";
import type { Config } from "../config.ts";
import type { BrowserCookie, Context, Deps } from "../context.ts";

/** Plain name of the cookie that holds the session's token. */
export const SESSION_COOKIE = "session";

/** Adds a response header; REST and tRPC do it in different ways. */
type AppendHeader = (name: string, value: string) => void;

export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /**
     * Route for the log and the metrics. A cached response is sent by a middleware, which sets the route of the handler that
     * created it.
     */
    route?: string;
  };
}

/** `createContext` with the parts of the server. */
export type ContextOf = (c: HonoContext<Env>) => Promise<Context>;

/** Creates the context of one request: its session, address and origins. */
export async function createContext(c: HonoContext<Env>, deps: Deps, append: AppendHeader): Promise<Context> {
  const cookie = browserCookie(c, deps, append, SESSION_COOKIE);
  const visitCookie = browserCookie(c, deps, append, "visit");
  const findCaller = () => resolveCaller(c, deps, { cookie, visitCookie });
  return {
    ...deps,
    ...(await findCaller()),
    findCaller,
    cookie,
    visitCookie,
    signupCookie: browserCookie(c, deps, append, "signup"),
    deviceCookie: browserCookie(c, deps, append, "device"),
    pendingLogin: browserCookie(c, deps, append, "pending-login"),
    address: callerAddress(c, deps.config),
    isBrowser: c.req.header("origin") !== undefined,
    userAgent: c.req.header("user-agent") ?? "",
    origins: ownOrigins(c, deps),
    requestId: c.get("requestId"),
    uploadName: null,
    uploadFields: new Map(),
    contentLength: c.req.header("content-length") ? Number(c.req.header("content-length")) : null,
  };
}

/**
 * Whether a person caused the request, which keeps the session alive: live streams reconnect and open pages refresh by
 * themselves.
 */
function isUserActivity(c: HonoContext): boolean {
  return !c.req.header("accept")?.includes("text/event-stream") && !c.req.header(BACKGROUND_HEADER);
}

type Caller = Pick<Context, "actor" | "confirmedAt">;

const GUEST: Caller = { actor: { kind: "guest" }, confirmedAt: null };

/**
 * A session comes before a visit: whoever is logged in acts for their account only. A page that says whom it belongs to acts
 * for nobody else.
 */
async function resolveCaller(
  c: HonoContext,
  deps: Deps,
  { cookie, visitCookie }: Pick<Context, "cookie" | "visitCookie">,
): Promise<Caller> {
  const caller = await resolveSession(deps, cookie, isUserActivity(c));
  const owner = c.req.header(USER_HEADER);
  if (owner !== undefined)
    return caller.actor.kind === "user" && caller.actor.user._id === owner ? caller : GUEST;
  if (caller.actor.kind === "user" || !visitCookie.token) return caller;
  return { actor: (await deps.visits.resolve(visitCookie.token)) ?? caller.actor, confirmedAt: null };
}

async function resolveSession(deps: Deps, cookie: BrowserCookie, isUserActivity: boolean): Promise<Caller> {
  const session = cookie.token ? await deps.sessions.resolve(cookie.token, isUserActivity) : null;
  if (!cookie.token || !session) return GUEST;
  const { user, confirmedAt, renewedUntil } = session;
  if (renewedUntil) cookie.set(cookie.token, renewedUntil);
  return { actor: { kind: "user", user }, confirmedAt };
}

/** Under https with the `__Host-` prefix, which binds the cookie to this host. */
export function cookieName(plainName: string, isHttps: boolean): string {
  return isHttps ? `__Host-${plainName}` : plainName;
}

/** HttpOnly and SameSite=Lax, and under https also Secure. */
function browserCookie(c: HonoContext, deps: Deps, append: AppendHeader, plainName: string): BrowserCookie {
  const secure = deps.publicUrl().startsWith("https:");
  const name = cookieName(plainName, secure);
  const write = (value: string, expires: Date | null) =>
    append(
      "Set-Cookie",
      serialize(name, value, {
        path: "/",
        httpOnly: true,
        sameSite: "Lax",
        secure,
        ...(expires && { expires }),
      }),
    );
  return {
    token: getCookie(c, name) ?? null,
    set: write,
    clear: () => write("", new Date(0)),
  };
}

/**
 * The caller's IP address: the last one on the request's way (X-Forwarded-For, then the socket) that is not a trusted proxy.
 * Clients can forge the entries before it.
 */
export function callerAddress(c: HonoContext, { isTrustedProxy }: Config): string {
  const { incoming } = c.env;
  const socketAddress = incoming.socket.remoteAddress;
  if (!socketAddress) return "unknown";
  const address = proxyAddr(incoming, isTrustedProxy);
  return isIP(address) ? address : socketAddress;
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}

/** Origins under which this store is reached: the public one and, if PUBLIC_URL is not set, the requested host. */
export function ownOrigins(c: HonoContext, deps: Pick<Deps, "config" | "publicUrl">): string[] {
  const host = c.req.header("host");
  return deps.config.publicUrl || !host ? [deps.publicUrl()] : [deps.publicUrl(), `http://${host}`];
}

/**
 * Measures and logs each request. It logs the route and not the URL, which may contain a signed link; successful reads are
 * logged at `debug`, everything else at `info`.
 */
export function requestLog({ log, metrics }: Pick<Deps, "log" | "metrics">) {
  return async (c: HonoContext<Env>, next: Next) => {
    const start = performance.now();
    await next();
    const ms = performance.now() - start;
    const facts = { method: c.req.method, route: c.get("route") ?? routePath(c), status: c.res.status };
    metrics.observeRequest(facts, ms);
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const level = facts.status < 400 && isRead ? "debug" : "info";
    log[level]({ requestId: c.get("requestId"), ...facts, ms: Math.round(ms) }, "request");
  };
}

/** Headers that a proxy adds: the client may then be on another machine. */
const PROXY_HEADER = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/i;

/**
 * Whether the caller may see the store's mailbox and metrics: an admin or, outside production, anyone on the same machine.
 * In production a loopback address proves nothing, because a reverse proxy on that machine has one too.
 */
export async function isOperator(
  c: HonoContext<Env>,
  { config, publicUrl }: Pick<Deps, "config" | "publicUrl">,
  contextOf: ContextOf,
): Promise<boolean> {
  return (!config.isProduction && comesFromThisMachine(c, publicUrl())) || isAdmin(c, contextOf);
}

export async function isAdmin(c: HonoContext<Env>, contextOf: ContextOf): Promise<boolean> {
  const { actor } = await contextOf(c);
  return actor.kind === "user" && actor.user.role === "admin";
}

/**
 * Whether a request comes directly from this machine: loopback socket, loopback Host header and no proxy headers. The Host
 * is checked because of DNS rebinding: a page on another name can make that name resolve to this address.
 */
function comesFromThisMachine(c: HonoContext, publicUrl: string): boolean {
  const socketAddress = getConnInfo(c).remote.address ?? "";
  return (
    isLoopback(socketAddress) &&
    isLoopbackHost(c.req.header("host")) &&
    isLoopbackHost(new URL(publicUrl).host) &&
    !Object.keys(c.req.header()).some((name) => PROXY_HEADER.test(name))
  );
}

function isLoopbackHost(host: string | undefined): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && isLoopback(name));
}
