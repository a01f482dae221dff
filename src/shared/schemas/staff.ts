import { z } from "zod";
import { VALIDATION } from "../messages.ts";
import { STAFF_ROLES } from "./accounts.ts";
import { emailField, idField, passwordField, phoneField, requiredText } from "./fields.ts";

/** How long an invitation works. */
export const INVITATION_DAYS = 7;

const duties = {
  role: z.enum(STAFF_ROLES, "Choose a role"),
  /** The shops of an owner or of counter staff; an admin has all of them, whatever stands here. */
  shopIds: z.array(idField).max(1000),
};

const WITHOUT_SHOP = { path: ["shopIds"], message: "Choose at least one shop" };

function hasDuties({ role, shopIds }: { role: string; shopIds: string[] }): boolean {
  return role === "admin" || shopIds.length > 0;
}

export const inviteInput = z.object({ email: emailField, ...duties }).refine(hasDuties, WITHOUT_SHOP);
export type InviteInput = z.infer<typeof inviteInput>;

export const changeStaffInput = z.object({ userId: idField, ...duties }).refine(hasDuties, WITHOUT_SHOP);
export type ChangeStaffInput = z.infer<typeof changeStaffInput>;

export const staffIdInput = z.object({ userId: idField });
export const invitationIdInput = z.object({ id: idField });
export const invitationTokenInput = z.object({ token: requiredText("Token") });

/** The account that an invited person opens; the phone may be left out. */
export const newStaffAccount = z
  .object({
    fullName: requiredText("Full name"),
    phone: z.union([z.literal("").transform(() => null), phoneField], VALIDATION.phone),
    password: passwordField,
    confirmpassword: passwordField,
  })
  .refine((account) => account.password === account.confirmpassword, {
    path: ["confirmpassword"],
    message: VALIDATION.passwordsDiffer,
  });
export type NewStaffAccount = z.infer<typeof newStaffAccount>;

/** Without an account where the invited person has one already. */
export const acceptInvitationInput = invitationTokenInput.extend({ account: newStaffAccount.optional() });
export type AcceptInvitationInput = z.infer<typeof acceptInvitationInput>;
