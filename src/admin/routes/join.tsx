import { createFileRoute } from "@tanstack/react-router";
import { JoinInvitation } from "../features/account/join-invitation.tsx";
import { PaperScreen } from "../ui/paper-screen.tsx";

/** Where the link of a mailed invitation leads. */
export const Route = createFileRoute("/join")({
  validateSearch: (search: Record<string, unknown>): { token: string } => ({
    token: String(search.token ?? ""),
  }),
  component: JoinPage,
});

function JoinPage() {
  const { token } = Route.useSearch();
  return (
    <PaperScreen title="Join the staff">
      <JoinInvitation token={token} />
    </PaperScreen>
  );
}
