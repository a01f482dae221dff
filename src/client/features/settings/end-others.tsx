import { Button } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { FormAlert } from "../accounts/form-alert.tsx";
import classes from "./devices-card.module.css";

/** Signs out every device but this one. */
export function EndOthers({ onEnded }: { onEnded: (message: string) => Promise<void> }) {
  const end = trpc.accounts.endOtherDevices.useMutation({
    onSuccess: () => onEnded("Every other device is signed out."),
  });
  return (
    <div className={classes.others}>
      {end.isError && <FormAlert message={messageOf(end.error)} />}
      <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        Sign out everywhere else
      </Button>
    </div>
  );
}
