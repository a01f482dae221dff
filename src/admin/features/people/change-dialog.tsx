import { Button, Group, Modal, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { showDone } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { FormError } from "../../ui/form-error.tsx";
import { type Duties, DutiesFields } from "./duties-fields.tsx";
import type { Person } from "./people.ts";

/** @param person null while the dialog is closed */
export function ChangeDialog({ person, onClose }: { person: Person | null; onClose: () => void }) {
  return (
    <Modal
      opened={person !== null}
      onClose={onClose}
      title={`Role and shops of ${person?.fullName ?? ""}`}
      size="md"
    >
      {person && <ChangeForm person={person} onDone={onClose} />}
    </Modal>
  );
}

function ChangeForm({ person, onDone }: { person: Person; onDone: () => void }) {
  const [duties, setDuties] = useState<Duties>({
    role: person.role,
    shopIds: person.shops.map((shop) => shop.id),
  });
  const utils = trpc.useUtils();
  const change = trpc.staff.change.useMutation({
    onSuccess: async () => {
      showDone(`${person.fullName} has the new role and shops from now on`);
      onDone();
      await utils.staff.list.invalidate();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    change.mutate({ userId: person._id, ...duties });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError error={change.error} />
        <DutiesFields duties={duties} onChange={setDuties} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
