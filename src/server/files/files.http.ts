import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { TRPCError } from "@trpc/server";
import busboy, { type Busboy } from "busboy";
import { create as contentDisposition } from "content-disposition";
import type { Hono, Context as HonoContext } from "hono";
import parseRange from "range-parser";
import { z } from "zod";
import { uploadedFile } from "#shared/schemas/files.ts";
import type { Context } from "../context.ts";
import { AppError, loginRequired } from "../errors.ts";
import { failureResponses, operationOf, type Tag } from "../http/openapi.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { createCaller } from "../router.ts";
import { refusalOf } from "../trpc.ts";
import type { FileLink } from "./file-links.ts";
import { type ReadableFile, readFile } from "./files.service.ts";
import { DOWNLOAD_HEADERS } from "./pdf/print-copies.service.ts";
import type { StoredRange } from "./storage/file-store.ts";

type Kind<K extends ReadableFile["kind"]> = Extract<ReadableFile, { kind: K }>;

/** Mounts `/files/:id`: a private file, or a print copy of it, as a download. Failures are plain text for people. */
export function mountFiles(app: Hono<Env>, contextOf: ContextOf): void {
  app.get("/files/:id", async (c) => {
    const ctx = await contextOf(c);
    const file = await readFile(ctx, { id: c.req.param("id"), link: linkOf(c) });
    return file.kind === "original" ? sendOriginal(c, ctx, file) : sendPrintCopy(c, ctx, file);
  });
}

function linkOf(c: HonoContext): FileLink | undefined {
  const { exp, sig } = c.req.query();
  return exp && sig ? { exp, sig } : undefined;
}

async function sendPrintCopy(c: HonoContext<Env>, ctx: Context, file: Kind<"print copy">): Promise<Response> {
  const headers = { ...DOWNLOAD_HEADERS, "Content-Disposition": contentDisposition(file.name) };
  if (c.req.method === "HEAD") return c.newResponse(null, 200, headers);
  const { bytes, body } = await file.make(c.req.raw.signal);
  ctx.downloads.begin(ctx, c.env);
  return c.newResponse(body, 200, { ...headers, "Content-Length": String(bytes) });
}

/** Whole, or one range of it. */
async function sendOriginal(c: HonoContext<Env>, ctx: Context, file: Kind<"original">): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const disposition = contentDisposition(file.name);
  const headers = {
    ...DOWNLOAD_HEADERS,
    "Accept-Ranges": "bytes",
    ETag: etag,
    "Content-Disposition": disposition,
  };
  const range = requestedRange(c, file.bytes, etag);
  if (range === "unsatisfiable") {
    return c.body(null, 416, { ...headers, "Content-Range": `bytes */${file.bytes}` });
  }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  ctx.downloads.begin(ctx, c.env);
  const body = c.req.method === "HEAD" ? null : Readable.toWeb(await file.open({ start, end }));
  return c.newResponse(body as ReadableStream | null, range ? 206 : 200, {
    ...headers,
    "Content-Length": String(end - start + 1),
    ...(range && { "Content-Range": `bytes ${start}-${end}/${file.bytes}` }),
  });
}

/** The single range asked for; null for the whole file, also where several ranges or no valid one are asked for. */
function requestedRange(c: HonoContext, bytes: number, etag: string): StoredRange | "unsatisfiable" | null {
  const asked = c.req.header("range");
  const condition = c.req.header("if-range");
  if (!asked || (condition && condition !== etag)) return null;
  const ranges = parseRange(bytes, asked, { combine: true });
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length > 1) return null;
  return ranges[0] ?? null;
}

const uploadForm = z
  .object({
    file: z.file().meta({
      type: "string",
      format: "binary",
      description: "One PDF, or with `convert` an office document",
    }),
    upload_preset: z.string().optional().meta({ description: "Accepted and not used" }),
    convert: z.literal("pdf").optional().meta({
      description:
        "Lets an office document or a text be converted, where the store has a converter: the PDF is kept, counted and printed. Look at it and approve it before you order",
    }),
    password: z.string().optional().meta({
      description:
        "Opens a locked PDF and is not kept: what is kept, counted and printed is a copy that needs no password",
    }),
  })
  .meta({ id: "UploadForm" });

