import { Button, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { trpc } from "#ui/trpc.ts";
import { endWaiting, leaveTo, useSessionEnd } from "../../lib/session-end.ts";
import { LoginForm, SecondFactorStep, usePendingLogin } from "./login-steps.tsx";

/**
 * The login over the screen of a person who is no longer logged in, or no longer the one who is. What is below stays, but
 * cannot be read, and goes to nobody else.
 */
export function LogInAgain() {
  const { user, other } = useSessionEnd();
  // Mantine's own dialog: nothing but a login closes it, Back neither.
  return (
    <Modal
      opened={user !== null}
      onClose={() => {}}
      title={other ? `${other.fullName} is logged in now` : "Your session has ended"}
      withCloseButton={false}
      closeOnEscape={false}
      zIndex={1000}
      overlayProps={{ blur: 14, backgroundOpacity: 0.8 }}
    >
      {user && <LoginSteps user={user} other={other} />}
    </Modal>
  );
}

function LoginSteps({ user, other }: { user: StaffAccount; other: CurrentUser | null }) {
  const { _id, email, fullName } = user;
  const utils = trpc.useUtils();
  const pending = usePendingLogin(true).data;

  function goOn(loggedIn: CurrentUser | null) {
    if (loggedIn?._id === _id) utils.accounts.me.setData(undefined, loggedIn);
    endWaiting(loggedIn);
  }

  // The person, or somebody else, may have logged in in another tab. While a second factor is set up, its recovery codes
  // may be on the screen, which this very login has brought.
  useEffect(() => {
    if (pending?.step === "setup") return;
    const look = () => void utils.client.accounts.me.query().then(goOn, () => {});
    // Another tab stores for whom it claims the browser.
    for (const sign of ["focus", "storage"]) window.addEventListener(sign, look);
    return () => {
      for (const sign of ["focus", "storage"]) window.removeEventListener(sign, look);
    };
  });

  return (
    <Stack gap="sm">
      {other && (
        <>
          <Text>
            {other.fullName} ({other.email}) has logged in in this browser. What {fullName} typed here and did
            not save was not sent, and is never sent under another name.
          </Text>
          <Button variant="default" onClick={() => leaveTo(other)}>
            Continue as {other.fullName}, and discard it
          </Button>
        </>
      )}
      <Text>{fullName}, log in again to continue where you left off: nothing you typed is lost.</Text>
      {pending ? (
        <SecondFactorStep {...pending} onLoggedIn={goOn} />
      ) : (
        <LoginForm email={email} onLoggedIn={goOn} />
      )}
    </Stack>
  );
}
