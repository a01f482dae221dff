import { mailIdInput, mailListInput } from "#shared/schemas/mails.ts";
import { adminProcedure, router } from "../trpc.ts";
import { listOutbox, outboxStats, readMail, resendMail } from "./mail.service.ts";

export const mailRouter = router({
  list: adminProcedure.input(mailListInput).query(({ ctx, input }) => listOutbox(ctx, input)),
  facts: adminProcedure.query(({ ctx }) => outboxStats(ctx)),
  byId: adminProcedure.input(mailIdInput).query(({ ctx, input }) => readMail(ctx, input)),
  resend: adminProcedure.input(mailIdInput).mutation(({ ctx, input }) => resendMail(ctx, input)),
});
