import { constants, crc32, createDeflateRaw } from "node:zlib";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "../context.ts";
import type { Env } from "../http/request-context.ts";
import { lastingHeaders, takesGzip, versionOf } from "../http/response-cache.ts";
import { nextTickBarrier } from "../lib/scheduling.ts";
import {
  contentPolicy,
  drawNonce,
  etagOf,
  HTML,
  LOADED_AT,
  NONCE_MARK,
  PUBLIC_PATHS,
  revalidatedBy,
} from "./pages.http.ts";
import type { RenderedPage } from "./renderer.ts";

const KEPT = new Set(PUBLIC_PATHS);

/**
 * The public pages as guests see them, who all see the same: rendered and compressed once for each version of the
 * catalogue. Whoever brings a session's cookie, or asks for anything with a query, has their page rendered.
 */
export class PageCache {
  readonly #catalogue: Deps["catalogue"];
  readonly #pages = new Map<string, KeptPage>();

  constructor(catalogue: Deps["catalogue"]) {
    this.#catalogue = catalogue;
  }

  /**
   * Middleware that answers with the page that is kept, under all of its headers at once. Mount it before what sets
   * those of every answer, and after what measures and names requests.
   */
  answer() {
    return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
      const path = keptPath(c);
      const page = path === null ? undefined : this.#pages.get(path);
      if (!page || page.version !== (await versionOf(this.#catalogue))) {
        await next();
        return;
      }
      await nextTickBarrier();
      return page.send(c);
    };
  }

  /** Renders the page, and keeps it where it is one that every guest sees. */
  async keep(c: HonoContext, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const path = keptPath(c);
    if (path === null) return render();
    // Before it is rendered: a change meanwhile makes it a page of an older version.
    const version = await this.#catalogue.version();
    const rendered = await render();
    if (rendered.status === 200) this.#pages.set(path, await KeptPage.make(c, version, rendered.html));
    return rendered;
  }
}

class KeptPage {
  readonly version: number;
  readonly #route: string;
  readonly #tag: string;
  /** Those that are the same each time, names and values in turn. */
  readonly #headers: readonly string[];
  readonly #text: PatchableText;
  /** What stands in it for the moment when its data were loaded. They are as good as new while the version is. */
  readonly #moments: string[];

  private constructor(
    version: number,
    route: string,
    tag: string,
    headers: readonly string[],
    text: PatchableText,
    moments: string[],
  ) {
    this.version = version;
    this.#route = route;
    this.#tag = tag;
    this.#headers = headers;
    this.#text = text;
    this.#moments = moments;
  }

  static async make(c: HonoContext, version: number, html: string): Promise<KeptPage> {
    const moments = [...new Set(html.match(LOADED_AT))];
    const tag = etagOf(html);
    const { "content-security-policy": _ofOtherAnswers, ...lasting } = lastingHeaders(c);
    const headers = Object.entries({ ...lasting, ...revalidatedBy(tag) }).flat();
    const text = await PatchableText.make(html, [NONCE_MARK, ...moments]);
    return new KeptPage(version, routePath(c), tag, headers, text, moments);
  }

