import { useNavigate } from "@tanstack/react-router";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { AccountDialog, EmailForm } from "./account-dialog.tsx";

interface OtpRequestDialogProps {
  /** Prefilled. */
  email: string;
  opened: boolean;
  onClose: () => void;
}

/** Requests a login code by e-mail, then opens the page where it is entered. */
export function OtpRequestDialog({ email, opened, onClose }: OtpRequestDialogProps) {
  const navigate = useNavigate();
  const request = trpc.accounts.requestLoginOtp.useMutation({
    onSuccess: async (sent) => {
      sessionItems.set("otpEmail", sent.email);
      sessionItems.remove("otpPhone");
      await navigate({ to: "/login-with-otp", replace: true });
      showSuccess(SUCCESS.otpSent);
    },
    onError: (error) => showError({ title: FAILURE.error, text: messageOf(error) }),
  });
  return (
    <AccountDialog title="Login with OTP" opened={opened} onClose={onClose}>
      <p>We will email you a code to log in without a password.</p>
      <EmailForm
        email={email}
        submitLabel="Send OTP"
        busy={request.isPending}
        onSubmit={(values) => request.mutate(values)}
      />
    </AccountDialog>
  );
}
