import { Button } from "@mantine/core";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { Card } from "../print/card.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import classes from "./your-data-card.module.css";

/** Takes away what the store keeps about the person, or has it forget them. */
export function YourDataCard({ user }: { user: CurrentUser }) {
  return (
    <Card title="Your data">
      <p className={classes.words}>
        Everything that Print Store keeps about you, in one file: your account, addresses, orders, mails and
        messages.
      </p>
      <Button component="a" href="/my-data" variant="default">
        Download my data (JSON)
      </Button>
      <h3 className={classes.heading}>Delete your account</h3>
      <p className={classes.words}>
        Your files, addresses, mails and messages are deleted at once. Your orders stay in the shops’ books
        without anything that names you.
      </p>
      <DeleteAccount user={user} />
    </Card>
  );
}
