import { ActionIcon, Button, Text, Tooltip } from "@mantine/core";
import type { LiveStatus } from "#ui/live-events.ts";
import TbBell from "~icons/tabler/bell";
import TbBellOff from "~icons/tabler/bell-off";
import classes from "./live-badge.module.css";
import { useAllowed, useLive, useSound } from "./live-orders.tsx";

const STATUS_TEXTS: Record<LiveStatus, string> = {
  connecting: "Connecting…",
  live: "Live",
  lost: "Connection lost. Trying again…",
};

/** The state of the live connection, and the switch of the chime. */
export function LiveBadge() {
  const status = useLive((state) => state.status);
  const { isOn } = useSound();
  const label = isOn ? "Mute the sound for new orders" : "Sound a chime for new orders";
  return (
    <>
      <span className={classes.status} data-status={status} role="status">
        <span className={classes.dot} aria-hidden="true" />
        {STATUS_TEXTS[status]}
      </span>
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={label}
          onClick={() => useSound.setState({ isOn: !isOn })}
        >
          {isOn ? <TbBell size={18} /> : <TbBellOff size={18} />}
        </ActionIcon>
      </Tooltip>
      <BlockedAlerts isSoundOn={isOn} />
    </>
  );
}

/** Says what the browser does not allow yet, with the button that asks it; nothing if new orders are heard and seen. */
function BlockedAlerts({ isSoundOn }: { isSoundOn: boolean }) {
  const { sound, notifications } = useAllowed();
  const ask = async () => useAllowed.setState({ notifications: await Notification.requestPermission() });
  return (
    <>
      {/* The click itself allows it. */}
      {isSoundOn && !sound && (
        <Button size="compact-sm" variant="light" c="var(--ink)">
          Turn sound on
        </Button>
      )}
      {notifications === "default" && (
        <Button size="compact-sm" variant="light" c="var(--ink)" onClick={() => void ask()}>
          Allow notifications
        </Button>
      )}
      {notifications === "denied" && (
        <Text size="xs" c="dimmed" visibleFrom="md">
          This browser blocks notifications
        </Text>
      )}
    </>
  );
}
