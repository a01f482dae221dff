import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { counted } from "#shared/counted.ts";
import classes from "./board.module.css";

/** Leads to the orders of which students reported a printing error that nobody has answered. */
export function ReportedNote({ count }: { count: number }) {
  return (
    <Text component="p" className={classes.reported}>
      <Anchor
        underline="always"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/orders"
            search={(search) => ({ ...search, view: "table", state: "all", reported: true })}
          />
        )}
      >
        {counted(count, "printing error")} to answer
      </Anchor>
    </Text>
  );
}
