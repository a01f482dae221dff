import { Button } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { confirmPhoneInput } from "#shared/schemas/profile.ts";
import { CodeField } from "../accounts/account-fields.tsx";
import { AccountForm } from "../accounts/account-form.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { RESEND_SECONDS, ResendCode } from "../accounts/resend-code.tsx";
import { useAccountForm } from "../accounts/use-account-form.ts";
import { useCountdown } from "../accounts/use-countdown.ts";
import classes from "./profile-form.module.css";

interface PhoneCodeFormProps {
  /** Where the code went. */
  email: string;
  newPhone: string;
  onDone: (user: CurrentUser) => void;
  onCancel: () => void;
}

/** Takes the code that confirms the new number. */
export function PhoneCodeForm({ email, newPhone, onDone, onCancel }: PhoneCodeFormProps) {
  const form = useAccountForm({
    name: "phone-code",
    schema: confirmPhoneInput,
    initialValues: { verifyCode: "" },
  });
  const wait = useCountdown(RESEND_SECONDS, true);
  const resend = trpc.accounts.requestPhoneCode.useMutation({ onSuccess: wait.restart });
  const confirm = trpc.accounts.confirmPhone.useMutation({ onSuccess: onDone });
  const error = confirm.error ?? resend.error;

  function sendAgain() {
    confirm.reset();
    resend.mutate({ phone: newPhone });
  }

  return (
    <>
      <p className={classes.sent}>
        We sent a code to {email}. Enter it to change your mobile number to <strong>{newPhone}</strong>.
      </p>
      {error && <FormAlert message={messageOf(error)} />}
      <AccountForm
        form={form}
        submitLabel="Confirm the new number"
        busy={confirm.isPending || resend.isPending}
        onSubmit={(values) => confirm.mutate(values)}
      >
        <CodeField autoFocus {...form.getInputProps("verifyCode")} />
      </AccountForm>
      <ResendCode secondsLeft={wait.secondsLeft} sent={resend.isSuccess} onClick={sendAgain} />
      <Button variant="default" size="md" fullWidth onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
