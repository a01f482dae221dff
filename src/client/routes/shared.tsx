import { createFileRoute } from "@tanstack/react-router";
import { SharedPage } from "../features/shared-files/shared-page.tsx";
import { pageHead } from "../lib/page-head.ts";

interface SharedSearch {
  left?: number;
  missed?: 1;
}

export const Route = createFileRoute("/shared")({
  validateSearch: ({ left, missed }: Record<string, unknown>): SharedSearch => ({
    ...(Number.isInteger(left) && { left: Number(left) }),
    ...(missed === 1 && { missed }),
  }),
  head: () =>
    pageHead({ title: "Shared files", description: "Print what another app has shared with Print Store." }),
  component: SharedRoute,
});

function SharedRoute() {
  const { left = 0, missed } = Route.useSearch();
  return <SharedPage leftOut={left} isMissed={missed === 1} />;
}
