import { createFileRoute } from "@tanstack/react-router";
import {
  AccountFooter,
  AccountLink,
  AccountScreen,
  PileArt,
} from "../../features/accounts/account-screen.tsx";
import { LoginForm } from "../../features/accounts/login-form.tsx";
import { pageHead } from "../../lib/page-head.ts";

export const Route = createFileRoute("/_guest/login")({
  head: () =>
    pageHead({
      title: "Login",
      description:
        "Log in to Print Store by password or by a code to your email, and send your files to print.",
    }),
  component: LoginPage,
});

function LoginPage() {
  return (
    <AccountScreen title="Login" lead="Log in, and your files are on their way to paper." art={<PileArt />}>
      <LoginForm />
      <AccountFooter>
        New here?{" "}
        <AccountLink to="/signup" replace>
          Sign up
        </AccountLink>
      </AccountFooter>
    </AccountScreen>
  );
}
