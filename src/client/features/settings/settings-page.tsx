import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import "@mantine/core/styles/Switch.layer.css";
import "@mantine/core/styles/Radio.layer.css";
import { Button, type MantineColorScheme, Radio, Stack, Switch, useMantineColorScheme } from "@mantine/core";
import { useHydrated } from "@tanstack/react-router";
import { useState } from "react";
import type { Device } from "#server/accounts/sessions.ts";
import { indianTime } from "#shared/indian-time.ts";
import { MAIL_CHOICES, type MailChoice } from "#shared/mail-choices.ts";
import { FAILURE } from "#shared/messages.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { MailChoiceInput } from "#shared/schemas/profile.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { Card, CardColumn } from "../../ui/card.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { lazyDialog } from "../../ui/lazy.tsx";
import { MarkedName } from "../../ui/marked-name.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { PushCard } from "../push/push-card.tsx";
import classes from "./settings-page.module.css";

/** The choices of a student for this account and this browser, and their data. */
export function SettingsPage({ user }: { user: CurrentUser }) {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <CardColumn>
        <MailsCard />
        <PushCard />
        <AppearanceCard />
        <DevicesCard />
        <YourDataCard user={user} />
      </CardColumn>
    </>
  );
}

const MAIL_LABELS: Record<MailChoice, string> = {
  placed: "My order is placed, with all its details",
  dispatched: "My order is on its way, or ready to be picked up",
  delivered: "My order is delivered",
};

/** Which mails about orders the student wants; cancellations are always mailed. */
function MailsCard() {
  const choices = trpc.accounts.mailChoices.useQuery(undefined, { staleTime: 0 });
  const choose = useChooseMail();
  if (choices.isError && !choices.data) {
    return (
      <Card title="Emails">
        <p role="alert">{messageOf(choices.error)}</p>
        <Button variant="default" mt="sm" onClick={() => void choices.refetch()}>
          Try again
        </Button>
      </Card>
    );
  }
  return (
    <Card title="Emails">
      <fieldset className={classes.choices}>
        <legend>Email me when</legend>
        <Stack gap="sm">
          {MAIL_CHOICES.map((kind) => (
            <Switch
              key={kind}
              size="md"
              label={MAIL_LABELS[kind]}
              disabled={!choices.data}
              checked={choices.data?.[kind] ?? true}
              onChange={({ currentTarget }) => choose({ kind, wanted: currentTarget.checked })}
            />
          ))}
        </Stack>
      </fieldset>
      <p className={classes.always}>If a shop cancels your order, you always get an email that says why.</p>
    </Card>
  );
}

/** Saves a choice: shown at once, and reverted with an error message if the server fails. */
function useChooseMail(): (choice: MailChoiceInput) => void {
  const { mailChoices } = trpc.useUtils().accounts;

  function show({ kind, wanted }: MailChoiceInput): void {
    mailChoices.setData(undefined, (known) => known && { ...known, [kind]: wanted });
  }

  const { mutate } = trpc.accounts.chooseMail.useMutation({
    async onMutate(choice) {
      await mailChoices.cancel();
      show(choice);
    },
    onError(error, { kind, wanted }) {
      show({ kind, wanted: !wanted });
      showError({ title: FAILURE.error, text: messageOf(error) });
    },
  });
  return mutate;
}

