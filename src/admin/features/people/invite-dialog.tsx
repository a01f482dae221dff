import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { showDone } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { INVITATION_DAYS } from "#shared/schemas/staff.ts";
import { FormError } from "../../ui/form-error.tsx";
import { type Duties, DutiesFields } from "./duties-fields.tsx";

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite to the staff" size="md">
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState("");
  const shops = trpc.staff.myShops.useQuery().data ?? [];
  const [chosen, setDuties] = useState<Duties | null>(null);
  // With one shop there is nothing to choose.
  const duties = chosen ?? { role: "counter", shopIds: shops.length === 1 ? shops.map(({ id }) => id) : [] };
  const utils = trpc.useUtils();
  const invite = trpc.staff.invite.useMutation({
    onSuccess: async () => {
      showDone(`An invitation is on its way to ${email}`);
      onDone();
      await utils.staff.list.invalidate();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    invite.mutate({ email, ...duties });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError error={invite.error} />
        <TextInput
          type="email"
          label="Email"
          description={`They get a link that works once, for ${INVITATION_DAYS} days`}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          required
          data-autofocus
        />
        <DutiesFields duties={duties} onChange={setDuties} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Send the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
