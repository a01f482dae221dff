import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { Card } from "../print/card.tsx";
import classes from "./your-data-card.module.css";

/** Downloads the person's data, or deletes the account. */
export function YourDataCard({ user }: { user: CurrentUser }) {
  return (
    <Card title="Your data">
      <p className={classes.words}>
        Everything that Print Store stores about you, in one file: your account, addresses, orders, emails and
        messages.
      </p>
      <Button component="a" href="/my-data" variant="default">
        Download my data (JSON)
      </Button>
      <h3 className={classes.heading}>Delete your account</h3>
      <p className={classes.words}>
        Your files, addresses, emails and messages are deleted at once. Your orders stay in the shops’ records
        without anything that identifies you.
      </p>
      <DeleteAccount user={user} />
    </Card>
  );
}

const DeleteAccountDialog = lazy(() =>
  import("./delete-account-dialog.tsx").then((module) => ({ default: module.DeleteAccountDialog })),
);

/** Opens the dialog that deletes the account. */
function DeleteAccount({ user }: { user: CurrentUser }) {
  const [dialog, setDialog] = useState<"not loaded" | "open" | "closed">("not loaded");
  return (
    <>
      <Button variant="default" className={classes.delete} onClick={() => setDialog("open")}>
        Delete my account
      </Button>
      <Suspense fallback={<WaitOverlay active />}>
        {dialog !== "not loaded" && (
          <DeleteAccountDialog user={user} opened={dialog === "open"} onClose={() => setDialog("closed")} />
        )}
      </Suspense>
    </>
  );
}
