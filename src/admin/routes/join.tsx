import { createFileRoute } from "@tanstack/react-router";
import { JoinForm } from "../features/account/join-form.tsx";
import { JoinFailure, JoinInvitation } from "../features/account/join-invitation.tsx";
import { JoinWithAccount } from "../features/account/join-with-account.tsx";
import { PaperScreen } from "../ui/paper-screen.tsx";

/** Where the link of a mailed invitation leads. */
export const Route = createFileRoute("/join")({
  validateSearch: (search: Record<string, unknown>): { token: string } => ({
    token: String(search.token ?? ""),
  }),
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context, deps }) => context.utils.staff.invitation.fetch(deps),
  component: JoinPage,
  errorComponent: JoinFailure,
});

function JoinPage() {
  const invitation = Route.useLoaderData();
  const { token } = Route.useSearch();
  return (
    <PaperScreen title="Join the staff">
      <JoinInvitation invitation={invitation} />
      {invitation.fullName === null ? (
        <JoinForm token={token} email={invitation.email} />
      ) : (
        <JoinWithAccount token={token} fullName={invitation.fullName} />
      )}
    </PaperScreen>
  );
}
