import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { TRPCError } from "@trpc/server";
import busboy, { type Busboy } from "busboy";
import { AppError } from "../errors.ts";

/** How much of a form is parsed, and of its file read, before the sender has to wait for the disk. */
const AHEAD_BYTES = 256 * 1024;
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
  upload: (file: Readable, name: string | null) => Promise<T>,
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
    uploading = upload(file.pipe(endingWith(whole)), filename ?? null);
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
    return busboy({
      headers,
      limits: LIMITS,
      defParamCharset: "utf8",
      highWaterMark: AHEAD_BYTES,
      fileHwm: AHEAD_BYTES,
    });
  } catch (error) {
    throw new AppError("BAD_REQUEST", "The form could not be read", { cause: error });
  }
}

/** Lets through what comes, and ends once the whole has proved good. Fails as soon as that fails. */
function endingWith(whole: Promise<void>): PassThrough {
  const file = new PassThrough({ flush: (end) => whole.then(() => end(), ignore) });
  // Whoever reads it may be gone by then.
  file.on("error", ignore);
  whole.catch((error) => file.destroy(asRefusal(error) as Error));
  return file;
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
