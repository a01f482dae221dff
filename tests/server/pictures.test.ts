import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import sharp, { type JpegOptions } from "sharp";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Context } from "#server/context.ts";
import { AppError } from "#server/errors.ts";
import { createMalwareScanner } from "#server/files/malware-scanner.ts";
import { createDiskStore } from "#server/files/storage/file-store.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { type PictureType, receivePicture, reencode } from "#server/http/pictures.ts";
import { createLog } from "#server/lib/log.ts";
import { pngChunk, sidewaysPhoto } from "../factories/photos.ts";
import { tempFolder } from "../setup/temporary.ts";

test("accounts take turns encoding photos, and one with too many is refused before its next is read", async () => {
  const folder = await tempFolder();
  const path = join(folder, "photo.jpg");
  await writeFile(path, await sidewaysPhoto());
  const order: string[] = [];
  let [running, most] = [0, 0];
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const encode = (account: string, name: string, until?: Promise<void>) =>
    reencode({ path, account }, ["image/jpeg"], async () => {
      begun.resolve();
      most = Math.max(most, ++running);
      await until;
      await setTimeout(1);
      order.push(name);
      running--;
    });
  const first = encode("a", "a1", held.promise);
  await Promise.race([begun.promise, first]);
  const others = [
    ...["a2", "a3", "a4", "a5", "a6", "a7"].map((name) => encode("a", name)),
    encode("b", "b1"),
  ];
  const refusal = { code: "RATE_LIMITED", message: expect.stringContaining("Too many of your photos") };
  await expect(encode("a", "a8")).rejects.toMatchObject(refusal);
  let reads = 0;
  const body = new ReadableStream<Uint8Array>({ pull: () => void reads++ }, { highWaterMark: 0 });
  const scanner = createMalwareScanner(null, createLog("silent"));
  const [files, diskSpace] = [await createDiskStore(folder), new DiskSpace(folder, 0)];
  const server = { scanner, files, diskSpace, contentLength: null };
  await expect(receivePicture(server, body, "a", async () => {})).rejects.toMatchObject(refusal);
  expect(reads).toBe(0);
  held.resolve();
  await Promise.all([first, ...others]);
  expect(order).toEqual(["a1", "b1", "a2", "a3", "a4", "a5", "a6", "a7"]);
  expect(most).toBe(1);
});

test("eight photos of all accounts wait, and the newest of a ninth account is refused", async () => {
  const path = join(await tempFolder(), "photo.jpg");
  await writeFile(path, await sidewaysPhoto());
  const held = Promise.withResolvers<void>();
  const encode = () =>
    reencode({ path, account: crypto.randomUUID() }, ["image/jpeg"], () => held.promise).then(
      () => "encoded",
      ({ code }) => code,
    );
  const photos = Array.from({ length: 10 }, encode);
  const late = await Promise.race(photos);
  held.resolve();
  expect([late, await Promise.all(photos)]).toEqual([
    "RATE_LIMITED",
    [...Array.from({ length: 9 }, () => "encoded"), "RATE_LIMITED"],
  ]);
});

test("an account's photos may take five minutes in an hour; then the next is refused until time has passed", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(await tempFolder(), "photo.jpg");
  await writeFile(path, await sidewaysPhoto());
  const account = crypto.randomUUID();
  const encodeFor = (ms: number) =>
    reencode({ path, account }, ["image/jpeg"], async () => void vi.advanceTimersByTime(ms));
  // A twelfth of the time that passes comes back.
  await encodeFor(5 * 60_000);
  await encodeFor(27_000);
  await encodeFor(1000);
  await expect(encodeFor(0)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  vi.advanceTimersByTime(60_000);
  await encodeFor(0);
});

