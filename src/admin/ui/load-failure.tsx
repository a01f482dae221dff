import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { messageOf } from "#ui/errors.ts";
import { ScreenMessage } from "./screen-message.tsx";

/** In place of a screen that could not be loaded. */
export function LoadFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <ScreenMessage order={1} title="This could not be loaded" text={messageOf(error)}>
      <Button variant="default" onClick={() => router.invalidate()}>
        Try again
      </Button>
    </ScreenMessage>
  );
}
