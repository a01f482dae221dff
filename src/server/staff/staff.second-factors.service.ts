import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import {
  clearSecondFactors,
  isSecondFactorRuleSet,
  setSecondFactorRuleTo,
} from "../accounts/accounts.second-factor.service.ts";
import { holdVerifiedUser } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { logSecurity, pseudonym } from "../security-log.ts";

/** Takes every second factor from someone of the staff who has lost theirs; both are told by mail. */
export async function resetSecondFactor(ctx: Context<Admin>, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "Please remove your own second factors under Security");
  }
  const user = await transact(ctx.db, (trx) => storeReset(trx, ctx, userId));
  logSecurity(ctx, "staff.factor.reset", user, { by: pseudonym(ctx.keyring, ctx.actor.user.email) });
  ctx.wakeMail();
}

async function storeReset(trx: Trx, ctx: Context<Admin>, userId: string): Promise<CurrentUser> {
  const user = await holdVerifiedUser(trx, { id: userId });
  if (!user || user.role === "customer") throw new AppError("NOT_FOUND", "This person is not on the staff");
  await clearSecondFactors(trx, ctx, user);
  await recordAudit(trx, ctx, {
    action: "staff.secondFactorReset",
    subject: { id: userId, name: user.fullName },
  });
  return user;
}

/** Whether owners and counter staff must have a second factor; admins must where the store is open to the world. */
export async function getSecondFactorRule(ctx: Context<Admin>): Promise<{ required: boolean }> {
  return { required: await isSecondFactorRuleSet(ctx.db) };
}

/** Who has none then sets one up at the next call, which their sessions do not outlive. */
export async function setSecondFactorRule(
  ctx: Context<Admin>,
  { required }: { required: boolean },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const before = { required: await isSecondFactorRuleSet(trx) };
    await setSecondFactorRuleTo(trx, required);
    const subject = { id: "second-factor", name: "Owners and counter staff" };
    await recordAudit(trx, ctx, { action: "staff.secondFactorRule", subject, before, after: { required } });
  });
  logSecurity(ctx, "staff.factor.rule", ctx.actor.user, { required: String(required) });
}
