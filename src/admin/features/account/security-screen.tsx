import { Button, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { indianDate } from "#shared/indian-time.ts";
import { pressOnce } from "#ui/double-press.ts";
import { issueOf } from "#ui/errors.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { useStaffUser } from "../../lib/session.ts";
import { FormError } from "../../ui/form-error.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Loader, PageHeader, QueryFailure } from "../../ui/screen.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { AddFactors, RecoveryCodes } from "./second-factors.tsx";

/** One's own password, second factors and sessions. */
export function SecurityScreen() {
  const user = useStaffUser();
  const query = trpc.accounts.secondFactors.useQuery(undefined, { staleTime: 0 });
  return (
    <>
      <PageHeader title="Security" lead="Your password, second factors and sessions." />
      <Stack gap="xl" maw={640}>
        {query.data ? (
          <SecondFactors factors={query.data} />
        ) : query.error ? (
          <QueryFailure title="Your second factors could not be loaded" query={query} />
        ) : (
          <Loader />
        )}
        <Section title="Password">
          <PasswordForm owner={user} />
        </Section>
        <Sessions />
      </Stack>
    </>
  );
}

type Factors = RouterOutputs["accounts"]["secondFactors"];

function SecondFactors({ factors }: { factors: Factors }) {
  const { accounts } = trpc.useUtils();
  const refresh = () => accounts.secondFactors.invalidate();
  const [codes, setCodes] = useState<string[] | "saved" | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const removed = {
    onSuccess: async () => {
      showDone("The second factor was removed");
      await refresh();
      // Its button, which had the focus, is gone.
      heading.current?.focus();
    },
    onError: showFailure,
  };
  const removeTotp = trpc.accounts.removeTotp.useMutation(removed);
  const removePasskey = trpc.accounts.removePasskey.useMutation(removed);
  const renew = trpc.accounts.newRecoveryCodes.useMutation({
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    onError: showFailure,
  });
  const { totp, passkeys, recoveryCodesLeft, isRequired } = factors;
  const hasAny = totp !== null || passkeys.length > 0;
  return (
    <Section title="Second factor" heading={heading}>
      <Text>
        {hasAny
          ? "You are asked for it after your password."
          : "A second factor protects your account even if someone learns your password."}
        {isRequired && " Your role requires at least one."}
      </Text>
      {hasAny && (
        <Stack component="ul" gap="xs" aria-label="Second factors">
          {totp && (
            <Row
              name="Authenticator app"
              note={`since ${indianDate(totp.createdAt)}`}
              busy={removeTotp.isPending}
              onRemove={() => removeTotp.mutate()}
            />
          )}
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <Row
              key={id}
              name={name}
              note={`Passkey, since ${indianDate(createdAt)}${lastUsedAt ? `, last used ${indianDate(lastUsedAt)}` : ""}`}
              busy={removePasskey.isPending}
              onRemove={() => removePasskey.mutate({ id })}
            />
          ))}
        </Stack>
      )}
      <AddFactors
        hasTotp={totp !== null}
        onAdded={({ recoveryCodes }) => {
          if (recoveryCodes) setCodes(recoveryCodes);
          void refresh();
        }}
      />
      {Array.isArray(codes) ? (
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes("saved");
            void refresh();
          }}
        />
      ) : (
        hasAny && (
          <Group justify="space-between">
            <Text>Recovery codes left: {recoveryCodesLeft}</Text>
            <Button
              variant="default"
              size="xs"
              loading={renew.isPending}
              onClick={() => renew.mutate()}
              autoFocus={codes === "saved"}
            >
              Create new recovery codes
            </Button>
          </Group>
        )
      )}
      <LeaveGuard active={Array.isArray(codes)} />
    </Section>
  );
}

function Sessions() {
  const { accounts } = trpc.useUtils();
  const { data = [] } = trpc.accounts.devices.useQuery(undefined, { staleTime: 0 });
  const heading = useRef<HTMLHeadingElement>(null);
  const ended = {
    onSuccess: async () => {
      await accounts.devices.invalidate();
      // The button that had the focus is gone.
      heading.current?.focus();
    },
    onError: showFailure,
  };
  const end = trpc.accounts.endDevice.useMutation(ended);
  const endOthers = trpc.accounts.endOtherDevices.useMutation(ended);
  return (
    <Section title="Where you are logged in" heading={heading}>
      <Stack component="ul" gap="xs" aria-label="Sessions">
        {data.map(({ id, name, signedInAt, isThis }) => (
          <Row
            key={id}
            name={`${name || "Unknown device"}${isThis ? " (this one)" : ""}`}
            note={`since ${indianDate(signedInAt)}`}
            action="Log out"
            busy={end.isPending}
            onRemove={isThis ? undefined : () => end.mutate({ id })}
          />
        ))}
      </Stack>
      {data.length > 1 && (
        <Button variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
          Log out everywhere else
        </Button>
      )}
    </Section>
  );
}

interface RowProps {
  name: string;
  note: string;
  action?: string;
  busy: boolean;
  onRemove?: () => void;
}

function Row({ name, note, action = "Remove", busy, onRemove }: RowProps) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      </div>
      {onRemove && (
        <Button
          variant="default"
          size="xs"
          flex="none"
          disabled={busy}
          onClick={pressOnce(onRemove)}
          aria-label={`${action} ${name}`}
        >
          {action}
        </Button>
      )}
    </Group>
  );
}

interface SectionProps {
  title: string;
  /** Takes the focus when what had it is gone. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

function Section({ title, heading, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" align="stretch">
      <Title order={2} size="h5" ref={heading} tabIndex={-1}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** Changes one's own password, which logs out all other devices. */
function PasswordForm({ owner }: { owner: { fullName: string; email: string } }) {
  const { accounts } = trpc.useUtils();
  const [changes, setChanges] = useState(0);
  const change = trpc.accounts.changePassword.useMutation({
    onSuccess: async () => {
      setChanges(changes + 1);
      showDone("Your password is changed, and every other device is logged out");
      await accounts.devices.invalidate();
    },
  });
  const issueAt = (field: string) => issueOf(change.error, field);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    change.mutate({
      currentPassword: text("currentPassword"),
      password: text("password"),
      confirmpassword: text("confirmpassword"),
    });
  }

  return (
    <form key={changes} onSubmit={submit} noValidate>
      <Stack gap="sm" maw={400}>
        <FormError error={change.error} exceptFields />
        <input type="hidden" name="username" autoComplete="username" value={owner.email} />
        <PasswordInput
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          error={issueAt("currentPassword")}
          required
        />
        <NewPasswordFields owner={owner} issueAt={issueAt} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
