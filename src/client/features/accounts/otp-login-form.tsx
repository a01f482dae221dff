import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { verifyAccountInput } from "#shared/schemas/accounts.ts";
import { messageOf, needsSecondFactor } from "#ui/errors.ts";
import { isSharedTicked } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { AccountForm, useAccountForm } from "./account-form.tsx";
import { CodeField, closeAsking, ResendCode, useResendWait } from "./one-time-code.tsx";
import { SharedComputerBox } from "./shared-computer.tsx";

/** Where a login code was sent. */
type OtpTarget = { email: string; phone?: undefined } | { phone: string; email?: undefined };

/** Where this tab's last login code was sent; null if none was requested. */
export function rememberedOtpTarget(): OtpTarget | null {
  const email = sessionItems.get("otpEmail");
  if (email) return { email };
  const phone = sessionItems.get("otpPhone");
  return phone ? { phone } : null;
}

const codeInput = verifyAccountInput.pick({ verifyCode: true });

/** Login by code. `target`: where the code was sent; null if this tab does not know. */
export function OtpLoginForm({ target }: { target: OtpTarget | null }) {
  const form = useAccountForm({
    name: "otp-login",
    schema: codeInput,
    initialValues: { verifyCode: "" },
  });
  const login = useOtpLogin();
  const wait = useResendWait(target?.email ?? null);
  const resend = trpc.accounts.requestLoginOtp.useMutation({
    onSuccess: wait.restart,
    onError: (error) => showError({ title: FAILURE.error, text: messageOf(error) }),
  });

  function submit({ verifyCode }: { verifyCode: string }) {
    if (target) login.mutate({ verifyCode, ...target, isSharedComputer: isSharedTicked() });
    else showError({ title: FAILURE.noOtpTarget });
  }

  return (
    <>
      <AccountForm
        form={form}
        submitLabel="Login"
        busy={login.isPending || resend.isPending}
        onSubmit={submit}
      >
        <CodeField autoFocus {...form.getInputProps("verifyCode")} />
        <SharedComputerBox />
      </AccountForm>
      {target?.email && (
        <ResendCode
          secondsLeft={wait.secondsLeft}
          sent={resend.isSuccess}
          onClick={() => resend.mutate({ email: target.email })}
        />
      )}
    </>
  );
}

/** Logs in by code. The route's guard then redirects home, or back to the page that required the login. */
function useOtpLogin() {
  const setUser = useSetUser();
  return trpc.accounts.loginWithOtp.useMutation({
    onSuccess: async (user, { isSharedComputer = false }) => {
      sessionItems.remove("otpEmail");
      sessionItems.remove("otpPhone");
      closeAsking(SUCCESS.otpSent);
      await setUser(user, isSharedComputer);
      showSuccess(SUCCESS.loggedInByOtp);
    },
    onError: (error) => {
      if (needsSecondFactor(error)) window.location.assign("/admin/login");
      else showError({ title: messageOf(error) });
    },
  });
}
