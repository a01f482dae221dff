import { Text } from "@mantine/core";
import { momentText } from "#admin/lib/times.ts";
import { AUDIT_ACTIONS, type AuditAction } from "#shared/audit-actions.ts";
import { AuditChanges } from "./audit-changes.tsx";
import classes from "./audit-row.module.css";

export interface AuditLine {
  createdAt: string;
  by: { name: string; email: string };
  action: AuditAction;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Who did what, when, and what it changed. */
export function AuditRow({ line }: { line: AuditLine }) {
  const { createdAt, by, action, subject } = line;
  return (
    <li className={classes.row}>
      <time dateTime={createdAt} className={classes.time}>
        {momentText(createdAt)}
      </time>
      <div>
        <Text fw={600} component="p">
          {AUDIT_ACTIONS[action]}: {subject}
        </Text>
        <Text c="dimmed" size="sm" component="p">
          {[by.name, by.email].filter(Boolean).join(", ")}
        </Text>
      </div>
      <AuditChanges before={line.before} after={line.after} />
    </li>
  );
}
