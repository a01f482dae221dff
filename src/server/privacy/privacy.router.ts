import { deleteAccountInput } from "#shared/schemas/profile.ts";
import { router, userProcedure } from "../trpc.ts";
import { collectPersonalData, deleteAccount } from "./privacy.service.ts";

export const privacyRouter = router({
  myData: userProcedure.query(({ ctx }) => collectPersonalData(ctx)),
  deleteAccount: userProcedure
    .input(deleteAccountInput)
    .mutation(({ ctx, input }) => deleteAccount(ctx, input)),
});
