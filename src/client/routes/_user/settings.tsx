import { createFileRoute } from "@tanstack/react-router";
import { AppearanceCard } from "#client/features/settings/appearance-card.tsx";
import { MailsCard } from "#client/features/settings/mails-card.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { CardColumn } from "#client/ui/card-column.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/settings")({
  head: () => pageHead({ title: "Settings", description: "Which mails you get, and how Print Store looks." }),
  component: SettingsPage,
});

function SettingsPage() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <CardColumn>
        <MailsCard />
        <AppearanceCard />
      </CardColumn>
    </>
  );
}
