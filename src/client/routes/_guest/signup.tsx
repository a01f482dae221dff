import { createFileRoute } from "@tanstack/react-router";
import {
  AccountFooter,
  AccountLink,
  AccountScreen,
  PileArt,
} from "../../features/accounts/account-screen.tsx";
import { SignupForm } from "../../features/accounts/signup-form.tsx";
import { pageHead } from "../../lib/page-head.ts";

export const Route = createFileRoute("/_guest/signup")({
  head: () =>
    pageHead({
      title: "Signup",
      description:
        "Make a Print Store account: your name, email and mobile number, and you can order prints.",
    }),
  component: SignupPage,
});

function SignupPage() {
  return (
    <AccountScreen
      title="Signup"
      lead="One account for every print shop near your college. We email you a code to verify it."
      art={<PileArt />}
    >
      <SignupForm />
      <AccountFooter>
        Have an account already?{" "}
        <AccountLink to="/login" replace>
          Login
        </AccountLink>
      </AccountFooter>
    </AccountScreen>
  );
}
