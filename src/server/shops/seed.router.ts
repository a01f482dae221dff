import { z } from "zod";
import { idField } from "#shared/schemas/fields.ts";
import { seedFile } from "#shared/schemas/seed.ts";
import { adminProcedure, recentAuth, router } from "../trpc.ts";
import { applySeed, exportSeed, previewSeed } from "./seed.service.ts";

const fileInput = z.object({ file: seedFile });

/** Import and export of shops and price lists for admins; the same as `npm run seed`. */
export const seedRouter = router({
  preview: adminProcedure.input(fileInput).mutation(({ ctx, input }) => previewSeed(ctx, input.file)),
  /** A seed file can change payment addresses, so it needs recent authentication. */
  write: adminProcedure
    .use(recentAuth)
    .input(fileInput.extend({ base: z.record(idField, z.string().max(40)).optional() }))
    .mutation(({ ctx, input }) => applySeed(ctx, input)),
  export: adminProcedure.use(recentAuth).query(({ ctx }) => exportSeed(ctx)),
});
