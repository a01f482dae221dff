import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/contact-us")({
  head: () => pageHead({ title: "Contact", description: "Contact" }),
  component: ContactPage,
});

function ContactPage() {
  return <PageTitle>Contact</PageTitle>;
}
