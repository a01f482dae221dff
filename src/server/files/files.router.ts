import { Readable } from "node:stream";
import { z } from "zod";
import { coloursInput, sentInput } from "#shared/schemas/files.ts";
import { idInput } from "#shared/schemas/ids.ts";
import { publicProcedure, router, uploaderProcedure } from "../trpc.ts";
import { approveFile, listColours, removeFile } from "./files.service.ts";
import { getUploadRoom } from "./quota.service.ts";
import { findUploaded, uploadFile } from "./upload.service.ts";

export const filesRouter = router({
  upload: uploaderProcedure
    .input(z.instanceof(Readable, { error: "Send the file as a form, by POST /api/v1/uploads" }))
    .mutation(({ ctx, input, signal }) => uploadFile(ctx, input, signal)),
  room: uploaderProcedure.query(({ ctx }) => getUploadRoom(ctx)),
  findUploaded: uploaderProcedure.input(sentInput).query(({ ctx, input }) => findUploaded(ctx, input)),
  colours: uploaderProcedure.input(coloursInput).query(({ ctx, input }) => listColours(ctx, input)),
  formats: publicProcedure.query(({ ctx }) => ({ office: ctx.office !== null })),
  approve: uploaderProcedure.input(idInput).mutation(({ ctx, input }) => approveFile(ctx, input)),
  remove: uploaderProcedure.input(idInput).mutation(({ ctx, input }) => removeFile(ctx, input)),
});
