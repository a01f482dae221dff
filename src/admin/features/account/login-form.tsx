import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useSetUser } from "#admin/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { FormError } from "../../ui/form-error.tsx";

/** Login by e-mail and password. Where it succeeds, the route's guard leads on. */
export function LoginForm() {
  const setUser = useSetUser();
  const login = trpc.accounts.login.useMutation({ onSuccess: setUser });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    login.mutate({ email: String(fields.get("email")), password: String(fields.get("password")) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={login.error} />
        <TextInput name="email" type="email" label="Email" autoComplete="username" required autoFocus />
        <PasswordInput name="password" label="Password" autoComplete="current-password" required />
        <Button type="submit" loading={login.isPending} mt="xs">
          Log in
        </Button>
        <Anchor href="/forgotpassword" size="sm" underline="always">
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  );
}
