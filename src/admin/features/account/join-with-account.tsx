import { Button, Stack, Text } from "@mantine/core";
import { FormError } from "../../ui/form-error.tsx";
import { useAcceptInvitation } from "./use-accept-invitation.ts";

/** For an invited person who has an account already: it goes on with its password, and its orders. */
export function JoinWithAccount({ token, fullName }: { token: string; fullName: string }) {
  const accept = useAcceptInvitation();
  return (
    <Stack gap="sm">
      <FormError error={accept.error} />
      <Text>You have an account already, as {fullName}. Its password stays as it is.</Text>
      <Button loading={accept.isPending} onClick={() => accept.mutate({ token })}>
        Join with this account
      </Button>
    </Stack>
  );
}
