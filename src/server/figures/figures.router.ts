import { figuresInput } from "#shared/schemas/figures.ts";
import { router, staffProcedure } from "../trpc.ts";
import { getFigures } from "./figures.service.ts";

export const figuresRouter = router({
  read: staffProcedure.input(figuresInput).query(({ ctx, input }) => getFigures(ctx, input)),
});
