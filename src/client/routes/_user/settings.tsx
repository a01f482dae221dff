import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/settings")({
  head: () => pageHead({ title: "Settings", description: "Settings" }),
  component: SettingsPage,
});

function SettingsPage() {
  return <PageTitle>Settings</PageTitle>;
}
