import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/privacy-policy")({
  head: () => pageHead({ path: "/privacy-policy", title: "Privacy Policy", description: "Privacy Policy" }),
  component: PrivacyPage,
});

function PrivacyPage() {
  return <PageTitle>Privacy Policy</PageTitle>;
}
