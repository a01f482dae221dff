import { createFileRoute } from "@tanstack/react-router";
import { AppearanceChoice } from "#client/features/account-pages/appearance-choice.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/settings")({
  head: () => pageHead({ title: "Settings", description: "How Print Store looks." }),
  component: SettingsPage,
});

function SettingsPage() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <AppearanceChoice />
    </>
  );
}
