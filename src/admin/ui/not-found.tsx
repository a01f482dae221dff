import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ScreenMessage } from "./screen-message.tsx";

export function NotFound() {
  return (
    <ScreenMessage title="There is nothing here" text="The page may have moved, or the address is mistyped.">
      <Anchor component={Link} to="/">
        To the start
      </Anchor>
    </ScreenMessage>
  );
}
