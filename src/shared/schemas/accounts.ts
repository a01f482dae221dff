import { z } from "zod";
import { asciiDigits } from "../digits.ts";
import {
  emailField,
  hasOnePassword,
  PASSWORDS_DIFFER,
  passwordField,
  phoneField,
  requiredText,
} from "./fields.ts";
import { factorCode, passkeyAnswer } from "./second-factors.ts";

export const ROLES = ["customer", "counter", "owner", "admin"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Every person has one role: counter staff work in the queues of their shops, owners run their shops, admins run the
 * whole store.
 */
export const STAFF_ROLES = ["counter", "owner", "admin"] as const satisfies readonly Role[];
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The logged-in user, as returned by `GET /users/getuser`. */
export const currentUser = z
  .object({
    _id: z.string(),
    fullName: z.string(),
    email: z.string(),
    phone: z.string(),
    role: z.enum(ROLES),
  })
  .meta({ id: "CurrentUser" });
export type CurrentUser = z.infer<typeof currentUser>;
/** A user who is on the staff. */
export type StaffAccount = CurrentUser & { role: StaffRole };

export const signupInput = z
  .object({
    fullName: requiredText("Full name"),
    email: emailField,
    phone: phoneField,
    password: passwordField,
    confirmpassword: passwordField,
    termsAccepted: z.boolean().optional(),
  })
  .refine(hasOnePassword, PASSWORDS_DIFFER)
  .meta({ id: "Signup" });
export type SignupInput = z.infer<typeof signupInput>;

/** Others use the computer too: see SHARED_SESSION_IDLE_MINUTES. */
const isSharedComputer = z.boolean().optional();

export const loginInput = z
  .object({ email: emailField, password: passwordField, isSharedComputer })
  .meta({ id: "Login" });
export type LoginInput = z.infer<typeof loginInput>;

/**
 * A session ends this long after the login or its last renewal: use in its second half renews it (Lucia). Sessions of staff also end
 * STAFF_SESSION_IDLE_HOURS after their last use and STAFF_SESSION_DAYS after the login; those on a shared computer with the browser,
 * or SHARED_SESSION_IDLE_MINUTES after their last use.
 */
export const SESSION_DAYS = 30;
export const SHARED_SESSION_IDLE_MINUTES = 60;
export const STAFF_SESSION_IDLE_HOURS = 12;
export const STAFF_SESSION_DAYS = 7;
/** A further login of the same account ends the session that was unused longest. */
export const MAX_SESSIONS = 100;

/** Lifetime of a mailed one-time code. */
export const CODE_MINUTES = 10;
/** Lifetime of a mailed recovery link. */
export const LINK_MINUTES = 30;
/** How long a proof of identity counts for calls that require recent authentication. */
export const CONFIRMATION_MINUTES = 10;

/** How a logged-in user can prove their identity again. */
export const confirmInput = z.union([
  z.object({ password: passwordField }),
  z.object({ code: factorCode }),
  z.object({ passkey: passkeyAnswer }),
]);
export type ConfirmInput = z.infer<typeof confirmInput>;

export const emailInput = z.object({ email: emailField }).meta({ id: "EmailOnly" });
export const phoneInput = z.object({ phone: phoneField }).meta({ id: "PhoneOnly" });

/** A one-time code as typed; any text, because the specification has no format check. A number has lost its leading zeros. */
export const verifyCode = z
  .union(
    [z.string().overwrite(asciiDigits), z.number().transform((code) => String(code).padStart(6, "0"))],
    "Verification code is required",
  )
  .pipe(requiredText("Verification code", 64));

export const verifyAccountInput = z.object({ verifyCode, phone: phoneField }).meta({ id: "VerifyAccount" });
export type VerifyAccountInput = z.infer<typeof verifyAccountInput>;

export const otpLoginInput = z
  .object({
    verifyCode,
    email: emailField.optional(),
    phone: phoneField.optional(),
    isSharedComputer,
  })
  .refine((input) => input.email !== undefined || input.phone !== undefined, {
    message: "Phone or email not found.",
  })
  .meta({ id: "OtpLogin" });
export type OtpLoginInput = z.infer<typeof otpLoginInput>;

export const resetPasswordInput = z
  .object({
    token: requiredText("Token"),
    password: passwordField,
    confirmpassword: passwordField,
  })
  .refine(hasOnePassword, PASSWORDS_DIFFER)
  .meta({ id: "ResetPassword" });
export type ResetPasswordInput = z.infer<typeof resetPasswordInput>;
