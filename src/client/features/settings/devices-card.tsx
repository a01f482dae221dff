import { Button } from "@mantine/core";
import { useState } from "react";
import type { Device } from "#server/accounts/sessions.ts";
import { indianTime } from "#shared/indian-time.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { MarkedName } from "../../ui/marked-name.tsx";
import classes from "./devices-card.module.css";

/** The devices with a session; all but this one can be logged out. */
export function DevicesCard() {
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
