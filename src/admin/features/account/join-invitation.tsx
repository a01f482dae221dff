import { Anchor, Text } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { PaperScreen } from "../../ui/paper-screen.tsx";

interface JoinInvitationProps {
  invitation: { email: string; role: StaffRole; shops: string[] };
}

const LIST = new Intl.ListFormat("en-IN", { type: "conjunction" });

/** What an invitation offers, and to whom. */
export function JoinInvitation({ invitation: { email, role, shops } }: JoinInvitationProps) {
  const place = role === "admin" ? "the whole store, as an admin" : LIST.format(shops);
  return (
    <Text mb="md">
      {email} is invited to work at {place}.
    </Text>
  );
}

/** In place of an invitation whose link does not work. */
export function JoinFailure({ error }: { error: unknown }) {
  return (
    <PaperScreen title="Join the staff">
      <Text mb="md">{messageOf(error)}</Text>
      <Anchor href="/admin/login" underline="always">
        To the staff login
      </Anchor>
    </PaperScreen>
  );
}
