import { Alert, Button, Stack, Switch, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { showFailure } from "#admin/lib/notices.ts";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { rolesGivenBy } from "#shared/permissions.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { InvitationRow } from "./invitation-row.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import type { Person } from "./people.ts";
import { PersonRow } from "./person-row.tsx";

/** Who works in the console, and who is invited to. */
export function PeopleScreen() {
  const you = useStaffUser();
  const { data, error } = trpc.staff.list.useQuery(undefined, { staleTime: 0 });
  const [inviting, invite] = useDisclosure();
  const [changed, setChanged] = useState<Person | null>(null);

  return (
    <>
      <PageHeader
        title="People"
        lead={you.role === "admin" ? "Who works in this console." : "Who works at your shops."}
      >
        <Button leftSection={<IconUserPlus size={18} />} onClick={invite.open}>
          Invite
        </Button>
      </PageHeader>
      {error && <Alert color="red">{messageOf(error)}</Alert>}
      {!data && !error && <Waiting />}
      {data && (
        <Stack gap="xl">
          {you.role === "admin" && <SecondFactorRule />}
          <Rows label="Staff">
            {data.people.map((person) => (
              <PersonRow
                key={person._id}
                person={person}
                isYou={person._id === you._id}
                isYours={person._id !== you._id && rolesGivenBy(you.role).includes(person.role)}
                onChange={() => setChanged(person)}
              />
            ))}
          </Rows>
          {data.invitations.length > 0 && (
            <section>
              <Title order={2} size="h5" mb="xs">
                Invited
              </Title>
              <Rows label="Invitations">
                {data.invitations.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} />
                ))}
              </Rows>
            </section>
          )}
        </Stack>
      )}
      <InviteDialog opened={inviting} onClose={invite.close} />
      <ChangeDialog person={changed} onClose={() => setChanged(null)} />
    </>
  );
}

function SecondFactorRule() {
  const { staff } = trpc.useUtils();
  const { data } = trpc.staff.secondFactorRule.useQuery();
  const set = trpc.staff.setSecondFactorRule.useMutation({
    onSettled: () => staff.secondFactorRule.invalidate(),
    onError: showFailure,
  });
  return (
    <Switch
      label="Owners and counter staff must use a second factor"
      description="Anyone without one sets it up at the next login. Admins always need one where the store is open to the world."
      checked={data?.required ?? false}
      disabled={!data || set.isPending}
      onChange={(event) => set.mutate({ required: event.currentTarget.checked })}
    />
  );
}
