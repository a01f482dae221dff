import { Badge, Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { indianMoment } from "#shared/indian-time.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { pressOnce } from "#ui/double-press.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { useStaffUser } from "../../lib/session.ts";
import classes from "./people-rows.module.css";

interface PersonRowProps {
  person: Person;
  isYou: boolean;
  /** Whether the user may change and remove them: nobody their own role, owners only counter staff. */
  isYours: boolean;
  onChange: () => void;
}

export function PersonRow({ person, isYou, isYours, onChange }: PersonRowProps) {
  const isForAll = useStaffUser().role === "admin";
  const utils = trpc.useUtils();
  const remove = trpc.staff.remove.useMutation({
    onSuccess: () =>
      showDone(`${person.fullName} was removed from ${isForAll ? "the staff" : "your shops"} and logged out`),
    onError: showFailure,
    onSettled: () => utils.staff.list.invalidate(),
  });

  const reset = trpc.staff.resetSecondFactor.useMutation({
    onSuccess: () => showDone(`${person.fullName} has no second factor now and is logged out`),
    onError: showFailure,
  });
  const askToReset = () =>
    modals.openConfirmModal({
      title: `Reset the second factor of ${person.fullName}?`,
      children:
        "For someone who has lost their phone and passkeys. They will be logged out and get an email. First make sure the request really comes from them.",
      labels: { confirm: "Reset", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => reset.mutate({ userId: person._id }),
    });

  const askToRemove = () =>
    modals.openConfirmModal({
      title: `Remove ${person.fullName}?`,
      children: isForAll
        ? "They will be logged out and lose access to the console. They keep their own orders."
        : "They will be logged out and lose access to your shops. They keep their own orders.",
      labels: { confirm: "Remove from the staff", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ userId: person._id }),
    });

  return (
    <li className={classes.row}>
      <div>
        <Text fw={600} component="p">
          {person.fullName}
          {isYou && " (you)"}
        </Text>
        <Text c="dimmed" component="p" className={classes.address}>
          {person.email}
        </Text>
      </div>
      <RoleText role={person.role} shops={person.shops} />
      {isYours && (
        <Group gap="xs" className={classes.actions}>
          {isForAll && (
            <Button
              size="xs"
              variant="default"
              loading={reset.isPending}
              onClick={askToReset}
              aria-label={`Reset second factor of ${person.fullName}`}
            >
              Reset second factor
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onChange} aria-label={`Change ${person.fullName}`}>
            Change
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={remove.isPending}
            onClick={askToRemove}
            aria-label={`Remove ${person.fullName}`}
          >
            Remove
          </Button>
        </Group>
      )}
    </li>
  );
}

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, expired, expiresAt, invitedBy, isYours } = invitation;
  const utils = trpc.useUtils();
  const then = (notice: string) => ({
    onSuccess: () => showDone(notice),
    onError: showFailure,
    onSettled: () => utils.staff.list.invalidate(),
  });
  const reinvite = trpc.staff.reinvite.useMutation(then(`A new link is on its way to ${email}`));
  const withdraw = trpc.staff.withdraw.useMutation(then(`The invitation to ${email} was withdrawn`));

  return (
    <li className={classes.row}>
      <div>
        <Text fw={600} component="p" className={classes.address}>
          {email}
        </Text>
        <Text c={expired ? "var(--bad)" : "dimmed"} component="p">
          {expired ? "Expired" : `Valid until ${indianMoment(expiresAt)}`}, invited by {invitedBy}
        </Text>
      </div>
      <RoleText role={invitation.role} shops={invitation.shops} />
      {isYours && (
        <Group gap="xs" justify="flex-end">
          <Button
            size="xs"
            variant="default"
            loading={reinvite.isPending}
            onClick={pressOnce(() => reinvite.mutate({ id }))}
            aria-label={`Send again to ${email}`}
          >
            Send again
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={withdraw.isPending}
            onClick={pressOnce(() => withdraw.mutate({ id }))}
            aria-label={`Withdraw the invitation to ${email}`}
          >
            Withdraw
          </Button>
        </Group>
      )}
    </li>
  );
}

interface RoleTextProps {
  role: StaffRole;
  shops: { id: string; name: string }[];
}

/** A role and its shops. */
function RoleText({ role, shops }: RoleTextProps) {
  const place = role === "admin" ? "All shops" : shops.map((shop) => shop.name).join(", ");
  return (
    <div>
      <Badge variant="light" color={role === "admin" ? "marigold" : "gray"} c="var(--ink)">
        {role}
      </Badge>
      <Text size="sm" component="p" mt={2}>
        {place || "No shop"}
      </Text>
    </div>
  );
}

type StaffList = RouterOutputs["staff"]["list"];
export type Person = StaffList["people"][number];
type Invitation = StaffList["invitations"][number];
