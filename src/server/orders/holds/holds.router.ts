import {
  agreeChangesInput,
  holdAnswerInput,
  holdChangesInput,
  holdInput,
  holdSeveralInput,
  openHoldInput,
} from "#shared/schemas/holds.ts";
import { router, staffProcedure, userProcedure } from "../../trpc.ts";
import { cancelHeldOrder, changeOrder, quoteChanges } from "./changes.service.ts";
import { answerShop, holdOrder, holdSeveral, releaseOrder } from "./holds.service.ts";

/** Orders with which something is wrong. */
export const holdsRouter = router({
  hold: staffProcedure.input(holdInput).mutation(({ ctx, input }) => holdOrder(ctx, input)),
  holdSeveral: staffProcedure.input(holdSeveralInput).mutation(({ ctx, input }) => holdSeveral(ctx, input)),
  release: staffProcedure.input(openHoldInput).mutation(({ ctx, input }) => releaseOrder(ctx, input)),
  answer: userProcedure.input(holdAnswerInput).mutation(({ ctx, input }) => answerShop(ctx, input)),
  quote: userProcedure.input(holdChangesInput).query(({ ctx, input }) => quoteChanges(ctx, input)),
  change: userProcedure.input(agreeChangesInput).mutation(({ ctx, input }) => changeOrder(ctx, input)),
  cancel: userProcedure.input(openHoldInput).mutation(({ ctx, input }) => cancelHeldOrder(ctx, input)),
});
