import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { SUCCESS } from "#shared/messages.ts";
import { type VerifyAccountInput, verifyAccountInput } from "#shared/schemas/accounts.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { AccountForm, PhoneField, useAccountForm } from "./account-form.tsx";
import { CodeField, closeAsking, ResendCode, useResendWait } from "./one-time-code.tsx";
import { markVerified } from "./typed-login.ts";

/** The sign-up happened in another browser, so its password may be somebody else's. */
const CHOOSE_PASSWORD = {
  title: SUCCESS.accountVerified.title,
  text: "You did not sign up in this browser. Please choose your password now",
};

/** Verifies the account by the mailed code; also asks for the mobile number if this tab does not know it. */
export function VerifyForm() {
  const [storedPhone] = useState(() => sessionItems.get("phone"));
  const form = useAccountForm<VerifyAccountInput>({
    name: "verify",
    schema: verifyAccountInput,
    initialValues: { phone: storedPhone ?? "", verifyCode: "" },
  });
  const verify = useVerify();
  const wait = useResendWait(storedPhone);
  const resend = trpc.accounts.resendVerification.useMutation({
    onSuccess: wait.restart,
    onError: showMessage,
  });

  function sendAgain() {
    if (form.validateField("phone").hasError) form.getInputNode("phone")?.focus();
    else resend.mutate({ phone: form.values.phone });
  }

  return (
    <>
      <AccountForm
        form={form}
        submitLabel="Verify account"
        busy={verify.isPending || resend.isPending}
        onSubmit={(values) => verify.mutate(values)}
      >
        {!storedPhone && <PhoneField {...form.getInputProps("phone")} />}
        <CodeField
          autoFocus={storedPhone !== null}
          isLast={storedPhone !== null || form.isValid("phone")}
          {...form.getInputProps("verifyCode")}
        />
      </AccountForm>
      <ResendCode secondsLeft={wait.secondsLeft} sent={resend.isSuccess} onClick={sendAgain} />
    </>
  );
}

function useVerify() {
  const navigate = useNavigate();
  const email = useLocation({ select: ({ state }) => state.email });
  return trpc.accounts.verify.useMutation({
    onSuccess: async ({ passwordToken: token }, { phone }) => {
      sessionItems.remove("phone");
      closeAsking(SUCCESS.accountCreated);
      if (token) {
        await navigate({ to: "/reset-password", search: { token }, replace: true });
        showSuccess(CHOOSE_PASSWORD);
        return;
      }
      markVerified(phone);
      showSuccess(SUCCESS.accountVerified);
      await navigate({ to: "/login", replace: true, state: email ? { email } : {} });
    },
    onError: showMessage,
  });
}

function showMessage(error: unknown) {
  showError({ title: messageOf(error) });
}
