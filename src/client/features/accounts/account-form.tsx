import "../../ui/theme/form-styles.ts";
import { Button } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useHydrated } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { z } from "zod";
import { useEarlyInput } from "../../lib/before-hydration.ts";
import { enterLeadsToNextField } from "../../lib/next-field.ts";
import { preloadPopups } from "../../ui/popup/popup-host.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./account-form.module.css";

interface AccountFormProps<Values extends Record<string, unknown>> {
  form: AccountFormState<Values>;
  submitLabel: string;
  /** A request is running; the form ignores further submits. */
  busy: boolean;
  /** For actions that cannot be undone. */
  danger?: boolean;
  onSubmit: (values: Values) => void;
  children: ReactNode;
}

/**
 * A form that is validated before it is sent; focus moves to the first invalid field. The button is disabled until
 * hydration, because the form is submitted by script only.
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
    <form
      ref={element}
      method="post"
      noValidate
      onSubmit={submit}
      onFocus={preloadPopups}
      onKeyDown={enterLeadsToNextField}
    >
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

interface AccountFormOptions<Values> {
  /** Distinguishes the fields of two forms on one page. */
  name: string;
  schema: z.ZodType<Values>;
  /** In the order of the fields. */
  initialValues: Values;
}

/** The state of a form, validated by the same schema as on the server. */
export function useAccountForm<Values extends Record<string, unknown>>(options: AccountFormOptions<Values>) {
  const { name, schema, initialValues } = options;
  return useForm<Values>({ name, initialValues, validate: schemaResolver(schema, { sync: true }) });
}

type AccountFormState<Values extends Record<string, unknown>> = ReturnType<typeof useAccountForm<Values>>;
