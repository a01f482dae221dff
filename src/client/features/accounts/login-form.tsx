import { type LoginInput, loginInput } from "#shared/schemas/accounts.ts";
import { EmailField, PasswordField } from "./account-fields.tsx";
import { AccountForm } from "./account-form.tsx";
import { ForgotPasswordButton } from "./forgot-password-button.tsx";
import { LoginWays } from "./login-ways.tsx";
import { useAccountForm } from "./use-account-form.ts";
import { useLogin } from "./use-login.ts";

export function LoginForm() {
  const form = useAccountForm<LoginInput>({
    name: "login",
    schema: loginInput,
    initialValues: { email: "", password: "" },
  });
  const login = useLogin();
  const { email } = form.values;
  return (
    <>
      <AccountForm
        form={form}
        submitLabel="Login"
        busy={login.isPending}
        onSubmit={(values) => login.mutate(values)}
      >
        <EmailField {...form.getInputProps("email")} />
        <div>
          <PasswordField autoComplete="current-password" {...form.getInputProps("password")} />
          <ForgotPasswordButton email={email} />
        </div>
      </AccountForm>
      <LoginWays email={email} />
    </>
  );
}
