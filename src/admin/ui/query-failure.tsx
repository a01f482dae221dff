import { Button } from "@mantine/core";
import { messageOf } from "#ui/errors.ts";
import { ScreenMessage } from "./screen-message.tsx";

interface QueryFailureProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
}

/** Shown instead of a part of a screen that could not be loaded. */
export function QueryFailure({ title, query }: QueryFailureProps) {
  return (
    <ScreenMessage title={title} text={messageOf(query.error)}>
      <Button variant="default" onClick={() => query.refetch()}>
        Try again
      </Button>
    </ScreenMessage>
  );
}
