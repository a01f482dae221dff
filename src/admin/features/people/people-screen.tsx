import { Alert, Button, Group, MultiSelect, Radio, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { foldText } from "#shared/fold-text.ts";
import { assignableRoles } from "#shared/permissions.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { INVITATION_DAYS } from "#shared/schemas/staff.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { issueOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import TbUserPlus from "~icons/tabler/user-plus";
import { useFirstShops, useShopChoices } from "../../lib/my-shops.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { useStaffUser } from "../../lib/session.ts";
import { SearchField } from "../../ui/filter-fields.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Rows } from "../../ui/paged-list.tsx";
import { Loader, PageHeader, ScreenMessage } from "../../ui/screen.tsx";
import { InvitationRow, type Person, PersonRow } from "./people-rows.tsx";

/** With more people than this, a search is offered. */
const AT_A_GLANCE = 8;

/** Staff and invitations. */
export function PeopleScreen() {
  const you = useStaffUser();
  const { data, error } = trpc.staff.list.useQuery(undefined, { staleTime: 0 });
  const [inviting, invite] = useDisclosure();
  const [changed, setChanged] = useState<Person | null>(null);
  const [search, setSearch] = useState("");
  const words = foldText(search).split(" ");
  const has = (...texts: string[]) => {
    const text = foldText(texts.join(" "));
    return words.every((word) => text.includes(word));
  };
  const shopNames = ({ shops }: Pick<Person, "shops">) => shops.map(({ name }) => name);
  const people = (data?.people ?? []).filter((person) =>
    has(person.fullName, person.email, person.phone, ...shopNames(person)),
  );
  const invitations = (data?.invitations ?? []).filter((invited) =>
    has(invited.email, ...shopNames(invited)),
  );

  return (
    <>
      <PageHeader
        title="People"
        lead={you.role === "admin" ? "Who works in this console." : "Who works at your shops."}
      >
        <Button leftSection={<TbUserPlus size={18} />} onClick={invite.open}>
          Invite
        </Button>
      </PageHeader>
      {error && <Alert color="red">{messageOf(error)}</Alert>}
      {!data && !error && <Loader />}
      {data && (
        <Stack gap="xl">
          {you.role === "admin" && <SecondFactorRule />}
          {data.people.length + data.invitations.length > AT_A_GLANCE && (
            <SearchField
              label="Find a person"
              description="By name, email, phone or shop"
              maw={360}
              value={search}
              onSearch={setSearch}
            />
          )}
          {people.length + invitations.length === 0 && (
            <ScreenMessage
              title="Nobody found"
              text="No name, email, phone number or shop has these words."
            />
          )}
          {people.length > 0 && (
            <Rows label="Staff">
              {people.map((person) => (
                <PersonRow
                  key={person._id}
                  person={person}
                  isYou={person._id === you._id}
                  isYours={person._id !== you._id && assignableRoles(you.role).includes(person.role)}
                  onChange={() => setChanged(person)}
                />
              ))}
            </Rows>
          )}
          {invitations.length > 0 && (
            <section>
              <Title order={2} size="h5" mb="xs">
                Invited
              </Title>
              <Rows label="Invitations">
                {invitations.map((invitation) => (
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
      description="Anyone without one sets it up at the next login. Admins always need one if the store is on the internet."
      checked={data?.required ?? false}
      disabled={!data}
      onChange={(event) => set.mutate({ required: event.currentTarget.checked })}
    />
  );
}

/** @param person null while the dialog is closed */
function ChangeDialog({ person, onClose }: { person: Person | null; onClose: () => void }) {
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
  const base = { role: person.role, shopIds: person.shops.map((shop) => shop.id) };
  const [assigned, setAssigned] = useState<RoleAndShops>(base);
  const utils = trpc.useUtils();
  const change = trpc.staff.change.useMutation({
    onSuccess: () => showDone(`${person.fullName} has the new role and shops now`),
    onSettled: () => utils.staff.list.invalidate(),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    // Not once the form is closed: the next one may be open.
    change.mutate({ userId: person._id, ...assigned, base }, { onSuccess: onDone });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError error={change.error} exceptFields />
        <RoleFields shops={person.shops} assigned={assigned} error={change.error} onChange={setAssigned} />
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

function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite to the staff" size="md">
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState("");
  const [only, second] = useFirstShops();
  const [chosen, setAssigned] = useState<RoleAndShops | null>(null);
  // With one shop there is no choice.
  const assigned = chosen ?? {
    role: "counter",
    shopIds: only && !second ? [only.id] : [],
  };
  const utils = trpc.useUtils();
  const invite = trpc.staff.invite.useMutation({
    onSuccess: () => {
      showDone(`An invitation is on its way to ${email}`);
      return utils.staff.list.invalidate();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    invite.mutate({ email, ...assigned }, { onSuccess: onDone });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormError error={invite.error} exceptFields />
        <TextInput
          type="email"
          label="Email"
          error={issueOf(invite.error, "email")}
          description={`They get a link that works once, for ${INVITATION_DAYS} days`}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          required
          data-autofocus
        />
        <RoleFields assigned={assigned} error={invite.error} onChange={setAssigned} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending} onClick={ignoreSecondPress}>
            Send the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RoleAndShops {
  role: StaffRole;
  shopIds: string[];
}

interface RoleFieldsProps {
  /** The person's shops by now. */
  shops?: Person["shops"];
  assigned: RoleAndShops;
  /** Of the last try. */
  error: unknown;
  onChange: (assigned: RoleAndShops) => void;
}

const ROLES: Record<StaffRole, { label: string; description: string }> = {
  counter: {
    label: "Counter",
    description: "Prints orders, takes payments and hands orders over at the shops chosen below",
  },
  owner: {
    label: "Owner",
    description: "Runs the shops chosen below: prices, people, refunds and stats too",
  },
  admin: { label: "Admin", description: "Runs the whole store, its people included" },
};

/** The role and shops of somebody on the staff. Only roles that the present user may give are offered. */
function RoleFields({ shops, assigned, error, onChange }: RoleFieldsProps) {
  const roles = assignableRoles(useStaffUser().role);
  const choices = useShopChoices(shops);
  return (
    <>
      {roles.length > 1 && (
        <Radio.Group
          label="Role"
          value={assigned.role}
          onChange={(role) => onChange({ ...assigned, role: role as StaffRole })}
        >
          <Stack gap="xs" mt={4}>
            {roles.map((role) => (
              <Radio key={role} value={role} {...ROLES[role]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {assigned.role !== "admin" && (
        <MultiSelect
          label="Shops"
          description={roles.length > 1 ? undefined : ROLES[assigned.role].description}
          placeholder={assigned.shopIds.length === 0 ? "Choose at least one" : undefined}
          error={issueOf(error, "shopIds")}
          {...choices}
          value={assigned.shopIds}
          onChange={(shopIds) => onChange({ ...assigned, shopIds })}
          hidePickedOptions
          clearable
          clearButtonProps={{ "aria-label": "Choose no shop" }}
          required
        />
      )}
    </>
  );
}
