import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Student } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";

/** A request exactly as written, valid or not. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  ms: number;
}

/** Limit for a response, even on a slow machine. */
const LIMIT_MS = 15_000;

/** Node refuses headers above 16 kB, including the request line. */
const LONGEST_URL = 3000;
const LONGEST_HEADER = 3000;

/** Sends what a browser's fetch would refuse: any method with a body, odd headers and paths. */
export class RawClient {
  readonly #baseUrl: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Throws if no complete response comes in time. Of an endless response it reads the beginning. */
  async send({ method, path, headers, body }: RawRequest, cookie = ""): Promise<RawAnswer> {
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
    const { hostname, port } = new URL(this.#baseUrl);
    const sent = request({
      hostname,
      port,
      path: inUrl(path),
      method,
      agent: this.#agent,
      headers: {
        ...(cookie && { Cookie: cookie }),
        ...sendable(headers),
        ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
      },
    });
    const limit = setTimeout(() => sent.destroy(new Error(`no answer in ${LIMIT_MS} ms`)), LIMIT_MS);
    sent.on("error", reject);
    sent.on("response", async (response) => {
      try {
        const text = await readText(response);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          ms: performance.now() - startedAt,
        });
      } catch (error) {
        reject(error);
      }
    });
    sent.end(body);
    return promise.finally(() => clearTimeout(limit));
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const isEndless = response.headers["content-type"]?.startsWith("text/event-stream");
  const parts: Buffer[] = [];
  for await (const part of response) {
    parts.push(part);
    if (isEndless) break;
  }
  const bytes = Buffer.concat(parts);
  const unpack = UNPACKED_BY[response.headers["content-encoding"] ?? ""];
  return (unpack ? unpack(bytes) : bytes).toString("utf8");
}

const UNPACKED_BY: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

function sendable(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, onTheWire(value).slice(0, LONGEST_HEADER)]),
  );
}

/** Text as UTF-8 bytes, one character each, without characters that no HTTP client can send in a header. */
function onTheWire(text: string): string {
  const bytes = Buffer.from(text, "utf8").filter((byte) => byte >= 0x20 && byte !== 0x7f);
  return Buffer.from(bytes).toString("latin1");
}

/** Percent-encodes what HTTP does not allow in a request line; a stray `%` stays. */
function inUrl(text: string): string {
  return onTheWire(text)
    .slice(0, LONGEST_URL)
    .replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

export type Send = (request: RawRequest) => Promise<RawAnswer>;

/** Sends with a person's session, and logs in again if a call has ended it. */
export function sendAs(client: RawClient, visitor: ApiClient, person: Student): Send {
  return async (request) => {
    const answer = await client.send(request, visitor.cookieHeader);
    if (answer.headers["set-cookie"]) await visitor.post("/api/v1/users/login", person);
    return answer;
  };
}
