import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/profile")({
  head: () => pageHead({ title: "Profile", description: "Profile" }),
  component: ProfilePage,
});

function ProfilePage() {
  return <PageTitle>Profile</PageTitle>;
}
