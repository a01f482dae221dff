import { createHash, hash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { zipSync } from "fflate";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FileStore } from "#server/files/storage/file-store.ts";
import { orderFor } from "../factories/orders.ts";
import { pdfOfUnknownHandler } from "../factories/pdfs.locked.ts";
import { loopingPdf, plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const MB = 1024 * 1024;

const store = testStore({ MAX_UPLOAD_MB: "2" });
let visitor: ApiClient;
beforeAll(async () => {
  visitor = (await signedInStudent(store)).visitor;
});

/** Files in the data folder and rows in the database; a refused upload must add neither. */
async function traces(): Promise<{ files: number; rows: number }> {
  const entries = await readdir(join(store.dataDir, "files"), { recursive: true, withFileTypes: true });
  const rows = await store.deps.readDb.selectFrom("files").select("id").execute();
  return { files: entries.filter((entry) => entry.isFile()).length, rows: rows.length };
}

function upload(bytes: Uint8Array, name?: string) {
  return visitor.upload(new Uint8Array(bytes), name);
}

describe("an upload", () => {
  test("is answered in the format of the specification's hosting service, and stored", async () => {
    const before = await traces();
    const bytes = plainPdf(7);
    const answer = await upload(bytes, "Unit 3 – waves.pdf");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      secure_url: `${store.url}/files/${answer.body.public_id}`,
      pages: 7,
      public_id: expect.stringMatching(/^[\w-]{36}$/),
      bytes: bytes.length,
      format: "pdf",
      original_filename: "Unit 3 – waves.pdf",
    });
    expect(await traces()).toEqual({ files: before.files + 1, rows: before.rows + 1 });
  });

  test("of the same file twice creates two files", async () => {
    const [first, second] = [await upload(plainPdf(1)), await upload(plainPdf(1))];
    expect(first.body.public_id).not.toBe(second.body.public_id);
  });

  test("of exactly the maximum size is accepted", async () => {
    const pdf = plainPdf(1);
    const answer = await upload(Buffer.concat([pdf, Buffer.alloc(2 * MB - pdf.length)]));
    expect([answer.status, answer.body.bytes]).toEqual([200, 2 * MB]);
  });

  test("is counted also where something stands before its header, as readers allow it", async () => {
    const answer = await upload(Buffer.concat([Buffer.alloc(1000, 32), plainPdf(3)]));
    expect([answer.status, answer.body.pages]).toEqual([200, 3]);
  });

  test("is recorded with its SHA-256", async () => {
    const bytes = Buffer.concat([plainPdf(2), randomBytes(1.5 * MB)]);
    const { body } = await upload(bytes);
    const { sha256 } = await store.deps.readDb
      .selectFrom("files")
      .select("sha256")
      .where("id", "=", body.public_id)
      .executeTakeFirstOrThrow();
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});

describe("whoever lost the answer to an upload", () => {
  const find = async (bytes: Uint8Array, withinMs = 60_000) =>
    (await visitor.query("files.findUploaded", { sha256: hash("sha256", bytes), withinMs })).body.result.data;

  test("gets it by the content, until the file is ordered or deleted", async () => {
    const bytes = plainPdf(11);
    expect(await find(bytes)).toEqual([]);
    const { body: first } = await upload(bytes, "Lost.pdf");
    store.clock.advance({ seconds: 1 });
    const { body: second } = await upload(bytes, "Lost.pdf");
    expect(await find(bytes)).toEqual([second, first]);
    expect(await find(plainPdf(12))).toEqual([]);
    await visitor.mutate("files.remove", { id: second.public_id });
    expect(await find(bytes)).toEqual([first]);
    const order = await orderFor(visitor, {
      shopId: "red-soil-prints",
      pages: 11,
      filesUrl: [first.secure_url],
    });
    expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
    expect(await find(bytes)).toEqual([]);
  });

  test("gets none that was there before it was sent", async () => {
    const bytes = plainPdf(13);
    const { body } = await upload(bytes);
    store.clock.advance({ seconds: 30 });
    expect(await find(bytes, 30_000)).toEqual([body]);
    expect(await find(bytes, 29_999)).toEqual([]);
  });

  test.each([
    { sha256: "", withinMs: 1 },
    { sha256: "a".repeat(63), withinMs: 1 },
    { sha256: "a".repeat(64), withinMs: -1 },
    { sha256: "a".repeat(64), withinMs: 24 * 60 * 60 * 1000 + 1 },
  ])("is refused %o", async (input) => {
    expect((await visitor.query("files.findUploaded", input)).status).toBe(422);
  });
});

describe("an upload is refused and leaves nothing behind if it", () => {
  let before: Awaited<ReturnType<typeof traces>>;
  beforeAll(async () => {
    before = await traces();
  });
  afterEach(async () => expect(await traces()).toEqual(before));

  const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
  const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffdb0043", "hex");
  const word = zipSync({
    "[Content_Types].xml": Buffer.from(
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    "word/document.xml": Buffer.from("<document/>"),
  });
  const oldWord = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2000)]);

  test.each<[string, Uint8Array, string]>([
    ["is empty", Buffer.alloc(0), "“a.pdf” is empty. Choose the file again, or save it again first"],
    ["is a PNG", png, "“a.pdf” is a picture (PNG), not a PDF. Open it, print it to a PDF, and upload that"],
    ["is a JPEG", jpeg, "“a.pdf” is a picture (JPG), not a PDF. Open it, print it to a PDF, and upload that"],
    ["is a Word document", word, "“a.pdf” is a Word document, not a PDF. Save it as a PDF and upload that"],
    ["is an old one", oldWord, "“a.pdf” is an Office document, not a PDF. Save it as a PDF and upload that"],
    [
      "is a ZIP archive",
      zipSync({ "notes.pdf": plainPdf(1) }),
      "“a.pdf” is a ZIP archive, not a PDF. Unpack it and upload the PDFs that are in it",
    ],
    [
      "is text",
      Buffer.from("नमस्ते, notes\r\n"),
      "“a.pdf” is a text file, not a PDF. Save it as a PDF and upload that",
    ],
    ["is anything else", Buffer.alloc(5000, 7), "“a.pdf” is not a PDF. Save it as a PDF and upload that"],
    [
      "begins as a PDF too late",
      Buffer.concat([Buffer.alloc(1025, 32), plainPdf(1)]),
      "“a.pdf” is a text file, not a PDF. Save it as a PDF and upload that",
    ],
  ])("%s", async (_what, bytes, message) => {
    const answer = await upload(bytes, "a.pdf");
    expect([answer.status, answer.body]).toEqual([
      415,
      { success: false, code: "UNSUPPORTED_TYPE", message },
    ]);
  });

  test("is named as it was sent", async () => {
    const { body } = await upload(jpeg, "Photo 1.JPG");
    expect(body.message).toMatch(/^“Photo 1\.JPG” is a picture/);
  });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    [
      "is damaged",
      loopingPdf,
      "“a.pdf” is damaged and cannot be opened. Save or export it as a PDF again and upload that",
    ],
    [
      "is protected in an unknown way",
      pdfOfUnknownHandler,
      "“a.pdf” is protected in a way that cannot be opened here. Save it without protection and upload it again",
    ],
    [
      "has 5,001 pages",
      () => plainPdf(5001),
      "“a.pdf” has more than 5,000 pages. Split it into smaller files and upload those",
    ],
  ])("%s", async (_what, make, message) => {
    const answer = await upload(await make(), "a.pdf");
    expect([answer.status, answer.body]).toEqual([422, { success: false, code: "UNREADABLE_FILE", message }]);
  });

  test.each([
    ["says that it is too large", 3 * MB],
    ["turns out too large by a byte", 2 * MB + 1],
  ])("%s", async (_what, size) => {
    const answer = await upload(Buffer.alloc(size));
    expect([answer.status, answer.body.code]).toEqual([413, "TOO_LARGE"]);
    expect(answer.body.message).toBe("The file is larger than 2 MB. Please upload a smaller one");
  });

  test("comes from a guest", async () => {
    const answer = await store.visitor().upload(new Uint8Array(MB));
    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("finds the disk full", async () => {
    const { files } = store.deps;
    store.deps.files = { ...files, stage: stageOnFullDisk };
    const answer = await upload(plainPdf(1));
    store.deps.files = files;
    expect([answer.status, answer.body]).toEqual([
      503,
      {
        success: false,
        code: "STORAGE_FULL",
        message: "The store has no room left. Please try again later",
      },
    ]);
  });

  test("cannot be moved to its place", async () => {
    const { files } = store.deps;
    store.deps.files = {
      ...files,
      stage: async (...input) => ({ ...(await files.stage(...input)), commit: onFullDisk }),
    };
    const answer = await upload(plainPdf(1));
    store.deps.files = files;
    expect([answer.status, answer.body.code]).toEqual([503, "STORAGE_FULL"]);
  });
});

test("the number of uploads per student is limited", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "0.01" });
  const { visitor: eager } = await signedInStudent(limited);
  const statuses = [];
  for (let time = 0; time < 4; time++)
    statuses.push((await eager.upload(new Uint8Array(plainPdf(1)))).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("the number of uploads per address is limited, across students", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "0.01" });
  const { visitor: quiet } = await signedInStudent(limited);
  for (let time = 0; time < 30; time++) await limited.deps.limits.use("uploadAddress", "127.0.0.1");
  const { status } = await quiet.upload(new Uint8Array(plainPdf(1)));
  expect(status).toBe(429);
});

/** The kernel's own "no space left on device". */
const stageOnFullDisk: FileStore["stage"] = async (body) => {
  await pipeline(body, createWriteStream("/dev/full"));
  throw new Error("the disk should have been full");
};

async function onFullDisk(): Promise<void> {
  await pipeline([Buffer.alloc(10)], createWriteStream("/dev/full"));
}
