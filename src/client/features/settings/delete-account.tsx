import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import classes from "./your-data-card.module.css";

const DeleteAccountDialog = lazy(() =>
  import("./delete-account-dialog.tsx").then((module) => ({ default: module.DeleteAccountDialog })),
);

/** The way to the dialog that deletes the account. */
export function DeleteAccount({ user }: { user: CurrentUser }) {
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
