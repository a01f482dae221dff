import { octetInputParser } from "@trpc/server/http";
import { z } from "zod";
import { idField } from "#shared/schemas/fields.ts";
import { router, userProcedure } from "../trpc.ts";
import { removeFile } from "./files.deletion.service.ts";
import { uploadFile } from "./files.upload.service.ts";

/** The body of an upload: what a tRPC client sends as bytes arrives as a stream, as the REST adapter's does. */
const uploadBody: {
  _input: Blob | Uint8Array | ReadableStream<Uint8Array>;
  _output: ReadableStream<Uint8Array>;
  parse(input: unknown): ReadableStream<Uint8Array>;
} = octetInputParser;

export const filesRouter = router({
  upload: userProcedure.input(uploadBody).mutation(({ ctx, input }) => uploadFile(ctx, input)),
  remove: userProcedure.input(z.object({ id: idField })).mutation(({ ctx, input }) => removeFile(ctx, input)),
});
