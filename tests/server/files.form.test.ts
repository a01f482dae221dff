import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type MockInstance, test, vi } from "vitest";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";
import { accountOf } from "./bodies.fixtures.ts";

const PDF = plainPdf(3);
const MULTIPART = "multipart/form-data; boundary=line";

const store = testStore({ MAX_UPLOAD_MB: "8" });
let visitor: ApiClient;
beforeAll(async () => {
  visitor = (await signedInStudent(store)).visitor;
});

function part(headers: string, content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--line\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
}
function filePart(name: string, content: Buffer, filename = "notes.pdf"): Buffer {
  return part(`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, content);
}
function field(name: string, value = "documents"): Buffer {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}
const END = Buffer.from("--line--\r\n");
const PRESET = field("upload_preset");

async function post(parts: Buffer[], contentType: string | null = MULTIPART) {
  const headers: Record<string, string> = contentType ? { "Content-Type": contentType } : {};
  return visitor.send(
    "POST",
    "/api/v1/uploads",
    new Blob(parts.map((bytes) => new Uint8Array(bytes))),
    headers,
  );
}

async function traces(): Promise<string[]> {
  const entries = await readdir(join(store.dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("the upload form", () => {
  test.each([
    ["the preset first", [PRESET, filePart("file", PDF), END]],
    ["the file first", [filePart("file", PDF), PRESET, END]],
    ["no preset", [filePart("file", PDF), END]],
    ["a text before it", [Buffer.from("This is a form.\r\n"), filePart("file", PDF), END]],
  ])("is accepted with %s", async (_what, parts) => {
    const answer = await post(parts);
    expect([answer.status, answer.body.pages, answer.body.bytes]).toEqual([200, 3, PDF.length]);
  });

  test("keeps a UTF-8 file name and drops its path", async () => {
    const answer = await post([filePart("file", PDF, "C:\\Users\\आशा\\नोट्स.pdf"), END]);
    expect(answer.body.original_filename).toBe("नोट्स.pdf");
  });

  test("keeps bytes that look like a boundary", async () => {
    const tricky = Buffer.concat([
      PDF,
      Buffer.from("\r\n--lin\r\n--Line--"),
      Buffer.alloc(70_000),
      Buffer.from("\r\n--"),
    ]);
    const answer = await post([filePart("file", tricky), END]);
    expect([answer.status, answer.body.bytes]).toEqual([200, tricky.length]);
  });

  test.each([
    ["no file", [PRESET, END], 422, "INVALID_INPUT"],
    ["nothing in it", [END], 422, "INVALID_INPUT"],
    ["a file that is only text in a field", [field("file", "notes"), END], 422, "INVALID_INPUT"],
    ["two files", [filePart("file", PDF), filePart("file", PDF), END], 422, "INVALID_INPUT"],
    [
      "a second file under another name",
      [filePart("file", PDF), filePart("extra", PDF), END],
      422,
      "INVALID_INPUT",
    ],
    ["a file under another name only", [filePart("document", PDF), END], 422, "INVALID_INPUT"],
    ["no end", [filePart("file", PDF)], 400, "BAD_REQUEST"],
    ["an end in the middle of the file", [filePart("file", PDF).subarray(0, 300)], 400, "BAD_REQUEST"],
    ["an end in the middle of a header", [filePart("file", PDF).subarray(0, 30)], 400, "BAD_REQUEST"],
    ["a header that is none", [part("\0: ;;; \r\nnonsense", PDF), END], 400, "BAD_REQUEST"],
    ["no body", [], 400, "BAD_REQUEST"],
  ])("with %s is refused, and nothing is stored", async (_what, parts, status, code) => {
    const before = await traces();
    const answer = await post(parts);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toMatch(/file/);
    expect(await traces()).toEqual(before);
  });

  test.each([
    ["JSON", "application/json", 415],
    ["form fields", "application/x-www-form-urlencoded", 415],
    ["no type", null, 415],
    ["another multipart type", "multipart/mixed; boundary=line", 415],
    ["no boundary", "multipart/form-data", 400],
  ])("sent as %s is refused", async (_what, contentType, status) => {
    expect((await post([filePart("file", PDF), END], contentType)).status).toBe(status);
  });

  test("is refused at once for an unexpected file, even if the next one is cut off", async () => {
    const cut = Buffer.from(
      '--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n%PDF-',
    );
    for (const stray of [Buffer.alloc(0), PDF]) {
      const answer = await post([Buffer.concat([filePart("picture", stray), cut])]);
      expect([answer.status, answer.body.code]).toEqual([422, "INVALID_INPUT"]);
    }
  });

  test("is refused at once for an invalid header, even if the file after it is cut off", async () => {
    const strange = part('Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: \0', "");
    const answer = await post([Buffer.concat([strange, filePart("file", PDF).subarray(0, 100)])]);
    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("ignores any number of unknown fields", async () => {
    const fields = Array.from({ length: 25 }, (_, index) => field(`f${index}`, "x".repeat(20_000)));
    expect((await post([...fields, filePart("file", PDF), END])).status).toBe(200);
  });
});

describe("an upload aborted by its sender", () => {
  let failures: MockInstance;
  beforeAll(() => {
    failures = vi.spyOn(store.deps.log, "error");
  });
  afterAll(() => failures.mockRestore());

  test("leaves nothing behind, is no failure in the log, and the store goes on", async () => {
    const before = await traces();
    const upload = begin("/api/v1/uploads", { "Content-Type": MULTIPART });
    upload.write(filePart("file", PDF).subarray(0, -2));
    upload.write(Buffer.alloc(3_000_000));
    await expect.poll(traces).toHaveLength(before.length + 1);
    upload.destroy();
    await expect.poll(traces).toEqual(before);
    expect((await post([filePart("file", PDF), END])).status).toBe(200);
    expect(failures).not.toHaveBeenCalled();
  });

  test("is no failure in the log where it is the photo of a report", async () => {
    const account = await accountOf({ visitor });
    const underWay = () => store.deps.diskSpace.underWay(account);
    const upload = begin("/api/trpc/reprints.uploadPhoto", { "Content-Type": "application/octet-stream" });
    upload.write(Buffer.alloc(100_000));
    await expect.poll(underWay).toBe(1);
    upload.destroy();
    await expect.poll(underWay).toBe(0);
    await accountOf({ visitor });
    expect(failures).not.toHaveBeenCalled();
  });

  function begin(path: string, headers: Record<string, string>) {
    const upload = request(`${store.url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Length": 6_000_000, Cookie: visitor.cookieHeader, Origin: store.url },
    });
    upload.on("error", () => {});
    return upload;
  }
});
