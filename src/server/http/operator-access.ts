import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext } from "hono";
import type { Context, Deps } from "../context.ts";
import { type Env, isLoopback } from "./request-context.ts";

type ContextOf = (c: HonoContext<Env>) => Promise<Context>;

/** Headers that a proxy adds: the person may then be anywhere. */
const PROXY_HEADER = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/i;

/**
 * Whether the caller may look into the store's mailbox and metrics: an admin, or on a developer's own machine whoever
 * sits at it. In production an address proves nothing: a plain proxy on the same machine looks like a person there.
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
 * True when a person at this machine asks this machine: by its socket, by the name asked for (another one may be
 * a page that turned its own name to this address) and without a proxy between.
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
  const name = URL.parse(`http://${host}`)?.hostname;
  return name === "localhost" || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name ?? "");
}
