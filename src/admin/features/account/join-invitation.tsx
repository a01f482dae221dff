import { Anchor, Text } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { JoinForm } from "./join-form.tsx";
import { JoinWithAccount } from "./join-with-account.tsx";

const LIST = new Intl.ListFormat("en-IN", { type: "conjunction" });

const WORK: Record<StaffRole, (shops: string) => string> = {
  counter: (shops) => `to work at the counter of ${shops}`,
  owner: (shops) => `to run ${shops}`,
  admin: () => "to run the whole store, as an admin",
};

/** What an invitation offers, and how to accept it: with a new account, or with the one that there is. */
export function JoinInvitation({ token }: { token: string }) {
  const { data, error } = trpc.staff.invitation.useQuery({ token }, { retry: false, staleTime: Infinity });
  if (error) return <DeadInvitation message={messageOf(error)} />;
  if (!data) return <Waiting />;
  const { email, role, shops, fullName, asksNewPassword } = data;
  return (
    <>
      <Text mb="md">
        {email} is invited {WORK[role](LIST.format(shops))}.
      </Text>
      {fullName === null ? (
        <JoinForm token={token} email={email} />
      ) : (
        <JoinWithAccount token={token} email={email} fullName={fullName} asksNewPassword={asksNewPassword} />
      )}
    </>
  );
}

function DeadInvitation({ message }: { message: string }) {
  return (
    <>
      <Text mb="md">{message}</Text>
      <Anchor href="/admin/login" underline="always">
        To the staff login
      </Anchor>
    </>
  );
}
