import { createFileRoute } from "@tanstack/react-router";
import { AddressesCard } from "../../features/profile/addresses-card.tsx";
import { DetailsCard } from "../../features/profile/details-card.tsx";
import { PasswordCard } from "../../features/profile/password-card.tsx";
import { pageHead } from "../../lib/page-head.ts";
import { CardColumn } from "../../ui/card.tsx";
import { PageTitle } from "../../ui/page-title.tsx";

export const Route = createFileRoute("/_user/profile")({
  loader: ({ context }) => context.utils.addresses.list.prefetch(undefined, { retry: false }),
  head: () => pageHead({ title: "Profile", description: "Your account at Print Store." }),
  component: ProfilePage,
});

function ProfilePage() {
  const { user } = Route.useRouteContext();
  return (
    <>
      <PageTitle lead="What the shops know about you when you order.">Profile</PageTitle>
      <CardColumn>
        <DetailsCard user={user} />
        <AddressesCard />
        <PasswordCard user={user} />
      </CardColumn>
    </>
  );
}
