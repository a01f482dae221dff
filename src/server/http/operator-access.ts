import { isIPv4 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext } from "hono";
import type { Deps } from "../context.ts";
import { type ContextOf, type Env, isLoopback } from "./request-context.ts";

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
