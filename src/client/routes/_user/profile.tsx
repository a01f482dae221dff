import { createFileRoute } from "@tanstack/react-router";
import { ProfileFacts } from "#client/features/account-pages/profile-facts.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/profile")({
  head: () => pageHead({ title: "Profile", description: "Your account at Print Store." }),
  component: ProfilePage,
});

function ProfilePage() {
  const { user } = Route.useRouteContext();
  return (
    <>
      <PageTitle lead="What the shops know about you when you order.">Profile</PageTitle>
      <ProfileFacts user={user} />
    </>
  );
}
