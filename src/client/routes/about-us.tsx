import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/about-us")({
  head: () => pageHead({ path: "/about-us", title: "About", description: "About" }),
  component: AboutPage,
});

function AboutPage() {
  return <PageTitle>About</PageTitle>;
}
