import { Button } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { MarkedName } from "#client/ui/marked-name.tsx";
import type { Device } from "#server/accounts/accounts.devices.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import { FormAlert } from "../accounts/form-alert.tsx";
import classes from "./devices-card.module.css";

interface DeviceItemProps {
  device: Device;
  onEnded: (message: string) => Promise<void>;
}

/** One place where the person is signed in. */
export function DeviceItem({ device, onEnded }: DeviceItemProps) {
  const { id, signedInAt, lastSeenAt, isThis } = device;
  const name = device.name || "Unknown device";
  const end = trpc.accounts.endDevice.useMutation({ onSuccess: () => onEnded(`${name} is signed out.`) });
  return (
    <li className={classes.device}>
      <div className={classes.facts}>
        <MarkedName name={name} mark={isThis && "This device"} />
        <p className={classes.times}>
          Signed in <time dateTime={signedInAt}>{indianTime(signedInAt)}</time>
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
          aria-label={`Sign out ${name}`}
          loading={end.isPending}
          onClick={(event) => {
            holdPlace(event);
            end.mutate({ id });
          }}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
