import { Group, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { type AuditFilter, readAuditFilter } from "./audit-filter.ts";

const ACTIONS = Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label }));

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const change = (part: Record<string, unknown>) => onChange(readAuditFilter({ ...filter, ...part }));
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <SearchField
        label="Search"
        placeholder="Who, what, before, after"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={filter.search ?? ""}
        onSearch={(search) => change({ search })}
      />
      <Select
        label="Action"
        placeholder="Every action"
        data={ACTIONS}
        value={filter.action ?? null}
        onChange={(action) => change({ action })}
        clearable
        searchable
        clearButtonProps={{ "aria-label": "Show every action" }}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.fromDay ?? ""}
        onChange={(event) => change({ fromDay: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Until"
        value={filter.untilDay ?? ""}
        onChange={(event) => change({ untilDay: event.currentTarget.value })}
      />
    </Group>
  );
}
