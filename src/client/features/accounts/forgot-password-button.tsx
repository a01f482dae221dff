import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { emailInput } from "#shared/schemas/accounts.ts";
import classes from "./forgot-password-button.module.css";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The e-mail that was typed on the page before; kept out of the address. */
    email?: string;
  }
}

/** Leads to the recovery of a password, with the typed e-mail; off until that is a valid address. */
export function ForgotPasswordButton({ email }: { email: string }) {
  const navigate = useNavigate();
  return (
    <Button
      variant="transparent"
      size="compact-sm"
      className={classes.button}
      disabled={!emailInput.safeParse({ email }).success}
      onClick={() => navigate({ to: "/forgotpassword", state: { email } })}
    >
      Forgot Password
    </Button>
  );
}
