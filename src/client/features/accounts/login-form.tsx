import { Button } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { SUCCESS } from "#shared/messages.ts";
import { emailInput, type LoginInput, loginInput } from "#shared/schemas/accounts.ts";
import { pressOnce } from "#ui/double-press.ts";
import { codeOf, detailsOf, messageOf, needsSecondFactor } from "#ui/errors.ts";
import { isSharedTicked } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { sessionItems } from "../../lib/storage.ts";
import { lazyDialog } from "../../ui/lazy.tsx";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { AccountForm, EmailField, PasswordField, useAccountForm } from "./account-form.tsx";
import classes from "./login-form.module.css";
import { SharedComputerBox } from "./shared-computer.tsx";
import { keepNewAccount, keepTypedEmail, takeVerified } from "./typed-login.ts";

/**
 * Login by password. After the verification in this tab it has the e-mail, and logs in with what was typed at sign-up; a
 * failed login can be repeated here.
 */
export function LoginForm() {
  const form = useAccountForm<LoginInput>({
    name: "login",
    schema: loginInput,
    initialValues: { email: "", password: "" },
  });
  const login = useLogin();
  const { email } = form.values;
  const carried = useLocation({ select: ({ state }) => state.email });
  const start = useEffectEvent(() => {
    const verified = takeVerified();
    const known = verified?.email ?? carried;
    if (known && !form.getValues().email) form.setFieldValue("email", known);
    if (known) form.getInputNode("password")?.focus();
    if (verified) login.mutate({ ...verified, isSharedComputer: isSharedTicked() });
  });
  // After hydration, because the server does not know the e-mail.
  useEffect(() => start(), []);
  return (
    <>
      <AccountForm
        form={form}
        submitLabel="Login"
        busy={login.isPending}
        onSubmit={(values) => login.mutate({ ...values, isSharedComputer: isSharedTicked() })}
      >
        <EmailField {...form.getInputProps("email")} />
        <div>
          <PasswordField
            autoComplete="current-password"
            enterKeyHint="go"
            {...form.getInputProps("password")}
          />
          <ForgotPasswordButton email={email} />
        </div>
        <SharedComputerBox />
      </AccountForm>
      <LoginWays email={email} />
    </>
  );
}

/**
 * Logs in by password. The route's guard then redirects home, or back to the page that required the login. An
 * unverified account is sent to verification; the server has mailed a new code.
 */
function useLogin() {
  const setUser = useSetUser();
  const navigate = useNavigate();
  return trpc.accounts.login.useMutation({
    onSuccess: async (user, { isSharedComputer = false }) => {
      await setUser(user, isSharedComputer);
      showSuccess(SUCCESS.loggedIn);
    },
    onError: async (error, { email, password }) => {
      if (needsSecondFactor(error)) return window.location.assign("/admin/login");
      if (codeOf(error) === "ACCOUNT_NOT_VERIFIED") {
        const phone = String(detailsOf(error).phone);
        sessionItems.set("phone", phone);
        keepNewAccount({ email, phone, password });
        await navigate({ to: "/account-verify", replace: true, state: { email } });
      }
      showError({ title: messageOf(error) });
    },
  });
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The e-mail that was typed on the page before; kept out of the address. */
    email?: string;
  }
}

/** Opens password recovery with the typed e-mail; disabled until it is a valid address. */
function ForgotPasswordButton({ email }: { email: string }) {
  const navigate = useNavigate();
  return (
    <Button
      variant="transparent"
      size="compact-sm"
      className={classes.button}
      disabled={!emailInput.safeParse({ email }).success}
      onClick={() => {
        keepTypedEmail(email);
        void navigate({ to: "/forgotpassword" });
      }}
    >
      Forgot Password
    </Button>
  );
}

const useOtpRequestDialog = lazyDialog(
  async () => (await import("./otp-request-dialog.tsx")).OtpRequestDialog,
);

/** Login without a password. The dialog is prefilled with the typed e-mail. */
function LoginWays({ email }: { email: string }) {
  const { Dialog, isLoading, isOpen, open, close } = useOtpRequestDialog();
  return (
    <div className={classes.ways}>
      <p className={classes.or}>or</p>
      <Button variant="default" size="md" fullWidth onClick={pressOnce(open)}>
        Login With OTP
      </Button>
      <Button variant="default" size="md" fullWidth disabled>
        Login with Google
      </Button>
      <WaitOverlay active={isLoading} />
      {Dialog && <Dialog email={email} opened={isOpen} onClose={close} />}
    </div>
  );
}
