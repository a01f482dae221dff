import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type CurrentUser, phoneInput } from "#shared/schemas/accounts.ts";
import { confirmContactInput, type NewEmailInput, newEmailInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import {
  AccountForm,
  EmailField,
  HiddenUserName,
  PasswordField,
  PhoneField,
  useAccountForm,
} from "../accounts/account-form.tsx";
import { CodeField, RESEND_SECONDS, ResendCode, useCountdown } from "../accounts/one-time-code.tsx";
import classes from "./profile.module.css";

/** The mobile number; a new one is saved once the mailed code is entered. */
export function PhoneChange({ user }: { user: CurrentUser }) {
  return (
    <ContactChange<string>
      label="Mobile number"
      value={user.phone || "None"}
      changed="Your mobile number is changed. Every other device was logged out."
      request={(step) => <NewPhoneForm {...step} />}
      confirm={(phone, step) => <PhoneCodeForm email={user.email} phone={phone} {...step} />}
    />
  );
}

/** The e-mail; a new one is saved once the code mailed to it is entered. */
export function EmailChange({ user }: { user: CurrentUser }) {
  return (
    <ContactChange<NewEmailInput>
      label="Email"
      value={user.email}
      note="We send codes and emails about your orders there."
      changed="Your email is changed. Every other device was logged out."
      request={(step) => <NewEmailForm user={user} {...step} />}
      confirm={(entered, step) => <EmailCodeForm entered={entered} {...step} />}
    />
  );
}

interface RequestStep<Entered> {
  /** Called when a code was sent. */
  onSent: (entered: Entered) => void;
}

interface ConfirmStep {
  onDone: (user: CurrentUser) => void;
}

interface ContactChangeProps<Entered> {
  label: string;
  value: string;
  note?: string;
  /** Shown after the change. */
  changed: string;
  request: (step: RequestStep<Entered>) => ReactNode;
  confirm: (entered: Entered, step: ConfirmStep) => ReactNode;
}

/** `left`: the change was cancelled or is done; the focus returns to the button that started it. */
type Step<Entered> = { name: "shown" | "request" | "left" } | { name: "confirm"; entered: Entered };

/** A phone number or e-mail, and the two steps of its change. */
function ContactChange<Entered>(props: ContactChangeProps<Entered>) {
  const { label, value, note, changed, request, confirm } = props;
  const [step, setStep] = useState<Step<Entered>>({ name: "shown" });
  const [isChanged, setIsChanged] = useState(false);
  const setUser = useSetUser();
  const isUnderWay = step.name === "request" || step.name === "confirm";

  function begin() {
    setIsChanged(false);
    setStep({ name: "request" });
  }

  async function finish(user: CurrentUser) {
    setIsChanged(true);
    setStep({ name: "left" });
    await setUser(user);
  }

  return (
    <>
      <p className={classes.label}>{label}</p>
      <p className={classes.value}>{value}</p>
      {note && <p className={classes.note}>{note}</p>}
      <div className={`${classes.form} ${classes.steps}`}>
        {step.name === "request" && request({ onSent: (entered) => setStep({ name: "confirm", entered }) })}
        {step.name === "confirm" && confirm(step.entered, { onDone: (user) => void finish(user) })}
        {isUnderWay && (
          <Button variant="default" size="md" fullWidth onClick={() => setStep({ name: "left" })}>
            Cancel
          </Button>
        )}
        {!isUnderWay && (
          <Button
            variant="default"
            className={classes.opener}
            autoFocus={step.name === "left"}
            onClick={begin}
          >
            Change {label.toLowerCase()}
          </Button>
        )}
        <FormStatus message={isChanged && changed} />
      </div>
    </>
  );
}

function NewPhoneForm({ onSent }: RequestStep<string>) {
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
          enterKeyHint="go"
          label="New mobile number"
          description="We will email you a code to confirm it."
          {...form.getInputProps("phone")}
        />
      </AccountForm>
    </>
  );
}

function NewEmailForm({ user, onSent }: RequestStep<NewEmailInput> & { user: CurrentUser }) {
  const form = useAccountForm<NewEmailInput>({
    name: "new-email",
    schema: newEmailInput,
    initialValues: { email: "", password: "" },
  });
  const request = trpc.accounts.requestEmailCode.useMutation({ onSuccess: (_, entered) => onSent(entered) });
  return (
    <>
      {request.isError && <FormAlert message={messageOf(request.error)} />}
      <AccountForm
        form={form}
        submitLabel="Send code"
        busy={request.isPending}
        onSubmit={(values) => request.mutate(values)}
      >
        <EmailField
          autoFocus
          autoComplete="email"
          label="New email"
          description="We will send a code there to confirm it."
          {...form.getInputProps("email")}
        />
        <HiddenUserName email={user.email} />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          enterKeyHint="go"
          {...form.getInputProps("password")}
        />
      </AccountForm>
    </>
  );
}

interface PhoneCodeFormProps extends ConfirmStep {
  /** Where the code went. */
  email: string;
  phone: string;
}

function PhoneCodeForm({ email, phone, onDone }: PhoneCodeFormProps) {
  const resend = trpc.accounts.requestPhoneCode.useMutation();
  const confirm = trpc.accounts.confirmPhone.useMutation({ onSuccess: onDone });
  return (
    <CodeForm submitLabel="Confirm the new number" confirm={confirm} resend={resend} request={{ phone }}>
      We sent a code to {email}. Enter it to change your mobile number to <strong>{phone}</strong>.
    </CodeForm>
  );
}

/** Another code needs the password again, which stays in memory until the change is done. */
function EmailCodeForm({ entered, onDone }: ConfirmStep & { entered: NewEmailInput }) {
  const resend = trpc.accounts.requestEmailCode.useMutation();
  const confirm = trpc.accounts.confirmEmail.useMutation({ onSuccess: onDone });
  return (
    <CodeForm submitLabel="Confirm the new email" confirm={confirm} resend={resend} request={entered}>
      We sent a code to <strong>{entered.email}</strong>. Enter it to use this email from now on.
    </CodeForm>
  );
}

interface Call {
  error: unknown;
  isPending: boolean;
}

interface CodeFormProps<Input> {
  submitLabel: string;
  confirm: Call & { reset(): void; mutate(input: { verifyCode: string }): void };
  resend: Call & { isSuccess: boolean; mutate(input: Input, options: { onSuccess: () => void }): void };
  /** What another code is requested with. */
  request: Input;
  /** Where the code went, and what it is for. */
  children: ReactNode;
}

/** Takes the mailed code, or sends another. */
function CodeForm<Input>({ submitLabel, confirm, resend, request, children }: CodeFormProps<Input>) {
  const form = useAccountForm({
    name: "contact-code",
    schema: confirmContactInput,
    initialValues: { verifyCode: "" },
  });
  const wait = useCountdown(RESEND_SECONDS, true);
  const error = confirm.error ?? resend.error;

  function sendAgain() {
    confirm.reset();
    resend.mutate(request, { onSuccess: wait.restart });
  }

  return (
    <>
      <p>{children}</p>
      {Boolean(error) && <FormAlert message={messageOf(error)} />}
      <AccountForm
        form={form}
        submitLabel={submitLabel}
        busy={confirm.isPending || resend.isPending}
        onSubmit={(values) => confirm.mutate(values)}
      >
        <CodeField autoFocus {...form.getInputProps("verifyCode")} />
      </AccountForm>
      <ResendCode secondsLeft={wait.secondsLeft} sent={resend.isSuccess} onClick={sendAgain} />
    </>
  );
}
