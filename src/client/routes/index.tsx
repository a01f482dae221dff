import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/")({
  head: () => pageHead({ path: "/", title: "Online Printing Shop", description: "Online Printing Shop" }),
  component: HomePage,
});

function HomePage() {
  return <PageTitle>Online Printing Shop</PageTitle>;
}
