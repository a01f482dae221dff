import { createFileRoute } from "@tanstack/react-router";
import { ShopsScreen } from "../../../features/shops/shops-screen.tsx";
import { screenOf } from "../../../lib/session.ts";

export const Route = createFileRoute("/_staff/shops/")({
  beforeLoad: screenOf("shops.admin.list"),
  validateSearch: ({ search }: Record<string, unknown>): { search?: string } =>
    typeof search === "string" && search ? { search } : {},
  component: ShopsScreen,
});
