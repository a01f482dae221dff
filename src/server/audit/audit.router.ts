import { auditListInput } from "#shared/schemas/audit.ts";
import { router, staffProcedure } from "../trpc.ts";
import { listAudit } from "./audit.list.service.ts";

export const auditRouter = router({
  list: staffProcedure.input(auditListInput).query(({ ctx, input }) => listAudit(ctx, input)),
});
