import { createFileRoute } from "@tanstack/react-router";
import { OrdersScreen } from "../../features/orders-board/orders-screen.tsx";
import { readOrdersSearch } from "../../lib/screen-searches.ts";

export const Route = createFileRoute("/_staff/orders")({
  validateSearch: readOrdersSearch,
  component: OrdersScreen,
});
