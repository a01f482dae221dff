import { createFileRoute } from "@tanstack/react-router";
import { readAuditFilter } from "../../features/audit/audit-filter.ts";
import { AuditScreen } from "../../features/audit/audit-screen.tsx";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/audit")({
  beforeLoad: screenOf("audit.list"),
  validateSearch: readAuditFilter,
  component: AuditScreen,
});
