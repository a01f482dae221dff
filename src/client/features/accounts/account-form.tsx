import "../../ui/theme/form-styles.ts";
import { Button } from "@mantine/core";
import { useHydrated } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEarlyInput } from "../../lib/before-hydration.ts";
import { preloadPopups } from "../../ui/popup/popup-host.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./account-form.module.css";
import type { AccountFormState } from "./use-account-form.ts";

interface AccountFormProps<Values extends Record<string, unknown>> {
  form: AccountFormState<Values>;
  submitLabel: string;
  /** While a request runs; the form then takes no second one. */
  busy: boolean;
  /** For what cannot be undone. */
  danger?: boolean;
  onSubmit: (values: Values) => void;
  children: ReactNode;
}

/**
 * A form that is checked before anything is sent; focus moves to the first field that is wrong. Its button works once
 * the page's script runs: a browser that submitted the form by itself would put the password into the address.
 */
export function AccountForm<Values extends Record<string, unknown>>(props: AccountFormProps<Values>) {
  const { form, submitLabel, busy, danger = false, onSubmit, children } = props;
  const hydrated = useHydrated();
  const element = useEarlyInput(form);
  const submit = form.onSubmit(
    (values) => {
      if (!busy) onSubmit(values);
    },
    (errors, values) => {
      const firstWrong = Object.keys(values).find((path) => errors[path]);
      if (firstWrong) form.getInputNode(firstWrong)?.focus();
    },
  );
  return (
    <form ref={element} method="post" noValidate onSubmit={submit} onFocus={preloadPopups}>
      <div className={classes.fields}>
        {children}
        <Button
          type="submit"
          size="md"
          fullWidth
          disabled={!hydrated}
          className={classes.submit}
          data-danger={danger || undefined}
        >
          {submitLabel}
        </Button>
      </div>
      <WaitOverlay active={busy} />
    </form>
  );
}
