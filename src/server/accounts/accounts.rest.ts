import { z } from "zod";
import {
  currentUser,
  emailInput,
  loginInput,
  otpLoginInput,
  resetPasswordInput,
  signupInput,
  verifyAccountInput,
} from "#shared/schemas/accounts.ts";
import { AppError } from "../errors.ts";
import { restRoute } from "../rest-route.ts";

const tag = "Users";

export const accountsRest = [
  restRoute({
    method: "post",
    path: "/users/register",
    tag,
    summary: "Sign up; a code to verify the account goes out by e-mail",
    body: signupInput,
    data: z.object({ email: z.string(), phone: z.string(), fullName: z.string() }),
    failures: ["INVALID_INPUT", "CONFLICT", "RATE_LIMITED"],
    message: "Account created. Please verify your account",
    call: (caller, { body }) => caller.accounts.register(body),
  }),
  restRoute({
    method: "post",
    path: "/users/verify-account",
    tag,
    summary: "Verify an account by the code of its signup",
    body: verifyAccountInput,
    data: z.object({ phone: z.string() }),
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "RATE_LIMITED"],
    message: "Account verified",
    call: (caller, { body }) => caller.accounts.verify(body),
  }),
  restRoute({
    method: "post",
    path: "/users/login",
    tag,
    summary: "Log in by password; sets the session cookie",
    body: loginInput,
    data: currentUser,
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "ACCOUNT_NOT_VERIFIED", "RATE_LIMITED"],
    message: "Logged in",
    call: (caller, { body }) => caller.accounts.login(body),
  }),
  restRoute({
    method: "post",
    path: "/users/generate-otp-for-login",
    tag,
    summary: "Send a login code by e-mail, if there is such an account",
    body: emailInput,
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, an OTP has been sent to its email",
    call: (caller, { body }) => caller.accounts.requestLoginOtp(body),
  }),
  restRoute({
    method: "post",
    path: "/users/login-with-otp",
    tag,
    summary: "Log in by a mailed code; sets the session cookie",
    body: otpLoginInput,
    data: currentUser,
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "RATE_LIMITED"],
    message: "Logged in",
    call: (caller, { body }) => caller.accounts.loginWithOtp(body),
  }),
  restRoute({
    method: "get",
    path: "/users/getuser",
    tag,
    summary: "The user of the session",
    data: currentUser,
    failures: ["UNAUTHENTICATED"],
    message: "User found",
    call: async (caller) => {
      const user = await caller.accounts.me();
      if (!user) throw new AppError("UNAUTHENTICATED", "Please login to continue");
      return user;
    },
  }),
  restRoute({
    method: "post",
    path: "/users/logout",
    tag,
    summary: "End the session",
    data: z.null(),
    message: "Logged out",
    call: (caller) => caller.accounts.logout(),
  }),
  restRoute({
    method: "post",
    path: "/users/fpmail",
    tag,
    summary: "Mail a link that changes the password, if there is such an account",
    body: emailInput,
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, a link has been sent to its email",
    call: (caller, { body }) => caller.accounts.requestPasswordLink(body),
  }),
  restRoute({
    method: "post",
    path: "/users/reset-password",
    tag,
    summary: "Set a new password by a mailed link; ends every session of the account",
    body: resetPasswordInput,
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Password changed. Please login",
    call: (caller, { body }) => caller.accounts.resetPassword(body),
  }),
];
