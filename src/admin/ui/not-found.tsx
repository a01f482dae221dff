import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PaperScreen } from "./paper-screen.tsx";

/** For an address that leads to no screen. */
export function NotFound() {
  return (
    <PaperScreen title="There is nothing here">
      <Text mb="md">The page may have moved, or the address is mistyped.</Text>
      <Anchor component={Link} to="/" underline="always">
        To the start
      </Anchor>
    </PaperScreen>
  );
}
