import { useCurrentShop } from "#admin/lib/current-shop.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Rows } from "../../ui/rows.tsx";
import { useSearchOn } from "../../ui/use-search-on.ts";
import { type AuditFilter, periodOf } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";

interface AuditScreenProps {
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

/** Everything that staff did. Nobody can change what stands here. */
export function AuditScreen({ filter, onFilter }: AuditScreenProps) {
  const { search, action } = filter;
  const query = trpc.audit.list.useInfiniteQuery(
    { search, action, shopId: useCurrentShop(), ...periodOf(filter) },
    { getNextPageParam: (page) => page.next, placeholderData: (shown) => shown, staleTime: 0 },
  );
  useSearchOn(query);
  const lines = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <PageHeader title="Audit log" lead="What staff did, the newest first. Nothing here can be changed." />
      <AuditFilters filter={filter} onChange={onFilter} />
      <ListStates
        query={query}
        isEmpty={lines.length === 0}
        empty={{ title: "Nothing found", text: "Nothing that staff did fits this search." }}
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
