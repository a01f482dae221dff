import { promisify } from "node:util";
import { constants, gzip as gzipWithCallback } from "node:zlib";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext } from "hono";
import { routePath } from "hono/route";
import type { Env } from "./request-context.ts";

const gzip = promisify(gzipWithCallback);

const BEST = { level: constants.Z_BEST_COMPRESSION };
/** What fits into one packet anyway is sent as it is. */
const WORTH_PACKING_BYTES = 1024;
/** What the objects of an answer take beside their texts. */
const OVERHEAD_BYTES = 2048;
/** What is short is kept as text of one byte a character, which goes to the system in one piece with the headers. */
const ONE_BYTE = "latin1";

/** An answer that is the same for everyone, to be sent again as it was made, or packed where the client takes that. */
export class KeptAnswer {
  /** The catalogue's when it was made. */
  readonly version: number;
  readonly #body: Buffer;
  readonly #route: string;
  /** Names and values in turn. */
  readonly #headers: readonly string[];
  #packed: Promise<string> | undefined;

  private constructor(version: number, body: Buffer, route: string, headers: readonly string[]) {
    this.version = version;
    this.#body = body;
    this.#route = route;
    this.#headers = headers;
  }

  /** Of the answer that has just been made; null where it is a failure, or says anything to one visitor alone. */
  static async of(c: HonoContext<Env>, version: number): Promise<KeptAnswer | null> {
    if (c.res.status !== 200 || c.res.headers.has("set-cookie")) return null;
    const body = Buffer.from(await c.res.clone().arrayBuffer());
    const { "content-length": _ofTheUnpacked, ...headers } = lastingHeaders(c, c.res.headers);
    const all = { ...headers, vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ") };
    return new KeptAnswer(version, body, routePath(c), Object.entries(all).flat());
  }

  /** What it takes in memory: its headers, and its body twice, for it may also be packed. */
  get bytes(): number {
    const headers = this.#headers.reduce((sum, text) => sum + text.length, 0);
    return OVERHEAD_BYTES + headers + 2 * this.#body.length;
  }

  async send(c: HonoContext<Env>): Promise<Response> {
    const { incoming, outgoing } = c.env as HttpBindings;
    const isPacked =
      this.#body.length >= WORTH_PACKING_BYTES && takesGzip(incoming.headers["accept-encoding"]);
    const body = isPacked ? await this.#pack() : this.#body;
    const headers = [...this.#headers, "X-Request-Id", c.get("requestId")];
    if (isPacked) headers.push("Content-Encoding", "gzip");
    headers.push("Content-Length", String(body.length));
    c.set("route", this.#route);
    outgoing.writeHead(200, headers).end(body, ONE_BYTE);
    return RESPONSE_ALREADY_SENT;
  }

  #pack(): Promise<string> {
    this.#packed ??= gzip(this.#body, BEST).then((packed) => packed.toString(ONE_BYTE));
    return this.#packed;
  }
}

/** Whether a client does whose Accept-Encoding this is. */
export function takesGzip(accepted = ""): boolean {
  return /\bgzip\b/.test(accepted);
}

/** What has been set for this answer already, and these, but for what is its request's own. */
export function lastingHeaders(c: HonoContext, own: Iterable<[string, string]> = []): Record<string, string> {
  const { outgoing } = c.env as HttpBindings;
  const ofEveryAnswer = Object.entries(outgoing.getHeaders()).map(([name, value]) => [name, String(value)]);
  const { "x-request-id": _ofThisRequest, ...lasting } = Object.fromEntries([...ofEveryAnswer, ...own]);
  return lasting;
}
