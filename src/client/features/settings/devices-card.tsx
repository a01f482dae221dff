import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Card } from "../print/card.tsx";
import { DeviceItem } from "./device-item.tsx";
import classes from "./devices-card.module.css";
import { EndOthers } from "./end-others.tsx";

/** Where the person is signed in; every place but this one can be signed out from here. */
export function DevicesCard() {
  const devices = trpc.accounts.devices.useQuery(undefined, { staleTime: 0 });
  const [news, setNews] = useState("");
  const others = devices.data?.filter(({ isThis }) => !isThis) ?? [];

  async function showEnded(message: string) {
    setNews(message);
    await devices.refetch();
  }

  return (
    <Card title="Signed-in devices">
      {devices.isPending && <p role="status">Looking where you are signed in…</p>}
      {devices.isError && !devices.data && (
        <div role="alert">
          <p>{messageOf(devices.error)}</p>
          <Button variant="default" mt="sm" onClick={() => void devices.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {devices.data && (
        <ul className={classes.devices} aria-label="Signed-in devices">
          {devices.data.map((device) => (
            <DeviceItem key={device.id} device={device} onEnded={showEnded} />
          ))}
        </ul>
      )}
      {news && (
        // Takes the focus from the button that went with its row.
        <p
          key={news}
          role="status"
          tabIndex={-1}
          ref={(element) => element?.focus()}
          className={classes.news}
        >
          {news}
        </p>
      )}
      {others.length > 1 && <EndOthers onEnded={showEnded} />}
    </Card>
  );
}
