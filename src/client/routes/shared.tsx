import { createFileRoute } from "@tanstack/react-router";
import { SharedPage } from "../features/shared/shared-page.tsx";
import { pageHead } from "../lib/page-head.ts";

interface SharedSearch {
  left?: number;
  missed?: boolean;
}

export const Route = createFileRoute("/shared")({
  validateSearch: ({ left, missed }: Record<string, unknown>): SharedSearch => ({
    ...(Number.isInteger(left) && { left: Number(left) }),
    ...(missed === 1 && { missed: true }),
  }),
  head: () =>
    pageHead({ title: "Shared files", description: "Print what another app has shared with Print Store." }),
  component: SharedRoute,
});

function SharedRoute() {
  const { left = 0, missed = false } = Route.useSearch();
  return <SharedPage leftOut={left} isMissed={missed} />;
}