describe("a picture", () => {
  const ALL: PictureType[] = ["image/png", "image/jpeg", "image/webp"];
  const factsOf = async (bytes: Uint8Array, types = ALL) => {
    const path = join(await tempFolder(), "picture");
    await writeFile(path, bytes);
    return reencode({ path, account: "asha" }, types, (image) => image.metadata());
  };
  const read = async (bytes: Uint8Array, types = ALL) => (await factsOf(bytes, types)).format;

  test("is read in any of the wanted types", async () => {
    const image = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
    expect(await read(await image.clone().png().toBuffer())).toBe("png");
    expect(await read(await image.clone().jpeg().toBuffer())).toBe("jpeg");
    expect(await read(await image.clone().webp().toBuffer())).toBe("webp");
  });

  test("of another type is refused with the names of the wanted ones", async () => {
    const refusal = (names: string) => ({
      code: "UNSUPPORTED_TYPE",
      message: `This is not a picture. Please choose a ${names} file`,
    });
    await expect(read(Buffer.from("a text"))).rejects.toMatchObject(refusal("PNG, JPEG or WebP"));
    await expect(read(pngOf(4, 4), ["image/jpeg"])).rejects.toMatchObject(refusal("JPEG"));
  });

  test("that claims more than 120 million pixels is refused before it is decoded", async () => {
    expect(await read(pngOf(10_000, 12_000))).toBe("png");
    await expect(read(pngOf(10_001, 12_000))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("cannot be read"),
      cause: { message: expect.stringContaining("pixel limit") },
    });
  });

  test.each([
    ["an interlaced PNG of 16 bits", (side: number) => deepPngOf(side, 7000), 7200],
    ["a progressive JPEG", (side: number) => jpegOf(side, 8000, { progressive: true }), 8400],
    ["a WebP", (side: number) => webpOf(side, 10_000), 10_100],
  ])("that takes more than 400 MB to decode is refused before that: %s", async (_what, pictureOf, side) => {
    expect(await read(await pictureOf(side - 100))).toMatch(/png|jpeg|webp/);
    await expect(read(await pictureOf(side))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: "The picture is too large to read. Please save it with fewer pixels, or choose another one",
    });
  });

  test("that is wider or higher than 30,000 pixels is refused, because making it smaller would take gigabytes", async () => {
    expect(await read(pngOf(30_000, 100))).toBe("png");
    for (const picture of [pngOf(30_001, 100), pngOf(100, 30_001)])
      await expect(read(picture)).rejects.toMatchObject({ code: "UNREADABLE_FILE" });
  });

  test("of the largest cameras is read", async () => {
    expect(await read(await jpegOf(12_000, 9000))).toBe("jpeg");
  });

  test("is read without its texts, which may unpack to gigabytes, but turned as its camera says", async () => {
    const picture = await small().withMetadata({ orientation: 6 }).png().toBuffer();
    const text = Buffer.concat([Buffer.from("Comment\0\0"), deflateSync("a".repeat(1000))]);
    const texts = [pngChunk("zTXt", text), pngChunk("iTXt", Buffer.from("Comment\0\0\0\0\0Hello"))];
    const afterHeader = 8 + 25;
    const bytes = Buffer.concat([picture.subarray(0, afterHeader), ...texts, picture.subarray(afterHeader)]);
    expect((await sharp(bytes).metadata()).comments).toHaveLength(2);
    const { format, orientation, comments } = await factsOf(bytes);
    expect([format, orientation, comments]).toEqual(["png", 6, undefined]);
  });

  test("of more than 10,000 chunks is refused: to walk through a million stops the server for a second", async () => {
    const picture = await small().png().toBuffer();
    const [beginning, end] = [picture.subarray(0, -12), picture.subarray(-12)];
    const chunksOf = async (text: string, count: number) => {
      const chunks = Array.from({ length: count }, () => pngChunk(text, Buffer.alloc(0)));
      return read(Buffer.concat([beginning, ...chunks, end]));
    };
    // Header, pixels, colours' size and end are chunks, too.
    expect(await chunksOf("tEXt", 9000)).toBe("png");
    for (const kind of ["tEXt", "prVt"])
      await expect(chunksOf(kind, 10_001)).rejects.toMatchObject({
        code: "UNREADABLE_FILE",
        cause: { message: "a PNG of too many chunks" },
      });
  });

  test("that its caller refuses is refused in the caller's words", async () => {
    const path = join(await tempFolder(), "picture");
    await writeFile(path, pngOf(4, 4));
    const refuse = async () => {
      throw new AppError("BAD_REQUEST", "Too small to print");
    };
    await expect(reencode({ path, account: "asha" }, ALL, refuse)).rejects.toThrow("Too small to print");
  });
});

describe("a picture that arrives", () => {
  /** What is done with it, and for how many bytes there must be room. */
  async function receive({
    contentLength = null,
    isInfected = false,
  }: {
    contentLength?: number | null;
    isInfected?: boolean;
  }) {
    const done: unknown[] = [];
    const server = {
      contentLength,
      diskSpace: {
        during: (account: string, bytes: number, upload: () => unknown) => {
          done.push(["room", account, bytes]);
          return upload();
        },
      },
      files: {
        receive: async (_body: unknown, { kind, bytes }: { kind: string; bytes: number }) => {
          done.push(["received", kind, bytes]);
          return { path: "/incoming/1", discard: async () => done.push("discarded") };
        },
      },
      scanner: {
        scan: async (scanned: { name: string; content: unknown }) => {
          done.push(["scanned", scanned]);
          if (isInfected) throw new AppError("INFECTED", "A virus");
        },
      },
    } as unknown as Context;
    const encode = async (picture: unknown) => {
      done.push(["encoded", picture]);
      return "its id";
    };
    const answer = receivePicture(server, new ReadableStream(), "asha", encode).catch(({ code }) => code);
    return { answer: await answer, done };
  }

  const MOST = 15 * 1024 * 1024;
  const RECEIVED = ["received", "picture", MOST];
  const SCANNED = ["scanned", { name: "The picture", content: "/incoming/1" }];

  test("is scanned before it is read, and then discarded", async () => {
    expect(await receive({ contentLength: 5000 })).toEqual({
      answer: "its id",
      done: [
        ["room", "asha", 5000],
        RECEIVED,
        SCANNED,
        ["encoded", { path: "/incoming/1", account: "asha" }],
        "discarded",
      ],
    });
  });

  test("needs room for the largest one if it does not say its size, and is discarded if it is infected", async () => {
    expect(await receive({ isInfected: true })).toEqual({
      answer: "INFECTED",
      done: [["room", "asha", MOST], RECEIVED, SCANNED, "discarded"],
    });
  });
});

/** The beginning of a PNG of this size: 8 bits of red, green and blue, unless its header says something else. */
function pngOf(width: number, height: number, format = [8, 2, 0, 0, 0]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...format]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk("IHDR", header), pngChunk("IDAT", Buffer.alloc(16))]);
}

/** The same with 16 bits, transparency and interlacing. */
async function deepPngOf(width: number, height: number): Promise<Buffer> {
  return pngOf(width, height, [16, 6, 0, 0, 1]);
}

const small = () => sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });

/** The header of a JPEG of this size, with the pixels of another. */
async function jpegOf(width: number, height: number, options: JpegOptions = {}): Promise<Buffer> {
  const bytes = await small().jpeg(options).toBuffer();
  const frame = bytes.indexOf(options.progressive ? "ffc2" : "ffc0", "hex");
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

/** The same for a lossless WebP, which has 14 bits for each side. */
async function webpOf(width: number, height: number): Promise<Buffer> {
  const bytes = await small().webp({ lossless: true }).toBuffer();
  const sides = bytes.indexOf("VP8L") + 9;
  bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), sides);
  return bytes;
}
