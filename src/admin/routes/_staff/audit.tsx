import { createFileRoute } from "@tanstack/react-router";
import { readAuditFilter } from "../../features/audit/audit-filter.ts";
import { AuditScreen } from "../../features/audit/audit-screen.tsx";

export const Route = createFileRoute("/_staff/audit")({
  validateSearch: readAuditFilter,
  component: AuditPage,
});

function AuditPage() {
  const filter = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AuditScreen
      filter={filter}
      onFilter={(next) => navigate({ search: (search) => ({ ...search, ...next }), replace: true })}
    />
  );
}
