import { ActionIcon, Tooltip } from "@mantine/core";
import { TbBell, TbBellOff } from "react-icons/tb";
import type { LiveStatus } from "#ui/live-events.ts";
import { useLive, useSound } from "./live.store.ts";
import classes from "./live-badge.module.css";

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
          {isOn ? <TbBell size={18} aria-hidden="true" /> : <TbBellOff size={18} aria-hidden="true" />}
        </ActionIcon>
      </Tooltip>
    </>
  );
}