/** Mounts `POST /uploads`: one PDF as a multipart form, answered in the shape of the contract's hosting service. */
export function mountUploads(api: OpenAPIHono<Env>, contextOf: ContextOf): void {
  document(api);
  api.post("/uploads", async (c) => {
    const ctx = await contextOf(c);
    const refusal = refusalOf(ctx, "files.upload");
    if (refusal || ctx.actor.kind === "guest") throw refusal ?? loginRequired();
    const end = ctx.diskSpace.begin(ctx.actor.user._id);
    const { incoming } = c.env;
    const uploaded = await receiveFile(incoming, (file, { name: uploadName, fields: uploadFields }) =>
      createCaller({ ...ctx, uploadName, uploadFields }, { signal: c.req.raw.signal }).files.upload(file),
    ).finally(end);
    return c.json(uploaded);
  });
}

function document(api: OpenAPIHono<Env>): void {
  api.openAPIRegistry.registerPath({
    method: "post",
    path: "/uploads",
    ...operationOf("files.upload"),
    tags: ["Files" satisfies Tag],
    summary: "Upload one PDF; its pages are counted",
    request: { body: { required: true, content: { "multipart/form-data": { schema: uploadForm } } } },
    responses: {
      200: { description: "File kept", content: { "application/json": { schema: uploadedFile } } },
      ...failureResponses([
        "UNAUTHENTICATED",
        "INVALID_INPUT",
        "UNREADABLE_FILE",
        "PASSWORD_REQUIRED",
        "WRONG_PASSWORD",
        "INFECTED",
        "NO_ROOM",
        "RATE_LIMITED",
        "STORAGE_FULL",
      ]),
    },
  });
}

/** How much of a form, and of the file in it, is buffered before the sender has to wait for the disk. */
const BUFFER_BYTES = 256 * 1024;
/** Beside the file only short fields are expected; longer or more of them are ignored. */
const LIMITS = { fields: 20, fieldSize: 10_000, parts: 30 };

/** What comes with the file of a form. */
interface FormDetails {
  /** The file's name. */
  name: string | null;
  /** The other fields by name, complete once the file has ended. */
  fields: ReadonlyMap<string, string>;
}

/**
 * Reads a multipart form with one `file` and streams that to `upload`. The stream ends when the whole form has been read and
 * is valid, and fails otherwise. After a failure the request stays open, so that the response can be read. Throws what
 * `upload` throws, and UNSUPPORTED_TYPE, INVALID_INPUT or BAD_REQUEST for an invalid form.
 */
async function receiveFile<T>(
  request: IncomingMessage,
  upload: (file: Readable, details: FormDetails) => Promise<T>,
): Promise<T> {
  const form = openForm(request.headers);
  const whole = finished(form);
  const fields = new Map<string, string>();
  form.on("field", (field, value) => fields.set(field, value));
  let uploading: Promise<T> | undefined;
  form.on("file", (field, file, { filename }) => {
    file.on("error", ignore);
    if (field !== "file" || uploading) return form.destroy(oneFileOnly());
    uploading = upload(file.pipe(endingWith(whole)), { name: filename ?? null, fields });
    uploading.catch((error) => form.destroy(error));
  });
  finished(request).catch((error) => form.destroy(error));
  request.pipe(form);
  try {
    await whole;
  } catch (error) {
    await uploading?.catch(ignore);
    throw asRefusal(error);
  }
  if (!uploading) throw new AppError("INVALID_INPUT", "Choose a file to upload: the form has no 'file'");
  return uploading;
}

function openForm(headers: IncomingHttpHeaders): Busboy {
  if (!/^multipart\/form-data\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    throw new AppError(
      "UNSUPPORTED_TYPE",
      "Please send the file as a form, with the content type multipart/form-data",
    );
  }
  try {
    return busboy({
      headers,
      limits: LIMITS,
      defParamCharset: "utf8",
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
    });
  } catch (error) {
    throw new AppError("BAD_REQUEST", "The form could not be read", { cause: error });
  }
}

/** Passes a file on, ends when the whole form is read, and fails when the form fails. */
function endingWith(whole: Promise<void>): PassThrough {
  const file = new PassThrough({ flush: (end) => whole.then(() => end(), ignore) });
  // Its reader may be gone by then.
  file.on("error", ignore);
  whole.catch((error) => file.destroy(asRefusal(error) as Error));
  return file;
}

function oneFileOnly(): AppError {
  return new AppError("INVALID_INPUT", "Send exactly one file, in the field 'file'");
}

function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TRPCError) return error;
  return new AppError(
    "BAD_REQUEST",
    "The upload was interrupted or is malformed. Please upload the file again",
    {
      cause: error,
    },
  );
}

function ignore(): void {}