  send(c: HonoContext<Env>): Response {
    const { incoming, outgoing } = c.env as HttpBindings;
    const { headers } = incoming;
    const ours = [...this.#headers, "X-Request-Id", c.get("requestId")];
    c.set("route", this.#route);
    if (headers["if-none-match"]?.includes(this.#tag)) {
      outgoing.writeHead(304, ours).end();
      return RESPONSE_ALREADY_SENT;
    }
    const nonce = drawNonce();
    const patches = this.#patches(nonce);
    const isPacked = takesGzip(headers["accept-encoding"]);
    const body = isPacked ? this.#text.gzipped(patches) : this.#text.plain(patches);
    if (isPacked) ours.push("Content-Encoding", "gzip");
    ours.push("Content-Security-Policy", contentPolicy(nonce));
    ours.push("Content-Type", HTML, "Content-Length", String(body.length));
    outgoing.writeHead(200, ours).end(body);
    // Only then has the system all of it; a connection that breaks off before keeps its copy.
    if (isPacked) outgoing.once("finish", () => this.#text.takeBack(body));
    return RESPONSE_ALREADY_SENT;
  }

  #patches(nonce: string): Record<string, string> {
    const patches = { [NONCE_MARK]: nonce };
    const now = `u:${Date.now()}`;
    for (const moment of this.#moments) patches[moment] = now;
    return patches;
  }
}

/** The path under which the page is kept; null for one that is not. */
function keptPath(c: HonoContext): string | null {
  const { method, url = "", headers } = (c.env as HttpBindings).incoming;
  return method === "GET" && KEPT.has(url) && !headers.cookie?.includes("session") ? url : null;
}

/** A gzip stream without a name or a time; and what ends one: an empty last block, the CRC-32 and the length. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3]);
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);
const TRAILER_BYTES = 8;
/** Enough for all that are on their way at once; more would only lie there. */
const MOST_SPARES = 32;

/** What stands in a copy in place of each mark, as long as the mark. */
export type Patches = Readonly<Record<string, string>>;

/**
 * A text that is compressed once and sent many times, with other words where its marks stand. They are stored in the
 * compressed stream as they are, so that a copy costs no more than writing them there.
 */
export class PatchableText {
  readonly #plain: Buffer;
  readonly #plainHoles: Hole[];
  readonly #gzipped: Buffer;
  readonly #gzipHoles: Hole[];
  readonly #sum: PatchedSum;
  /** Copies that nobody needs any more: only what stands in their holes has to be written anew. */
  readonly #spares: Buffer[] = [];

  private constructor(plain: Buffer, plainHoles: Hole[], gzipped: Buffer, gzipHoles: Hole[]) {
    this.#plain = plain;
    this.#plainHoles = plainHoles;
    this.#gzipped = gzipped;
    this.#gzipHoles = gzipHoles;
    this.#sum = new PatchedSum(plain, plainHoles);
  }

  /** @param marks printable ASCII; none of them a part of another */
  static async make(text: string, marks: readonly string[]): Promise<PatchableText> {
    const plain = Buffer.from(text);
    const holes = marks.flatMap((mark) => holesOf(plain, Buffer.from(mark), mark));
    holes.sort((one, other) => one.at - other.at);
    const filled = Buffer.from(plain);
    for (const { at, mark } of holes) fillerOf(mark, marks.indexOf(mark)).copy(filled, at);
    const gzipped = await compressAround(filled, holes);
    const gzipHoles = marks.flatMap((mark, index) => holesOf(gzipped, fillerOf(mark, index), mark));
    if (gzipHoles.length !== holes.length) throw new Error("What stands in a hole was compressed");
    return new PatchableText(plain, holes, gzipped, gzipHoles);
  }

  plain(patches: Patches): Buffer {
    return patched(copyOf(this.#plain), this.#plainHoles, patches);
  }

  /** Give it back by `takeBack` once it is sent, and not before. */
  gzipped(patches: Patches): Buffer {
    const copy = patched(this.#spares.pop() ?? copyOf(this.#gzipped), this.#gzipHoles, patches);
    copy.writeUInt32LE(this.#sum.of(patches), copy.length - TRAILER_BYTES);
    return copy;
  }

  /** Takes back what `gzipped` gave. It is then overwritten. */
  takeBack(copy: Buffer): void {
    if (this.#spares.length < MOST_SPARES) this.#spares.push(copy);
  }
}

/** Stands for a mark while the text is compressed: no text in UTF-8 has such bytes, so no other part of it refers to them. */
function fillerOf(mark: string, index: number): Buffer {
  return Buffer.alloc(mark.length, 0xfe - index);
}

function holesOf(bytes: Buffer, content: Buffer, mark: string): Hole[] {
  const holes: Hole[] = [];
  for (let at = bytes.indexOf(content); at >= 0; at = bytes.indexOf(content, at + content.length)) {
    holes.push({ at, mark });
  }
  return holes;
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

function patched(copy: Buffer, holes: Hole[], patches: Patches): Buffer {
  for (const { at, mark } of holes) copy.write(patches[mark] ?? mark, at, "latin1");
  return copy;
}

/** Compresses all but the holes; the sum at the end is left out. */
async function compressAround(text: Buffer, holes: Hole[]): Promise<Buffer> {
  const stream = createDeflateRaw({ level: constants.Z_BEST_COMPRESSION });
  const chunks: Buffer[] = [GZIP_HEADER];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const write = async (bytes: Buffer, level: number) => {
    await called((done) => stream.params(level, constants.Z_DEFAULT_STRATEGY, done));
    await called((done) => stream.write(bytes, done));
    await called((done) => stream.flush(constants.Z_SYNC_FLUSH, () => done(null)));
  };
  let end = 0;
  for (const { at, mark } of holes) {
    await write(text.subarray(end, at), constants.Z_BEST_COMPRESSION);
    end = at + mark.length;
    await write(text.subarray(at, end), constants.Z_NO_COMPRESSION);
  }
  await write(text.subarray(end), constants.Z_BEST_COMPRESSION);
  stream.close();
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(text.length, 4);
  return Buffer.concat([...chunks, LAST_BLOCK, trailer]);
}

function called(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    act((error) => (error ? reject(error) : resolve()));
  });
}

/** Where a mark stands in a text, in bytes. */
interface Hole {
  at: number;
  mark: string;
}

/**
 * The CRC-32 of a text in whose holes something else stands, without a look at the text. The sum is linear: each bit by
 * which the sum of what stands in a hole differs changes the same bits of the text's, whatever else is in it.
 */
class PatchedSum {
  readonly #plain: number;
  readonly #changes = new Map<string, Change>();

  constructor(text: Buffer, holes: readonly Hole[]) {
    this.#plain = crc32(text);
    const zeros = Buffer.alloc(text.length);
    for (const [mark, places] of Map.groupBy(holes, (hole) => hole.mark)) {
      const ends = places.map(({ at }) => at + mark.length);
      this.#changes.set(mark, { sum: crc32(mark), bits: bitsChanged(zeros, ends) });
    }
  }

  /** @param patches what stands in the holes of each mark, as long as the mark */
  of(patches: Readonly<Record<string, string>>): number {
    let sum = this.#plain;
    for (const [mark, change] of this.#changes) {
      let difference = crc32(patches[mark] ?? mark) ^ change.sum;
      for (const bits of change.bits) {
        if (difference & 1) sum ^= bits;
        difference >>>= 1;
      }
    }
    return sum >>> 0;
  }
}

interface Change {
  /** The mark's own. */
  sum: number;
  /** What of the text's sum changes with each bit of the sum of what stands in the mark's place, the lowest first. */
  bits: number[];
}

/** Lets each bit run from where it comes in, at the ends of the holes, through what follows to the text's end. */
function bitsChanged(zeros: Buffer, ends: readonly number[]): number[] {
  return Array.from({ length: 32 }, (_, bit) => {
    let sum = 0;
    let at = 0;
    for (const end of ends) {
      sum = passed(sum, zeros.subarray(at, end)) ^ (1 << bit);
      at = end;
    }
    return passed(sum, zeros.subarray(at));
  });
}

/** What becomes of a difference between two sums while the same bytes, it does not matter which, are added to both. */
function passed(difference: number, bytes: Buffer): number {
  return crc32(bytes, difference >>> 0) ^ crc32(bytes, 0);
}
