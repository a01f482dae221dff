import { createFileRoute } from "@tanstack/react-router";
import { PushCard } from "../../features/push/push-card.tsx";
import { AppearanceCard } from "../../features/settings/appearance-card.tsx";
import { DevicesCard } from "../../features/settings/devices-card.tsx";
import { MailsCard } from "../../features/settings/mails-card.tsx";
import { YourDataCard } from "../../features/settings/your-data-card.tsx";
import { pageHead } from "../../lib/page-head.ts";
import { CardColumn } from "../../ui/card.tsx";
import { PageTitle } from "../../ui/page-title.tsx";

export const Route = createFileRoute("/_user/settings")({
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.accounts.mailChoices.prefetch(undefined, { retry: false }),
      utils.push.device.prefetch(undefined, { retry: false }),
      utils.accounts.devices.prefetch(undefined, { retry: false }),
    ]),
  head: () =>
    pageHead({
      title: "Settings",
      description:
        "Your emails and notifications, how Print Store looks, where you are logged in, and your data.",
    }),
  component: SettingsPage,
});

function SettingsPage() {
  const { user } = Route.useRouteContext();
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <CardColumn>
        <MailsCard />
        <PushCard />
        <AppearanceCard />
        <DevicesCard />
        <YourDataCard user={user} />
      </CardColumn>
    </>
  );
}
