import "../../ui/overlay-styles.ts";
import "@mantine/core/styles/Modal.layer.css";
import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { emailInput } from "#shared/schemas/accounts.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import classes from "./account-dialog.module.css";
import { AccountForm, EmailField, useAccountForm } from "./account-form.tsx";

interface AccountDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog that may be mounted open (lazy loading). It opens after the first render, so that it returns the focus
 * when it closes.
 */
export function AccountDialog({ title, opened, onClose, children }: AccountDialogProps) {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  useBackCloses(shown, onClose);
  return (
    <Modal.Root
      opened={shown}
      onClose={onClose}
      centered
      size="sm"
      // Who has enlarged the page must be able to make it small again to see all of this.
      removeScrollProps={{ allowPinchZoom: true }}
      // The other transitions leave a transform, and a form's 'Please wait' would cover the dialog only.
      transitionProps={{ transition: "fade" }}
      classNames={{ content: classes.content, title: classes.title, body: classes.body }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes.top}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" size="lg" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface EmailFormProps {
  /** Prefilled. */
  email: string;
  submitLabel: string;
  busy: boolean;
  onSubmit: (values: { email: string }) => void;
}

/** A dialog's form with one e-mail field. */
export function EmailForm({ email, submitLabel, busy, onSubmit }: EmailFormProps) {
  const form = useAccountForm({
    name: "email-only",
    schema: emailInput,
    initialValues: { email },
  });
  return (
    <AccountForm form={form} submitLabel={submitLabel} busy={busy} onSubmit={onSubmit}>
      <EmailField data-autofocus enterKeyHint="go" {...form.getInputProps("email")} />
    </AccountForm>
  );
}
