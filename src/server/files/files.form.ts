import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import { TRPCError } from "@trpc/server";
import busboy, { type Busboy } from "busboy";
import { AppError } from "../errors.ts";

/** Beside the file only short fields are expected; more of them, or longer ones, are passed over. */
const LIMITS = { fields: 20, fieldSize: 10_000, parts: 30 };

/**
 * Reads a multipart form that holds one `file`, in any order with other fields, and streams the file to `upload`.
 * The stream ends only once the whole form has proved good, and fails otherwise. The request itself is left open
 * after a failure, so that the answer can be read. Throws what `upload` throws, and UNSUPPORTED_TYPE, INVALID_INPUT
 * or BAD_REQUEST for a form that is not as expected.
 */
export async function receiveFile<T>(
  request: IncomingMessage,
  upload: (file: ReadableStream<Uint8Array>, name: string | null) => Promise<T>,
): Promise<T> {
  const form = openForm(request.headers);
  const whole = finished(form);
  // Of a malformed header busboy only tells, and goes on parsing.
  form.on("error", () => form.destroy());
  let uploading: Promise<T> | undefined;
  form.on("file", (field, file, { filename }) => {
    file.on("error", ignore);
    // What was parsed in one go with the cause of a refusal still comes, and nobody would ever end it.
    if (form.destroyed) return;
    if (field !== "file" || uploading) return form.destroy(oneFileOnly());
    const body = WebStream.from(untilWhole(file, whole)) as ReadableStream<Uint8Array>;
    uploading = upload(body, filename ?? null);
    uploading.catch((error) => form.destroy(error));
  });
  finished(request).catch((error) => form.destroy(error));
  request.pipe(form);
  try {
    await whole;
  } catch (error) {
    request.unpipe(form);
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
    return busboy({ headers, limits: LIMITS, defParamCharset: "utf8" });
  } catch (error) {
    throw new AppError("BAD_REQUEST", "The form could not be read", { cause: error });
  }
}

async function* untilWhole(file: Readable, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* file;
  await whole;
}

function oneFileOnly(): AppError {
  return new AppError("INVALID_INPUT", "Send exactly one file, in the field 'file'");
}

function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TRPCError) return error;
  return new AppError("BAD_REQUEST", "The upload broke off or is malformed. Please upload the file again", {
    cause: error,
  });
}

function ignore(): void {}
