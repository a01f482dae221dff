import { Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { trpc } from "#ui/trpc.ts";
import { endWaiting, useSessionEnd } from "../../lib/session-end.ts";
import { LoginForm } from "./login-form.tsx";
import { SecondFactorStep } from "./second-factor-step.tsx";

/** The login over the screen of a person whose session has ended. What is below stays, but cannot be read. */
export function LogInAgain() {
  const { user } = useSessionEnd();
  return (
    <Modal
      opened={user !== null}
      onClose={() => {}}
      title="Your session has ended"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={1000}
      overlayProps={{ blur: 14, backgroundOpacity: 0.8 }}
    >
      {user && <LoginSteps user={user} />}
    </Modal>
  );
}

function LoginSteps({ user: { email, fullName } }: { user: StaffAccount }) {
  const utils = trpc.useUtils();
  const pending = trpc.accounts.pendingLogin.useQuery(undefined, { staleTime: 0 }).data;

  function goOn(user: CurrentUser | null) {
    if (!user) return;
    utils.accounts.me.setData(undefined, user);
    endWaiting(user);
  }

  // The person may have logged in again in another tab.
  useEffect(() => {
    const look = () => void utils.client.accounts.me.query().then(goOn, () => {});
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  });

  return (
    <Stack gap="sm">
      <Text>
        {fullName}, log in again to go on where you were: nothing you typed is lost. If somebody else logs in,
        it is dropped.
      </Text>
      {pending ? (
        <SecondFactorStep {...pending} onLoggedIn={goOn} />
      ) : (
        <LoginForm email={email} onLoggedIn={goOn} />
      )}
    </Stack>
  );
}
