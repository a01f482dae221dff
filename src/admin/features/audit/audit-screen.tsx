import { Group, Select, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { indianMoment } from "#shared/indian-time.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import TbSearch from "~icons/tabler/search";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { type AuditFilter, readAuditFilter } from "../../lib/screen-searches.ts";
import { momentsOf } from "../../lib/times.ts";
import { DayField, SearchField } from "../../ui/filter-fields.tsx";
import { ListStates, Rows, useAutoFetch } from "../../ui/paged-list.tsx";
import { PageHeader } from "../../ui/screen.tsx";
import classes from "./audit-screen.module.css";

const route = getRouteApi("/_staff/audit");

/** The audit log, which nobody can change. */
export function AuditScreen() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { search, action } = filter;
  const query = trpc.audit.list.useInfiniteQuery(
    { search, action, shopId: useCurrentShop(), ...momentsOf(filter) },
    { getNextPageParam: (page) => page.next, placeholderData: (shown) => shown, staleTime: 0 },
  );
  useAutoFetch(query);
  const lines = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <PageHeader title="Audit log" lead="What staff did, newest first. Entries cannot be changed." />
      <AuditFilters
        filter={filter}
        onChange={(next) => navigate({ search: (search) => ({ ...search, ...next }), replace: true })}
      />
      <ListStates
        query={query}
        isEmpty={lines.length === 0}
        empty={{ title: "Nothing found", text: "No entries match this search." }}
      >
        <Rows label="What staff did">
          {lines.map((line) => (
            <AuditRow key={line.id} line={line} />
          ))}
        </Rows>
      </ListStates>
    </>
  );
}

type AuditLine = RouterOutputs["audit"]["list"]["rows"][number];

/** Who did what, when, and what it changed. */
function AuditRow({ line }: { line: AuditLine }) {
  const { createdAt, by, action, subject } = line;
  return (
    <li className={classes.row}>
      <time dateTime={createdAt} className={classes.time}>
        {indianMoment(createdAt)}
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

const ACTIONS = Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label }));

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const change = (part: Record<string, unknown>) => onChange(readAuditFilter({ ...filter, ...part }));
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <SearchField
        label="Search"
        placeholder="Who, what, before, after"
        leftSection={<TbSearch size={16} />}
        value={filter.search ?? ""}
        onSearch={(search) => change({ search })}
      />
      <Select
        label="Action"
        placeholder="All actions"
        data={ACTIONS}
        value={filter.action ?? null}
        onChange={(action) => change({ action })}
        clearable
        searchable
        clearButtonProps={{ "aria-label": "Show all actions" }}
      />
      <DayField label="From" value={filter.fromDay ?? ""} onDay={(fromDay) => change({ fromDay })} />
      <DayField label="To" value={filter.untilDay ?? ""} onDay={(untilDay) => change({ untilDay })} />
    </Group>
  );
}

type Fields = Record<string, unknown>;

interface AuditChangesProps {
  before: Fields | null;
  after: Fields | null;
}

/** How many fields, and how much of each, are shown without a click. */
const SHOWN_FIELDS = 5;
const SHOWN_CHARACTERS = 160;

/** The fields that an action changed, before and after. */
function AuditChanges({ before, after }: AuditChangesProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const fields = names.map((name) => <ChangedField key={name} name={name} before={before} after={after} />);
  const others = fields.slice(SHOWN_FIELDS);
  return (
    <div>
      {fields.length > 0 && <dl>{fields.slice(0, SHOWN_FIELDS)}</dl>}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <dl>{others}</dl>
        </details>
      )}
    </div>
  );
}

function ChangedField({ name, before, after }: AuditChangesProps & { name: string }) {
  return (
    <div className={classes.field}>
      <dt>{inWords(name)}</dt>
      <dd>
        {before && name in before && (
          <del className={classes.before}>
            <Value value={before[name]} />
          </del>
        )}{" "}
        {after && name in after && (
          <ins className={classes.after}>
            <Value value={after[name]} />
          </ins>
        )}
      </dd>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  const text = valueText(value);
  if (text.length <= SHOWN_CHARACTERS) return text;
  return (
    <details>
      <summary>{text.slice(0, SHOWN_CHARACTERS)} …</summary>
      {text}
    </details>
  );
}

/** `contactNumber` as `contact number`. Names of options, as in "Paper type: 70 GSM", stay as they are. */
function inWords(name: string): string {
  if (!/^[a-z]\w*$/.test(name)) return name;
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** ISO 8601 in UTC, as the store writes moments. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "none";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return MOMENT.test(text) ? indianMoment(text) : text;
}
