import { z } from "zod";
import { AUDIT_ACTIONS, type AuditAction } from "../audit-actions.ts";
import { idField, optionalText } from "./fields.ts";
import { pageCursor } from "./paging.ts";

const ACTIONS = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

export const auditListInput = z.object({
  /** Words in the actor, the subject, and the fields before and after; all must be found. */
  search: optionalText(200),
  action: z.enum(ACTIONS).optional(),
  shopId: idField.optional(),
  /** At or after `from`, and before `until`. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  cursor: pageCursor,
});
export type AuditListInput = z.output<typeof auditListInput>;
