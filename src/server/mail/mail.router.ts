import { idInput } from "#shared/schemas/ids.ts";
import { mailListInput } from "#shared/schemas/mails.ts";
import { adminProcedure, router } from "../trpc.ts";
import { listOutbox, outboxStats, readMail, resendMail } from "./mail.service.ts";

export const mailRouter = router({
  list: adminProcedure.input(mailListInput).query(({ ctx, input }) => listOutbox(ctx, input)),
  stats: adminProcedure.query(({ ctx }) => outboxStats(ctx)),
  byId: adminProcedure.input(idInput).query(({ ctx, input }) => readMail(ctx, input)),
  resend: adminProcedure.input(idInput).mutation(({ ctx, input }) => resendMail(ctx, input)),
});
