import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext } from "hono";
import { isLoopback } from "./request-context.ts";

/** Headers that a proxy adds: the person may then be anywhere. */
const PROXY_HEADER = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/i;

/**
 * True when a person at this machine asks this machine: by its socket, by the name asked for (another one may be
 * a page that turned its own name to this address) and without a proxy between. A store that is published under
 * another name is never asked so, for a proxy need not show in the headers.
 */
export function comesFromThisMachine(c: HonoContext, publicUrl: string): boolean {
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
