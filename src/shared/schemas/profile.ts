import { z } from "zod";
import { MAIL_CHOICES } from "../mail-choices.ts";
import { verifyCode } from "./accounts.ts";
import { emailField, hasOnePassword, PASSWORDS_DIFFER, passwordField, requiredText } from "./fields.ts";
import { staffPasswordField } from "./staff-passwords.ts";

export const renameInput = z.object({ fullName: requiredText("Full name") });

/** The code that confirms a new phone number or e-mail. */
export const confirmContactInput = z.object({ verifyCode });

export const newEmailInput = z.object({ email: emailField, password: passwordField });
export type NewEmailInput = z.infer<typeof newEmailInput>;

const passwordChange = {
  currentPassword: passwordField,
  password: passwordField,
  confirmpassword: passwordField,
};

export const changePasswordInput = z.object(passwordChange).refine(hasOnePassword, PASSWORDS_DIFFER);
/** For staff, whose passwords have stricter rules; the server checks them in any case. */
export const changeStaffPasswordInput = z
  .object({ ...passwordChange, password: staffPasswordField })
  .refine(hasOnePassword, PASSWORDS_DIFFER);
export type ChangePasswordInput = z.infer<typeof changePasswordInput>;

export const deleteAccountInput = z.object({ password: passwordField });

export const mailChoiceInput = z.object({ kind: z.enum(MAIL_CHOICES), wanted: z.boolean() });
export type MailChoiceInput = z.output<typeof mailChoiceInput>;
