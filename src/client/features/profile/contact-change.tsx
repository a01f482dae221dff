import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { z } from "zod";
import { MINUTE_MS } from "#shared/durations.ts";
import { CODE_MINUTES, type CurrentUser, phoneInput } from "#shared/schemas/accounts.ts";
import { confirmContactInput, type NewEmailInput, newEmailInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useOwnership, useSetUser } from "../../lib/session.ts";
import { ownItems } from "../../lib/storage.ts";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import {
  AccountForm,
  EmailField,
  HiddenUserName,
  PasswordField,
  PhoneField,
  useAccountForm,
} from "../accounts/account-form.tsx";
import { CodeField, ResendCode, useResendWait } from "../accounts/one-time-code.tsx";
import classes from "./profile.module.css";

/** The mobile number; a new one is saved once the mailed code is entered. */
export function PhoneChange({ user }: { user: CurrentUser }) {
  return (
    <ContactChange
      label="Mobile number"
      stored={`new-phone:${user._id}`}
      user={user}
      value={user.phone || "None"}
      changed="Your mobile number is changed. Every other device was logged out."
      request={(step) => <NewPhoneForm {...step} />}
      confirm={({ contact }, step) => <PhoneCodeForm email={user.email} phone={contact} {...step} />}
    />
  );
}

/** The e-mail; a new one is saved once the code mailed to it is entered. */
export function EmailChange({ user }: { user: CurrentUser }) {
  return (
    <ContactChange
      label="Email"
      stored={`new-email:${user._id}`}
      user={user}
      value={user.email}
      note="We send codes and emails about your orders there."
      changed="Your email is changed. Every other device was logged out."
      request={(step) => <NewEmailForm user={user} {...step} />}
      confirm={(entered, step) => <EmailCodeForm entered={entered} {...step} />}
    />
  );
}

interface Entered {
  /** The new number or e-mail. */
  contact: string;
  /** What another code to a new e-mail needs; in memory only. */
  password?: string;
}

interface RequestStep {
  /** Called when a code was sent. */
  onSent: (entered: Entered) => void;
}

interface ConfirmStep {
  onDone: (user: CurrentUser) => void;
}

interface ContactChangeProps {
  label: string;
  /** Name of the stored item that says for what a code was sent. */
  stored: string;
  user: CurrentUser;
  value: string;
  note?: string;
  /** Shown after the change. */
  changed: string;
  request: (step: RequestStep) => ReactNode;
  confirm: (entered: Entered, step: ConfirmStep) => ReactNode;
}

/** `left`: the change was cancelled or is done; the focus returns to the button that started it. */
type Step = { name: "shown" | "request" | "left" } | { name: "confirm"; entered: Entered };

/** A phone number or e-mail, and the two steps of its change. */
function ContactChange(props: ContactChangeProps) {
  const { label, stored, user, value, note, changed, request, confirm } = props;
  const [taken, setStep] = useState<Step>({ name: "shown" });
  const isOwn = useOwnership(user._id) === "own";
  const sent = isOwn && taken.name === "shown" ? readSent(stored) : null;
  const step: Step = sent ? { name: "confirm", entered: sent } : taken;
  const [isChanged, setIsChanged] = useState(false);
  const setUser = useSetUser();
  const isUnderWay = step.name === "request" || step.name === "confirm";

  function begin() {
    setIsChanged(false);
    setStep({ name: "request" });
  }

  function keepSent(entered: Entered) {
    const until = Date.now() + CODE_MINUTES * MINUTE_MS;
    ownItems.set(stored, { contact: entered.contact, until });
    setStep({ name: "confirm", entered });
  }

  function leave() {
    ownItems.remove(stored);
    setStep({ name: "left" });
  }

  async function finish(user: CurrentUser) {
    setIsChanged(true);
    leave();
    await setUser(user);
  }

  return (
    <>
      <p className={classes.label}>{label}</p>
      <p className={classes.value}>{value}</p>
      {note && <p className={classes.note}>{note}</p>}
      <div className={`${classes.form} ${classes.steps}`}>
        {step.name === "request" && request({ onSent: keepSent })}
        {step.name === "confirm" && confirm(step.entered, { onDone: (user) => void finish(user) })}
        {isUnderWay && (
          <Button variant="default" size="md" fullWidth onClick={leave}>
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

const sentCode = z.object({ contact: z.string(), until: z.number() });

/** For what a code was sent that is still valid: a phone may throw the tab away while its owner reads the mail. */
function readSent(stored: string): Entered | null {
  const sent = sentCode.safeParse(ownItems.get(stored)).data;
  return sent && sent.until > Date.now() ? { contact: sent.contact } : null;
}

function NewPhoneForm({ onSent }: RequestStep) {
  const form = useAccountForm({ name: "new-phone", schema: phoneInput, initialValues: { phone: "" } });
  const request = trpc.accounts.requestPhoneCode.useMutation({
    onSuccess: ({ phone }) => onSent({ contact: phone }),
  });
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

function NewEmailForm({ user, onSent }: RequestStep & { user: CurrentUser }) {
  const form = useAccountForm<NewEmailInput>({
    name: "new-email",
    schema: newEmailInput,
    initialValues: { email: "", password: "" },
  });
  const request = trpc.accounts.requestEmailCode.useMutation({
    onSuccess: (_, { email, password }) => onSent({ contact: email, password }),
  });
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
    <CodeForm
      submitLabel="Confirm the new number"
      contact={phone}
      confirm={confirm}
      resend={resend}
      request={{ phone }}
    >
      We sent a code to {email}. Enter it to change your mobile number to <strong>{phone}</strong>.
    </CodeForm>
  );
}

/** Another code needs the password again, which stays in memory until the change is done: after a reload there is none. */
function EmailCodeForm({ entered, onDone }: ConfirmStep & { entered: Entered }) {
  const { contact, password } = entered;
  const resend = trpc.accounts.requestEmailCode.useMutation();
  const confirm = trpc.accounts.confirmEmail.useMutation({ onSuccess: onDone });
  return (
    <CodeForm
      submitLabel="Confirm the new email"
      contact={contact}
      confirm={confirm}
      resend={resend}
      request={password === undefined ? null : { email: contact, password }}
    >
      We sent a code to <strong>{contact}</strong>. Enter it to use this email from now on.
    </CodeForm>
  );
}

interface Call {
  error: unknown;
  isPending: boolean;
}

interface CodeFormProps<Input> {
  submitLabel: string;
  /** The new number or e-mail. */
  contact: string;
  confirm: Call & { reset(): void; mutate(input: { verifyCode: string }): void };
  resend: Call & { isSuccess: boolean; mutate(input: Input, options: { onSuccess: () => void }): void };
  /** What another code is requested with; null if none can be. */
  request: Input | null;
  /** Where the code went, and what it is for. */
  children: ReactNode;
}

/** Takes the mailed code, or sends another. */
function CodeForm<Input>({ submitLabel, contact, confirm, resend, request, children }: CodeFormProps<Input>) {
  const form = useAccountForm({
    name: "contact-code",
    schema: confirmContactInput,
    initialValues: { verifyCode: "" },
  });
  const wait = useResendWait(contact);
  const error = confirm.error ?? resend.error;

  function sendAgain(input: Input) {
    confirm.reset();
    resend.mutate(input, { onSuccess: wait.restart });
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
      {request !== null && (
        <ResendCode
          secondsLeft={wait.secondsLeft}
          sent={resend.isSuccess}
          onClick={() => sendAgain(request)}
        />
      )}
    </>
  );
}
