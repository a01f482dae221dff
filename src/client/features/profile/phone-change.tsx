import { Button } from "@mantine/core";
import { useState } from "react";
import { type CurrentUser, phoneInput } from "#shared/schemas/accounts.ts";
import { confirmPhoneInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { FormStatus } from "../../ui/form-status.tsx";
import { CodeField, PhoneField } from "../accounts/account-fields.tsx";
import { AccountForm } from "../accounts/account-form.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { RESEND_SECONDS, ResendCode } from "../accounts/resend-code.tsx";
import { useAccountForm } from "../accounts/use-account-form.ts";
import { useCountdown } from "../accounts/use-countdown.ts";
import detailsCardClasses from "./details-card.module.css";
import profileFormClasses from "./profile-form.module.css";

/** `left`: the change was cancelled or is done; the focus returns to the button that started it. */
type Step = "shown" | "number" | "code" | "left";

/** The mobile number; a new one is saved once the mailed code is entered. */
export function PhoneChange({ user }: { user: CurrentUser }) {
  const [step, setStep] = useState<Step>("shown");
  const [newPhone, setNewPhone] = useState("");
  const [isChanged, setIsChanged] = useState(false);
  const setUser = useSetUser();

  function begin() {
    setIsChanged(false);
    setStep("number");
  }

  function askForCode(phone: string) {
    setNewPhone(phone);
    setStep("code");
  }

  async function finish(changed: CurrentUser) {
    setIsChanged(true);
    setStep("left");
    await setUser(changed);
  }

  return (
    <>
      <p className={detailsCardClasses.label}>Mobile number</p>
      <p className={detailsCardClasses.value}>{user.phone || "None"}</p>
      <div className={`${profileFormClasses.form} ${profileFormClasses.steps}`}>
        {step === "number" && <NewPhoneForm onSent={askForCode} onCancel={() => setStep("left")} />}
        {step === "code" && (
          <PhoneCodeForm
            email={user.email}
            newPhone={newPhone}
            onDone={(changed) => void finish(changed)}
            onCancel={() => setStep("left")}
          />
        )}
        {(step === "shown" || step === "left") && (
          <Button
            variant="default"
            className={profileFormClasses.opener}
            autoFocus={step === "left"}
            onClick={begin}
          >
            Change mobile number
          </Button>
        )}
        <FormStatus message={isChanged && "Your mobile number is changed."} />
      </div>
    </>
  );
}

interface NewPhoneFormProps {
  /** Called when a code for this number was sent. */
  onSent: (phone: string) => void;
  onCancel: () => void;
}

function NewPhoneForm({ onSent, onCancel }: NewPhoneFormProps) {
  const form = useAccountForm({ name: "new-phone", schema: phoneInput, initialValues: { phone: "" } });
  const request = trpc.accounts.requestPhoneCode.useMutation({ onSuccess: ({ phone }) => onSent(phone) });
  return (
    <>
      {request.isError && <FormAlert message={messageOf(request.error)} />}
      <AccountForm
        form={form}
        submitLabel="Send code"
        busy={request.isPending}
        onSubmit={(values) => request.mutate(values)}
      >
        <PhoneField
          autoFocus
          label="New mobile number"
          description="We will email you a code to confirm it."
          {...form.getInputProps("phone")}
        />
      </AccountForm>
      <Button variant="default" size="md" fullWidth onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}

interface PhoneCodeFormProps {
  /** Where the code went. */
  email: string;
  newPhone: string;
  onDone: (user: CurrentUser) => void;
  onCancel: () => void;
}

/** Takes the code that confirms the new number. */
function PhoneCodeForm({ email, newPhone, onDone, onCancel }: PhoneCodeFormProps) {
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
      <p className={profileFormClasses.sent}>
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
