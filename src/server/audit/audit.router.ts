import { auditListInput } from "#shared/schemas/audit.ts";
import { ownerProcedure, router } from "../trpc.ts";
import { listAudit } from "./audit.service.ts";

export const auditRouter = router({
  list: ownerProcedure.input(auditListInput).query(({ ctx, input }) => listAudit(ctx, input)),
});
