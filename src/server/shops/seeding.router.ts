import { z } from "zod";
import { seedFile } from "#shared/schemas/seed.ts";
import { adminProcedure, recentAuth, router } from "../trpc.ts";
import { applySeed, exportSeed, previewSeed } from "./seeding.service.ts";

const fileInput = z.object({ file: seedFile });

/** Shops and price lists by the file, for admins: what `npm run seed` does. */
export const seedingRouter = router({
  preview: adminProcedure.input(fileInput).mutation(({ ctx, input }) => previewSeed(ctx, input.file)),
  /** It may set payment addresses. */
  write: adminProcedure
    .use(recentAuth)
    .input(fileInput)
    .mutation(({ ctx, input }) => applySeed(ctx, input.file)),
  export: adminProcedure.use(recentAuth).query(({ ctx }) => exportSeed(ctx)),
});
