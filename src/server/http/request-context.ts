import { isIP } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";
import { getCookie } from "hono/cookie";
import { routePath } from "hono/route";
import { serialize } from "hono/utils/cookie";
import proxyAddr from "proxy-addr";
import { BACKGROUND_HEADER } from "#shared/schemas/accounts.ts";
import type { Config } from "../config.ts";
import type { Actor, BrowserCookie, Context, Deps } from "../context.ts";

/** Adds a response header; REST and tRPC do it in different ways. */
type AppendHeader = (name: string, value: string) => void;

export interface Env {
  Variables: {
    requestId: string;
    /** Of a cached response: that of the handler which made it, not of the middleware which sends it. */
    route?: string;
  };
}

/** Builds the context of one request: its session, address and origins. */
export async function createContext(c: HonoContext<Env>, deps: Deps, append: AppendHeader): Promise<Context> {
  const cookie = browserCookie(c, deps, append, "session");
  return {
    ...deps,
    ...(await resolveSession(deps, cookie, isUse(c))),
    cookie,
    signupCookie: browserCookie(c, deps, append, "signup"),
    deviceCookie: browserCookie(c, deps, append, "device"),
    pendingLogin: browserCookie(c, deps, append, "pending-login"),
    address: callerAddress(c, deps.config),
    isBrowser: c.req.header("origin") !== undefined,
    userAgent: c.req.header("user-agent") ?? "",
    origins: ownOrigins(c, deps),
    requestId: c.get("requestId"),
    uploadName: decodeHeader(c.req.header("x-file-name")),
    contentLength: c.req.header("content-length") ? Number(c.req.header("content-length")) : null,
  };
}

/** Whether a person made the request: live streams reconnect and open pages refresh by themselves. */
function isUse(c: HonoContext): boolean {
  return !c.req.header("accept")?.includes("text/event-stream") && !c.req.header(BACKGROUND_HEADER);
}

async function resolveSession(
  deps: Deps,
  cookie: BrowserCookie,
  isUse: boolean,
): Promise<{ actor: Actor; confirmedAt: Date | null }> {
  const session = cookie.token ? await deps.sessions.resolve(cookie.token, isUse) : null;
  if (!cookie.token || !session) return { actor: { kind: "guest" }, confirmedAt: null };
  const { user, confirmedAt, renewedUntil } = session;
  if (renewedUntil) cookie.set(cookie.token, renewedUntil);
  return { actor: { kind: "user", user }, confirmedAt };
}

/** HttpOnly and SameSite=Lax; under https also Secure, with a name that browsers bind to this host. */
function browserCookie(c: HonoContext, deps: Deps, append: AppendHeader, plainName: string): BrowserCookie {
  const secure = deps.publicUrl().startsWith("https:");
  const name = secure ? `__Host-${plainName}` : plainName;
  const write = (value: string, expires: Date) =>
    append(
      "Set-Cookie",
      serialize(name, value, { path: "/", httpOnly: true, sameSite: "Lax", secure, expires }),
    );
  return {
    token: getCookie(c, name) ?? null,
    set: write,
    clear: () => write("", new Date(0)),
  };
}

/**
 * The caller's address: the last one on the request's way that is no proxy of ours. What stands before it in
 * X-Forwarded-For anybody may have written.
 */
export function callerAddress(c: HonoContext, { isTrustedProxy }: Config): string {
  const { incoming } = c.env as HttpBindings;
  const socketAddress = incoming.socket.remoteAddress;
  if (!socketAddress) return "unknown";
  const address = proxyAddr(incoming, isTrustedProxy);
  return isIP(address) ? address : socketAddress;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}

/** Origins under which people reach this store: the public one, and without one whatever host they asked for. */
export function ownOrigins(c: HonoContext, deps: Pick<Deps, "config" | "publicUrl">): string[] {
  const host = c.req.header("host");
  return deps.config.publicUrl || !host ? [deps.publicUrl()] : [deps.publicUrl(), `http://${host}`];
}

function decodeHeader(value: string | undefined): string | null {
  if (!value) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Measures each request and logs it under its id. Only the route is named, never the address asked for: that may hold
 * a signed link. What changes something or fails is worth a line; what was only read, one at `debug`.
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
