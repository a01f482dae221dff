import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "pdf-lib";
import { beforeAll, describe, expect, test } from "vitest";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore({ RATE_LIMIT_SCALE: "1" });
let visitor: ApiClient;
beforeAll(async () => {
  visitor = (await signedInStudent(store)).visitor;
});

function send(bytes: Uint8Array, password?: string, sender = visitor) {
  return sender.upload(new Uint8Array(bytes), "marks.pdf", password === undefined ? {} : { password });
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(store.dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe("a locked PDF with its password", () => {
  test.each(["RC4-40", "RC4-128", "AES-128", "AES-256"] as const)(
    "of %s is kept as a copy that needs none, and counted",
    async (algorithm) => {
      const answer = await send(await encryptedPdf(3, algorithm, { user: "roll-0042" }), "roll-0042");
      expect([answer.status, answer.body.pages, answer.body.original_filename]).toEqual([
        200,
        3,
        "marks.pdf",
      ]);
      const kept = Buffer.from(await (await visitor.fetch(answer.body.secure_url)).arrayBuffer());
      expect([kept.length, kept.includes("/Encrypt")]).toEqual([answer.body.bytes, false]);
      expect((await PDFDocument.load(kept)).getPageCount()).toBe(3);
      // Neither what arrived nor what was made of it is counted beside the copy.
      expect(await store.deps.db.selectFrom("upload_reservations").select("bytes").execute()).toEqual([]);
    },
  );

  test("opens by the owner's password too", async () => {
    const pdf = await encryptedPdf(2, "AES-256", { user: "roll-0042", owner: "principal" });
    expect((await send(pdf, "principal")).body.pages).toBe(2);
  });

  test("opens by a password in letters beyond ASCII", async () => {
    const pdf = await encryptedPdf(1, "AES-256", { user: "अंकपत्र é" });
    expect((await send(pdf, "अंकपत्र é")).status).toBe(200);
  });

  test("is kept with all its pages where they are copied in several portions", async () => {
    const pdf = await encryptedPdf(1001, "AES-128", { user: "roll-0042" });
    expect((await send(pdf, "roll-0042")).body.pages).toBe(1001);
  });

  test("leaves the password nowhere in the data folder", async () => {
    const password = "nobody-may-keep-this-4711";
    const pdf = await encryptedPdf(1, "AES-128", { user: password });
    expect([(await send(pdf, `${password}?`)).status, (await send(pdf, password)).status]).toEqual([
      422, 200,
    ]);
    const kept = await Promise.all((await storedFiles()).map((path) => readFile(path)));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((content) => content.includes(password))).toEqual([]);
  });
});

test("a password with a PDF that needs none changes nothing", async () => {
  const answer = await send(await pdfOfPages(2), "not needed");
  expect([answer.status, answer.body.pages]).toEqual([200, 2]);
});

describe("a locked PDF leaves nothing behind", () => {
  test("without its password, and the answer asks for it", async () => {
    const before = await storedFiles();
    const answer = await send(await encryptedPdf(1, "AES-256", { user: "secret" }));
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        success: false,
        code: "PASSWORD_REQUIRED",
        message:
          "“marks.pdf” is password-protected. Enter its password, or remove the password and upload it again",
      },
    ]);
    expect(await storedFiles()).toEqual(before);
  });

  test("with a wrong password, and ten wrong ones in 15 minutes are the most of an account", async () => {
    const { visitor: guesser } = await signedInStudent(store);
    const pdf = await encryptedPdf(1, "AES-256", { user: "secret" });
    expect((await send(pdf, "secret", guesser)).status).toBe(200);
    const before = await storedFiles();
    const guesses = ["0000", "x".repeat(256), ...Array.from({ length: 8 }, (_, at) => `guess ${at}`)];
    for (const guess of guesses) {
      const { status, body } = await send(pdf, guess, guesser);
      expect([status, body.code, body.message]).toEqual([
        422,
        "WRONG_PASSWORD",
        "This is not the password of “marks.pdf”. Check it and try again",
      ]);
    }
    const { status, body, headers } = await send(pdf, "secret", guesser);
    expect([status, body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await storedFiles()).toEqual(before);
    expect((await send(pdf, "secret")).status).toBe(200);
  });
});
