import { Button } from "@mantine/core";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { pressOnce } from "#ui/double-press.ts";
import { Card } from "../../ui/card.tsx";
import { lazyDialog } from "../../ui/lazy.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
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

const useDeleteAccountDialog = lazyDialog(
  async () => (await import("./delete-account-dialog.tsx")).DeleteAccountDialog,
);

/** Opens the dialog that deletes the account. */
function DeleteAccount({ user }: { user: CurrentUser }) {
  const { Dialog, isLoading, isOpen, open, close } = useDeleteAccountDialog();
  return (
    <>
      <Button variant="default" className={classes.delete} onClick={pressOnce(open)}>
        Delete my account
      </Button>
      <WaitOverlay active={isLoading} />
      {Dialog && <Dialog user={user} opened={isOpen} onClose={close} />}
    </>
  );
}
