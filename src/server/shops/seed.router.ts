import { z } from "zod";
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
    .input(fileInput)
    .mutation(({ ctx, input }) => applySeed(ctx, input.file)),
  export: adminProcedure.use(recentAuth).query(({ ctx }) => exportSeed(ctx)),
});
