import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { QueueScreen } from "../../features/queue/queue-screen.tsx";
import { type QueueSearch, readQueueSearch } from "../../features/queue/queue-search.ts";

export const Route = createFileRoute("/_staff/orders")({
  validateSearch: readQueueSearch,
  component: OrdersPage,
});

function OrdersPage() {
  const shown = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const show = useCallback(
    (changes: QueueSearch) => {
      // The way back leads from an order to the list, and past everything else that was looked at.
      const opens = changes.order !== undefined && router.state.location.search.order === undefined;
      void navigate({ search: (search) => ({ ...search, ...changes }), replace: !opens, resetScroll: false });
    },
    [navigate, router],
  );
  return <QueueScreen shown={shown} onShow={show} />;
}
