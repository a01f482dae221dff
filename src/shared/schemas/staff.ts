import { z } from "zod";
import { VALIDATION } from "../messages.ts";
import { STAFF_ROLES } from "./accounts.ts";
import {
  emailField,
  hasOnePassword,
  idField,
  PASSWORDS_DIFFER,
  passwordField,
  phoneField,
  requiredText,
} from "./fields.ts";
import { tokenInput } from "./ids.ts";
import { searchField } from "./shop-admin.ts";
import { staffPasswordField } from "./staff-passwords.ts";

/** How long an invitation is valid. */
export const INVITATION_DAYS = 7;

const roleAndShops = {
  role: z.enum(STAFF_ROLES, "Choose a role"),
  /** The shops of an owner or of counter staff; ignored for admins, who have all. */
  shopIds: z.array(idField).max(1000),
};

/** The choices of a field for shops. */
export const myShopsInput = z.object({
  search: searchField,
  /** Only these, as far as they are the person's. */
  ids: roleAndShops.shopIds.optional(),
});
export type MyShopsInput = z.output<typeof myShopsInput>;

const NEEDS_SHOP = { path: ["shopIds"], message: "Choose at least one shop" };

function hasShops({ role, shopIds }: { role: string; shopIds: string[] }): boolean {
  return role === "admin" || shopIds.length > 0;
}

export const inviteInput = z.object({ email: emailField, ...roleAndShops }).refine(hasShops, NEEDS_SHOP);
export type InviteInput = z.infer<typeof inviteInput>;

export const changeStaffInput = z
  .object({
    userId: idField,
    ...roleAndShops,
    /** What was changed. */
    base: z.object(roleAndShops),
  })
  .refine(hasShops, NEEDS_SHOP);
export type ChangeStaffInput = z.infer<typeof changeStaffInput>;

const passwords = { password: staffPasswordField, confirmpassword: passwordField };

/** The account that an invited person creates; the phone number is optional. */
export const newStaffAccount = z
  .object({
    fullName: requiredText("Full name"),
    phone: z.union([z.literal("").transform(() => null), phoneField], VALIDATION.phone),
    ...passwords,
  })
  .refine(hasOnePassword, PASSWORDS_DIFFER);
export type NewStaffAccount = z.infer<typeof newStaffAccount>;

/** The new password of an invited person with an account, because rules for students' passwords are weaker. */
const newStaffPassword = z.object(passwords).refine(hasOnePassword, PASSWORDS_DIFFER);

export const acceptInvitationInput = tokenInput.extend({
  account: newStaffAccount.optional(),
  newPassword: newStaffPassword.optional(),
});
export type AcceptInvitationInput = z.infer<typeof acceptInvitationInput>;
