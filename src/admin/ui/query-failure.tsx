import { Button } from "@mantine/core";
import { messageOf } from "#ui/errors.ts";
import { ScreenMessage } from "./screen-message.tsx";

interface QueryFailureProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
}

/** In place of the part of a screen that a query could not load. */
export function QueryFailure({ title, query }: QueryFailureProps) {
  return (
    <ScreenMessage title={title} text={messageOf(query.error)}>
      <Button variant="default" onClick={() => query.refetch()}>
        Try again
      </Button>
    </ScreenMessage>
  );
}
