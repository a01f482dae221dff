import { createFileRoute } from "@tanstack/react-router";
import { ProfilePage } from "../../features/profile/profile-page.tsx";
import { pageHead } from "../../lib/page-head.ts";

export const Route = createFileRoute("/_user/profile")({
  loader: ({ context }) => context.utils.addresses.list.prefetch(undefined, { retry: false }),
  head: () => pageHead({ title: "Profile", description: "Your account at Print Store." }),
  component: ProfileRoute,
});

function ProfileRoute() {
  const { user } = Route.useRouteContext();
  return <ProfilePage user={user} />;
}
