import { Checkbox, type CheckboxProps } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { type SignupInput, signupInput } from "#shared/schemas/accounts.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import {
  AccountForm,
  ConfirmPasswordField,
  EmailField,
  NameField,
  PasswordField,
  PhoneField,
  useAccountForm,
} from "./account-form.tsx";
import { AccountLink } from "./account-screen.tsx";
import { SharedComputerBox } from "./shared-computer.tsx";
import { keepNewAccount } from "./typed-login.ts";

const EMPTY: SignupInput = {
  fullName: "",
  email: "",
  phone: "",
  password: "",
  confirmpassword: "",
  termsAccepted: false,
};

export function SignupForm() {
  const form = useAccountForm<SignupInput>({
    name: "signup",
    schema: signupInput,
    initialValues: EMPTY,
  });
  const register = useRegister();
  return (
    <AccountForm
      form={form}
      submitLabel="Signup"
      busy={register.isPending}
      onSubmit={(values) => register.mutate(values)}
    >
      <NameField autoFocus {...form.getInputProps("fullName")} />
      <EmailField {...form.getInputProps("email")} />
      <PhoneField {...form.getInputProps("phone")} />
      <PasswordField autoComplete="new-password" {...form.getInputProps("password")} />
      <ConfirmPasswordField {...form.getInputProps("confirmpassword")} />
      <SharedComputerBox />
      <TermsCheckbox {...form.getInputProps("termsAccepted", { type: "checkbox" })} />
    </AccountForm>
  );
}

/** Creates the account, then opens the page where the mailed code is entered. Back does not lead to the form again. */
function useRegister() {
  const navigate = useNavigate();
  return trpc.accounts.register.useMutation({
    onSuccess: async ({ phone }, { email, password }) => {
      sessionItems.set("phone", phone);
      keepNewAccount({ email, phone, password });
      await navigate({ to: "/account-verify", replace: true, state: { email } });
      showSuccess(SUCCESS.accountCreated);
    },
    onError: (error) => showError({ title: FAILURE.error, text: messageOf(error) }),
  });
}

/** Opens the terms in a new tab, so that no input is lost. */
function TermsCheckbox(props: CheckboxProps) {
  return (
    <Checkbox
      name="termsAccepted"
      size="md"
      label={
        <>
          I agree to the{" "}
          <AccountLink to="/terms-and-conditions" target="_blank">
            Terms and Conditions
          </AccountLink>
        </>
      }
      {...props}
    />
  );
}
