import "../../ui/form-styles.ts";
import { Checkbox } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { SHARED_SESSION_IDLE_MINUTES } from "#shared/schemas/accounts.ts";
import { isSharedTicked, tickShared } from "#ui/personal-data.ts";

/** Others use this computer too: the session ends soon, and what it left in the browser goes with it. */
export function SharedComputerBox() {
  const box = useRef<HTMLInputElement>(null);
  const [isTicked, setTicked] = useState(false);

  function tick(isNow: boolean) {
    setTicked(isNow);
    tickShared(isNow);
  }

  // It may have been ticked on the page before, or on this one before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once
  useEffect(() => tick(isSharedTicked() || Boolean(box.current?.checked)), []);

  return (
    <Checkbox
      ref={box}
      size="md"
      label="This is a shared computer"
      description={`You are logged out when the browser closes, or after ${SHARED_SESSION_IDLE_MINUTES} minutes without use`}
      checked={isTicked}
      onChange={(event) => tick(event.currentTarget.checked)}
    />
  );
}
