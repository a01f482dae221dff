import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "./context.ts";
import type { Env } from "./request-context.ts";
import { endOfTurn } from "./turns.ts";

/** Calls that answer everyone alike, whoever they are logged in as, until shops or prices change. */
const FOR_EVERYONE = /^\/api\/(v1\/prints\/(shopslocation|shopdata)|trpc\/shops\.(list|page|byId))(\?|$)/;
/** Headers of requests that want another shape, or that bring a body, which has to be read or turned away. */
const SPECIAL = ["trpc-accept", "content-length", "transfer-encoding"];
const MAX_URL_LENGTH = 300;
/** Above it everything is forgotten, and kept anew as it is asked for. */
const MAX_BYTES = 16 * 1024 * 1024;

interface KeptAnswer {
  /** The catalogue's when it was made. */
  version: number;
  route: string;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/**
 * Answers some reads with the bytes and the headers of the last answer, for as long as the catalogue has not changed. An
 * answer that says anything to one visitor alone is not kept. Its request is measured, logged and named like any other.
 */
export function keptAnswers({ catalogue }: Pick<Deps, "catalogue">) {
  const answers = new Map<string, KeptAnswer>();
  let bytes = 0;

  return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
    const url = keptUrl(c);
    // Before the answer is made: a change meanwhile makes it one of an older version.
    const version = url === null ? null : await versionOf(catalogue);
    if (url === null || version === null) {
      await next();
      return;
    }
    const kept = answers.get(url);
    if (kept?.version === version) {
      await endOfTurn();
      return send(c, kept);
    }
    await next();
    const answer = await answerOf(c, version);
    if (!answer) return;
    bytes += answer.body.length - (kept?.body.length ?? 0);
    if (bytes > MAX_BYTES) {
      answers.clear();
      bytes = answer.body.length;
    }
    answers.set(url, answer);
  };
}

/** Null where the database does not answer: whoever makes the answer then says so. */
export async function versionOf(catalogue: Deps["catalogue"]): Promise<number | null> {
  try {
    return await catalogue.version();
  } catch {
    return null;
  }
}

/** What the answer is kept under; null where it is none to keep. */
function keptUrl(c: HonoContext): string | null {
  const { method, url = "", headers } = (c.env as HttpBindings).incoming;
  const isKept = method === "GET" && url.length <= MAX_URL_LENGTH && FOR_EVERYONE.test(url);
  return isKept && SPECIAL.every((name) => headers[name] === undefined) ? url : null;
}

function send(c: HonoContext<Env>, { route, headers, body }: KeptAnswer): Response {
  c.set("route", route);
  const { outgoing } = c.env as HttpBindings;
  outgoing.writeHead(200, [...headers, "X-Request-Id", c.get("requestId")]);
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

async function answerOf(c: HonoContext<Env>, version: number): Promise<KeptAnswer | null> {
  if (c.res.status !== 200 || c.res.headers.has("set-cookie")) return null;
  const body = Buffer.from(await c.res.clone().arrayBuffer());
  const headers = { ...lastingHeaders(c, c.res.headers), "content-length": String(body.length) };
  return { version, route: routePath(c), headers: Object.entries(headers).flat(), body };
}

/** What has been set for this answer already, and these, but for what is its request's own. */
export function lastingHeaders(c: HonoContext, own: Iterable<[string, string]> = []): Record<string, string> {
  const { outgoing } = c.env as HttpBindings;
  const ofEveryAnswer = Object.entries(outgoing.getHeaders()).map(([name, value]) => [name, String(value)]);
  const { "x-request-id": _ofThisRequest, ...lasting } = Object.fromEntries([...ofEveryAnswer, ...own]);
  return lasting;
}
