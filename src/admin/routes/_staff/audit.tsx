import { createFileRoute } from "@tanstack/react-router";
import { AuditScreen } from "../../features/audit/audit-screen.tsx";
import { readAuditFilter } from "../../lib/screen-searches.ts";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/audit")({
  beforeLoad: screenOf("audit.list"),
  validateSearch: readAuditFilter,
  component: AuditScreen,
});
