import { constants, createDeflateRaw } from "node:zlib";
import { type Hole, PatchedSum } from "./pages.patched-sum.ts";

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
