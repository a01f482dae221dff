import { z } from "zod";
import { AUDIT_ACTIONS, type AuditAction } from "../audit-actions.ts";
import { idField, optionalText } from "./fields.ts";
import { listPlace } from "./paging.ts";

const ACTIONS = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

export const auditListInput = z.object({
  /** Parts of who, what, before and after; all of them must be found. */
  search: optionalText(200),
  action: z.enum(ACTIONS).optional(),
  shopId: idField.optional(),
  /** At or after this moment, and before that one. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  /** Set by React Query to the `next` of the page before. */
  cursor: listPlace.nullish(),
});
export type AuditListInput = z.output<typeof auditListInput>;
