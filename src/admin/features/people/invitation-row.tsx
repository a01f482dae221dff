import { Button, Group, Text } from "@mantine/core";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { momentText } from "../../lib/times.ts";
import classes from "./people.module.css";
import type { Invitation } from "./people.ts";
import { RoleText } from "./role-text.tsx";

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, expired, expiresAt, invitedBy, isYours } = invitation;
  const utils = trpc.useUtils();
  const saying = (text: string) => ({
    onSuccess: async () => {
      showDone(text);
      await utils.staff.list.invalidate();
    },
    onError: showFailure,
  });
  const reinvite = trpc.staff.reinvite.useMutation(saying(`A new link is on its way to ${email}`));
  const withdraw = trpc.staff.withdraw.useMutation(saying(`The invitation to ${email} was withdrawn`));

  return (
    <li className={classes.row}>
      <div>
        <Text fw={600} component="p" className={classes.address}>
          {email}
        </Text>
        <Text c={expired ? "var(--bad)" : "dimmed"} component="p">
          {expired ? "Expired" : `Valid until ${momentText(expiresAt)}`}, invited by {invitedBy}
        </Text>
      </div>
      <RoleText role={invitation.role} shops={invitation.shops} />
      {isYours && (
        <Group gap="xs" justify="flex-end">
          <Button
            size="xs"
            variant="default"
            loading={reinvite.isPending}
            onClick={(event) => {
              ignoreSecondPress(event);
              reinvite.mutate({ id });
            }}
            aria-label={`Send again to ${email}`}
          >
            Send again
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={withdraw.isPending}
            onClick={(event) => {
              ignoreSecondPress(event);
              withdraw.mutate({ id });
            }}
            aria-label={`Withdraw the invitation to ${email}`}
          >
            Withdraw
          </Button>
        </Group>
      )}
    </li>
  );
}
