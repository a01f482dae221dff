import type { AnyProcedure } from "@trpc/server";
import { beforeAll, expect, test } from "vitest";
import { uploadBody } from "#server/http/bodies.ts";
import { appRouter } from "#server/router.ts";
import { pdfStream, writePdf } from "../factories/pdf-writer.ts";
import { plainObjects } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { shopIds, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const MB = 1024 * 1024;

interface UploadPath {
  maxBytes: number;
  /** A valid file of exactly this size. */
  fileOf: (bytes: number) => Promise<Bytes> | Bytes;
  send: (bytes: Bytes) => Promise<ApiAnswer>;
  refusal: string;
}
type Bytes = Uint8Array<ArrayBuffer>;

const store = testStore({ MAX_UPLOAD_MB: "12" });
let owner: ApiClient;
beforeAll(async () => {
  owner = (await signedInOwner(store, await shopIds(store))).visitor;
});

const sendBytes = (procedure: string) => (bytes: Bytes) =>
  owner.send("POST", `/api/trpc/${procedure}`, bytes, { "Content-Type": "application/octet-stream" });

const FILE = {
  maxBytes: 12 * MB,
  fileOf: pdfOf,
  refusal: "The file is larger than 12 MB. Please upload a smaller one",
};
const PHOTO = {
  maxBytes: 15 * MB,
  fileOf: photoOf,
  refusal: "The picture is larger than 15 MB. Please choose a smaller one",
};
const UPLOADS: Record<string, UploadPath> = {
  "/api/v1/uploads": { ...FILE, send: (bytes) => owner.upload(bytes) },
  "shops.admin.uploadPhoto": { ...PHOTO, send: sendBytes("shops.admin.uploadPhoto") },
  "reprints.uploadPhoto": { ...PHOTO, send: sendBytes("reprints.uploadPhoto") },
};

test("every procedure that accepts bytes is tested here", () => {
  const procedures = Object.entries<AnyProcedure>(appRouter._def.procedures as never);
  const takesBytes = ([, procedure]: [string, AnyProcedure]) => inputsOf(procedure).includes(uploadBody);
  const names = procedures.filter(takesBytes).map(([name]) => name);
  expect(Object.keys(UPLOADS).sort()).toEqual(["/api/v1/uploads", ...names].sort());
});

test.each(Object.entries(UPLOADS))("%s accepts a file of exactly the maximum size", async (_path, upload) => {
  const { status, body } = await upload.send(await upload.fileOf(upload.maxBytes));
  expect([status, body.error ?? body.message]).toEqual([200, undefined]);
});

test.each(Object.entries(UPLOADS))("%s refuses one byte more with a clear message", async (_path, upload) => {
  const { status, body } = await upload.send(await upload.fileOf(upload.maxBytes + 1));
  expect([status, body.error?.message ?? body.message]).toEqual([413, upload.refusal]);
});

test("a file for printing comes as a form: its bytes alone are refused, and nothing is stored", async () => {
  const count = () =>
    store.deps.readDb
      .selectFrom("files")
      .select(({ fn }) => fn.countAll().as("files"))
      .executeTakeFirstOrThrow();
  const before = await count();
  const { status, body } = await sendBytes("files.upload")(new Uint8Array(400));
  expect([status, body.error.message]).toEqual([422, "Send the file as a form, by POST /api/v1/uploads"]);
  expect(await count()).toEqual(before);
});

test("a file of 100 MB is accepted by default", async () => {
  const standard = await tempStore();
  const { visitor } = await signedInStudent(standard);
  expect((await visitor.upload(pdfOf(100 * MB))).status).toBe(200);
});

function inputsOf(procedure: AnyProcedure): unknown[] {
  return (procedure._def as unknown as { inputs: unknown[] }).inputs;
}

/** Three pages and a stream that fills the file up. */
function pdfOf(bytes: number): Bytes {
  const filled = (fill: number) => writePdf({ ...plainObjects(3), 9: pdfStream(Buffer.alloc(fill)) });
  const rough = filled(bytes - 2000);
  const pdf = new Uint8Array(filled(bytes - 2000 + bytes - rough.length));
  expect(pdf.length).toBe(bytes);
  return pdf;
}

/** Readers ignore what follows the end of a JPEG. */
async function photoOf(bytes: number): Promise<Bytes> {
  const photo = new Uint8Array(bytes);
  photo.set(await sidewaysPhoto());
  return photo;
}
