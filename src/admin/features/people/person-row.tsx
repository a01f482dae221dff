import { Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { trpc } from "#ui/trpc.ts";
import { useStaffUser } from "../../lib/current-shop.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import classes from "./people.module.css";
import type { Person } from "./people.ts";
import { RoleText } from "./role-text.tsx";

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
    onSuccess: async () => {
      showDone(`${person.fullName} was removed from ${isForAll ? "the staff" : "your shops"} and logged out`);
      await utils.staff.list.invalidate();
    },
    onError: showFailure,
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
