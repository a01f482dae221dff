import { createFileRoute } from "@tanstack/react-router";
import { SettingsPage } from "../../features/settings/settings-page.tsx";
import { pageHead } from "../../lib/page-head.ts";

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
  component: SettingsRoute,
});

function SettingsRoute() {
  const { user } = Route.useRouteContext();
  return <SettingsPage user={user} />;
}