const COLOUR_SCHEMES: readonly { value: MantineColorScheme; label: string }[] = [
  { value: "auto", label: "Same as my device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** The colour scheme, stored in this browser. */
function AppearanceCard() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know this browser's choice.
  const isKnown = useHydrated();
  return (
    <Card title="Appearance">
      <Radio.Group
        role="group"
        aria-label="Appearance"
        description="Saved in this browser."
        size="md"
        value={isKnown ? colorScheme : null}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      >
        <Stack gap="sm" mt="sm">
          {COLOUR_SCHEMES.map((choice) => (
            <Radio key={choice.value} size="md" {...choice} />
          ))}
        </Stack>
      </Radio.Group>
    </Card>
  );
}

/** The devices with a session; all but this one can be logged out. */
function DevicesCard() {
  const devices = trpc.accounts.devices.useQuery(undefined, { staleTime: 0 });
  const [ended, setEnded] = useState({ message: "", count: 0 });
  const others = devices.data?.filter(({ isThis }) => !isThis) ?? [];

  async function showEnded(message: string) {
    setEnded(({ count }) => ({ message, count: count + 1 }));
    await devices.refetch();
  }

  return (
    <Card title="Logged-in devices">
      {devices.isPending && <p role="status">Loading your devices…</p>}
      {devices.isError && !devices.data && (
        <div role="alert">
          <p>{messageOf(devices.error)}</p>
          <Button variant="default" mt="sm" onClick={() => void devices.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {devices.data && (
        <ul className={classes.devices} aria-label="Logged-in devices">
          {devices.data.map((device) => (
            <DeviceItem key={device.id} device={device} onEnded={showEnded} />
          ))}
        </ul>
      )}
      {ended.count > 0 && (
        // A new one each time, which takes the focus, as the pressed button was removed with its row.
        <p key={ended.count} role="status" tabIndex={-1} ref={takeFocus} className={classes.ended}>
          {ended.message}
        </p>
      )}
      {others.length > 1 && <EndOthers onEnded={showEnded} />}
    </Card>
  );
}

/** Logs out every device but this one. */
function EndOthers({ onEnded }: { onEnded: (message: string) => Promise<void> }) {
  const end = trpc.accounts.endOtherDevices.useMutation({
    onSuccess: () => onEnded("Every other device is logged out."),
  });
  return (
    <div className={classes.others}>
      {end.isError && <FormAlert message={messageOf(end.error)} />}
      <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        Log out everywhere else
      </Button>
    </div>
  );
}

interface DeviceItemProps {
  device: Device;
  onEnded: (message: string) => Promise<void>;
}

/** One device with a session. */
function DeviceItem({ device, onEnded }: DeviceItemProps) {
  const { id, signedInAt, lastSeenAt, isThis } = device;
  const name = device.name || "Unknown device";
  const end = trpc.accounts.endDevice.useMutation({ onSuccess: () => onEnded(`${name} is logged out.`) });
  return (
    <li className={classes.device}>
      <div className={classes.facts}>
        <MarkedName name={name} mark={isThis && "This device"} />
        <p className={classes.times}>
          Logged in <time dateTime={signedInAt}>{indianTime(signedInAt)}</time>
        </p>
        {!isThis && (
          <p className={classes.times}>
            Last used <time dateTime={lastSeenAt}>{indianTime(lastSeenAt)}</time>
          </p>
        )}
        {end.isError && <FormAlert message={messageOf(end.error)} />}
      </div>
      {!isThis && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Log out ${name}`}
          loading={end.isPending}
          onClick={pressOnce(() => end.mutate({ id }))}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

/** Downloads the person's data, or deletes the account. */
function YourDataCard({ user }: { user: CurrentUser }) {
  return (
    <Card title="Your data">
      <p className={classes.words}>
        Everything that Print Store stores about you, in one file: your account, addresses, orders, emails and
        messages.
      </p>
      <Button component="a" href="/my-data" variant="default">
        Download my data (JSON)
      </Button>
      <h3 className={classes.heading}>Delete your account</h3>
      <p className={classes.words}>
        Your files, addresses, emails and messages are deleted at once. Your orders stay in the shops’ records
        without anything that identifies you.
      </p>
      <DeleteAccount user={user} />
    </Card>
  );
}

const useDeleteAccountDialog = lazyDialog(
  async () => (await import("./delete-account-dialog.tsx")).DeleteAccountDialog,
);

/** Opens the dialog that deletes the account. */
function DeleteAccount({ user }: { user: CurrentUser }) {
  const { Dialog, isLoading, isOpen, open, close } = useDeleteAccountDialog();
  return (
    <>
      <Button variant="default" className={classes.delete} onClick={pressOnce(open)}>
        Delete my account
      </Button>
      <WaitOverlay active={isLoading} />
      {Dialog && <Dialog user={user} opened={isOpen} onClose={close} />}
    </>
  );
}
