import { z } from "zod";
import { idField } from "#shared/schemas/fields.ts";
import { coloursInput } from "#shared/schemas/files.ts";
import { router, userProcedure } from "../trpc.ts";
import { listColours } from "./files.jobs.ts";
import { removeFile } from "./files.service.ts";
import { getUploadQuota } from "./quota.service.ts";
import { fileBody, uploadFile } from "./upload.service.ts";

export const filesRouter = router({
  upload: userProcedure.input(fileBody).mutation(({ ctx, input, signal }) => uploadFile(ctx, input, signal)),
  room: userProcedure.query(({ ctx }) => getUploadQuota(ctx)),
  colours: userProcedure.input(coloursInput).query(({ ctx, input }) => listColours(ctx, input)),
  remove: userProcedure.input(z.object({ id: idField })).mutation(({ ctx, input }) => removeFile(ctx, input)),
});
