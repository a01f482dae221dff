import { Anchor, Button, Text } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { messageOf } from "#ui/errors.ts";
import { CenteredScreen } from "./centered-screen.tsx";
import { ScreenMessage } from "./screen-message.tsx";

/** Shown instead of a screen that could not be loaded. */
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

/** Shown for an unknown URL. */
export function NotFound() {
  return (
    <CenteredScreen title="Page not found">
      <Text mb="md">The page may have moved, or the address is mistyped.</Text>
      <Anchor component={Link} to="/" underline="always">
        Go to the start page
      </Anchor>
    </CenteredScreen>
  );
}

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
