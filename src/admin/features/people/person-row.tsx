import { Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { DutiesText } from "./duties-text.tsx";
import classes from "./people.module.css";
import type { Person } from "./people.ts";

interface PersonRowProps {
  person: Person;
  /** Nobody changes their own role. */
  isYou: boolean;
  onChange: () => void;
}

export function PersonRow({ person, isYou, onChange }: PersonRowProps) {
  const utils = trpc.useUtils();
  const remove = trpc.staff.remove.useMutation({
    onSuccess: async () => {
      showDone(`${person.fullName} is off the staff and logged out`);
      await utils.staff.list.invalidate();
    },
    onError: showFailure,
  });

  const askToRemove = () =>
    modals.openConfirmModal({
      title: `Remove ${person.fullName}?`,
      children:
        "They are logged out at once and see nothing of the console any more. Their own orders stay theirs.",
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
      <DutiesText role={person.role} shops={person.shops} />
      {!isYou && (
        <Group gap="xs" justify="flex-end">
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
