import { idInput, ofUser, tokenInput } from "#shared/schemas/ids.ts";
import { secondFactorRuleInput } from "#shared/schemas/second-factors.ts";
import { acceptInvitationInput, changeStaffInput, inviteInput, myShopsInput } from "#shared/schemas/staff.ts";
import {
  adminProcedure,
  ownerProcedure,
  publicProcedure,
  recentAuth,
  router,
  staffProcedure,
} from "../trpc.ts";
import {
  acceptInvitation,
  inviteStaff,
  readInvitation,
  resendInvitation,
  withdrawInvitation,
} from "./invitations.service.ts";
import {
  changeStaff,
  findMyShops,
  getSecondFactorRule,
  listStaff,
  removeStaff,
  resetSecondFactor,
  setSecondFactorRule,
} from "./staff.service.ts";

export const staffRouter = router({
  myShops: staffProcedure.input(myShopsInput.prefault({})).query(({ ctx, input }) => findMyShops(ctx, input)),
  list: ownerProcedure.query(({ ctx }) => listStaff(ctx)),
  // What the form lacks is said before the password is asked for.
  invite: ownerProcedure
    .input(inviteInput)
    .use(recentAuth)
    .mutation(({ ctx, input }) => inviteStaff(ctx, input)),
  reinvite: ownerProcedure
    .use(recentAuth)
    .input(idInput)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input)),
  withdraw: ownerProcedure
    .use(recentAuth)
    .input(idInput)
    .mutation(({ ctx, input }) => withdrawInvitation(ctx, input)),
  /** The details of a mailed invitation, for the person who has its link. */
  invitation: publicProcedure.input(tokenInput).query(({ ctx, input }) => readInvitation(ctx, input)),
  accept: publicProcedure
    .input(acceptInvitationInput)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, input)),
  resetSecondFactor: adminProcedure
    .use(recentAuth)
    .input(ofUser)
    .mutation(({ ctx, input }) => resetSecondFactor(ctx, input)),
  secondFactorRule: adminProcedure.query(({ ctx }) => getSecondFactorRule(ctx)),
  setSecondFactorRule: adminProcedure
    .use(recentAuth)
    .input(secondFactorRuleInput)
    .mutation(({ ctx, input }) => setSecondFactorRule(ctx, input)),
  change: ownerProcedure
    .input(changeStaffInput)
    .use(recentAuth)
    .mutation(({ ctx, input }) => changeStaff(ctx, input)),
  remove: ownerProcedure
    .use(recentAuth)
    .input(ofUser)
    .mutation(({ ctx, input }) => removeStaff(ctx, input)),
});
