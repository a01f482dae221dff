import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { OrdersScreen } from "../../features/orders/orders-screen.tsx";
import { type OrdersSearch, readOrdersSearch } from "../../features/orders/orders-search.ts";

export const Route = createFileRoute("/_staff/orders")({
  validateSearch: readOrdersSearch,
  component: OrdersPage,
});

function OrdersPage() {
  const shown = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const show = useCallback(
    (changes: OrdersSearch) => {
      // Only opening an order adds a history entry, so that Back leads from it to the list.
      const opens = changes.order !== undefined && router.state.location.search.order === undefined;
      void navigate({ search: (search) => ({ ...search, ...changes }), replace: !opens, resetScroll: false });
    },
    [navigate, router],
  );
  return <OrdersScreen shown={shown} onShow={show} />;
}
