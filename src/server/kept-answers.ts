import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";
import { LRUCache } from "lru-cache";
import type { Deps } from "./context.ts";
import { KeptAnswer } from "./kept-answer.ts";
import type { Env } from "./request-context.ts";
import { endOfTurn } from "./turns.ts";

/** Calls that answer everyone alike, whoever they are logged in as, until shops or prices change. */
const FOR_EVERYONE = /^\/api\/(v1\/prints\/(shopslocation|shopdata)|trpc\/shops\.(list|page|byId))(\?|$)/;
/** Headers of requests that want another shape, or that bring a body, which has to be read or turned away. */
const SPECIAL = ["trpc-accept", "content-length", "transfer-encoding"];
const MAX_URL_LENGTH = 300;
/** Whichever comes first; then the least recently used goes. */
const MAX_ANSWERS = 2000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Answers some reads with the bytes and the headers of the last answer, for as long as the catalogue has not changed. An
 * answer that says anything to one visitor alone is not kept. Each request is measured, logged and named like any other.
 */
export function keptAnswers({ catalogue }: Pick<Deps, "catalogue">) {
  const answers = new LRUCache<string, KeptAnswer>({
    max: MAX_ANSWERS,
    maxSize: MAX_BYTES,
    sizeCalculation: (answer, url) => answer.bytes + url.length,
  });

  return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
    const url = keptUrl(c);
    // Before the answer is made: a change meanwhile makes it one of an older version.
    const version = url === null ? null : await versionOf(catalogue);
    if (url === null || version === null) {
      await next();
      return;
    }
    const isSearch = hasSearchText(url);
    const kept = isSearch ? undefined : answers.get(url);
    if (kept?.version === version) {
      await endOfTurn();
      return kept.send(c);
    }
    await next();
    const answer = await KeptAnswer.of(c, version);
    if (!answer) return;
    if (!isSearch) answers.set(url, answer);
    // Without this Hono would add the headers that are there already.
    c.res = undefined;
    c.res = await answer.send(c);
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

/** What somebody typed is hardly ever asked for again. */
function hasSearchText(url: string): boolean {
  if (!url.includes("search")) return false;
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  return Boolean(query.get("search")?.trim()) || /"search":\s*"\s*[^"\s]/.test(query.get("input") ?? "");
}
