import { randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { CurrentUser, Role, StaffAccount, StaffRole } from "#shared/schemas/accounts.ts";
import type { NewStaffAccount } from "#shared/schemas/staff.ts";
import type { Deps } from "../context.ts";
import { hashStaffPassword } from "./accounts.passwords.ts";
import {
  changeRole,
  findAccount,
  findStaffAccounts,
  holdAccount,
  holdAdmins,
  type NewAccount,
  updatePassword,
} from "./accounts.queries.ts";
import { deleteSecondFactors } from "./accounts.second-factor.queries.ts";
import { deleteMailedSecrets } from "./accounts.secret-queries.ts";
import { deleteSessionsOf } from "./accounts.session-queries.ts";
import { storeAccount } from "./accounts.signup.service.ts";

/** Everyone with a role beyond customer's, by name. */
export async function listStaffAccounts(db: Db | Trx): Promise<StaffAccount[]> {
  return (await findStaffAccounts(db)).map((account) => ({ ...toUser(account), role: account.role }));
}

/** The verified account of this id or e-mail. */
export async function findVerifiedUser(
  db: Db | Trx,
  by: { id: string } | { email: string },
): Promise<CurrentUser | null> {
  const account = await findAccount(db, by);
  return account?.verified ? toUser(account) : null;
}

/** The same; nobody else changes it until the transaction ends. */
export async function holdVerifiedUser(
  trx: Trx,
  by: { id: string } | { email: string },
): Promise<CurrentUser | null> {
  const account = await holdAccount(trx, by);
  return account?.verified ? toUser(account) : null;
}

/** Prepares a verified account of the staff: the mailed link that it is opened by has proved the e-mail. */
export async function prepareStaffAccount(
  { now }: Pick<Deps, "now">,
  { fullName, phone, password, email, role }: NewStaffAccount & { email: string; role: StaffRole },
): Promise<NewAccount> {
  const time = now().toISOString();
  return {
    id: randomUUID(),
    email,
    phone,
    fullName,
    passwordHash: await hashStaffPassword(password, { fullName, email }, "account.password"),
    role,
    verifiedAt: time,
    termsAcceptedAt: null,
    createdAt: time,
  };
}

/** Adds a prepared account. Throws CONFLICT where another account holds its e-mail or phone. */
export async function openStaffAccount(trx: Trx, account: NewAccount): Promise<CurrentUser> {
  await storeAccount(trx, account);
  const { id: _id, fullName, email, phone, role } = account;
  return { _id, fullName, email, phone: phone ?? "", role };
}

/** The password that a student chooses in place of theirs when they join the staff, by its hash. */
export function prepareStaffPassword(password: string, user: CurrentUser): Promise<string> {
  return hashStaffPassword(password, user, "newPassword.password");
}

/** Puts it in place. What was mailed before opens the account no longer. */
export async function replaceWithStaffPassword(
  trx: Trx,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await updatePassword(trx, userId, passwordHash);
  await deleteMailedSecrets(trx, userId);
}

/**
 * Gives an account another role. Its sessions end with the change, at once and everywhere: those that take rights away
 * must, and a session that someone else may hold is given none. Until the transaction ends no other changes who is an
 * admin. False when its role is not `from` any more.
 */
export async function moveRole(
  trx: Trx,
  { userId, from, to }: { userId: string; from: Role; to: Role },
): Promise<boolean> {
  if (from === to) return true;
  await holdAdmins(trx);
  if (!(await changeRole(trx, userId, { from, to }))) return false;
  await deleteSessionsOf(trx, userId);
  if (to === "customer") await deleteSecondFactors(trx, userId);
  return true;
}

/** Logs somebody out everywhere. */
export function endSessions(trx: Trx, userId: string): Promise<void> {
  return deleteSessionsOf(trx, userId);
}

function toUser({ _id, fullName, email, phone, role }: CurrentUser): CurrentUser {
  return { _id, fullName, email, phone, role };
}
