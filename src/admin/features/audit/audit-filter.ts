import { isDay } from "#admin/lib/times.ts";
import { AUDIT_ACTIONS, type AuditAction } from "#shared/audit-actions.ts";

/** The audit log's filter, kept in the URL. Days as in date fields, `2026-11-21`. */
export interface AuditFilter {
  search?: string;
  action?: AuditAction;
  fromDay?: string;
  untilDay?: string;
}

export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const { search: text, action, fromDay, untilDay } = search;
  return {
    search: typeof text === "string" && text ? text : undefined,
    action: isAction(action) ? action : undefined,
    fromDay: isDay(fromDay) ? fromDay : undefined,
    untilDay: isDay(untilDay) ? untilDay : undefined,
  };
}

function isAction(value: unknown): value is AuditAction {
  return typeof value === "string" && Object.hasOwn(AUDIT_ACTIONS, value);
}
