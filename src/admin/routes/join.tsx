import { createFileRoute } from "@tanstack/react-router";
import { JoinInvitation } from "../features/account/join-invitation.tsx";
import { CenteredScreen } from "../ui/screen.tsx";

/** The page of a mailed invitation link. */
export const Route = createFileRoute("/join")({
  validateSearch: (search: Record<string, unknown>): { token: string } => ({
    token: String(search.token ?? ""),
  }),
  component: JoinPage,
});

function JoinPage() {
  const { token } = Route.useSearch();
  return (
    <CenteredScreen title="Join the staff">
      <JoinInvitation token={token} />
    </CenteredScreen>
  );
}
