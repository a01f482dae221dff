import { z } from "zod";
import { VALIDATION } from "../messages.ts";
import { verifyCode } from "./accounts.ts";
import { idField, passwordField, requiredText } from "./fields.ts";

export const renameInput = z.object({ fullName: requiredText("Full name") });

export const confirmPhoneInput = z.object({ verifyCode });

export const changePasswordInput = z
  .object({
    currentPassword: passwordField,
    password: passwordField,
    confirmpassword: passwordField,
  })
  .refine((input) => input.password === input.confirmpassword, {
    path: ["confirmpassword"],
    message: VALIDATION.passwordsDiffer,
  });
export type ChangePasswordInput = z.infer<typeof changePasswordInput>;

export const deleteAccountInput = z.object({ password: passwordField });

export const deviceIdInput = z.object({ id: idField });
