import { createFileRoute } from "@tanstack/react-router";
import { PageHeader } from "../../ui/page-header.tsx";

export const Route = createFileRoute("/_staff/audit")({ component: AuditPage });

function AuditPage() {
  return <PageHeader title="Audit log" />;
}
