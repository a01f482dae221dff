import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser, Role, StaffAccount, StaffRole } from "#shared/schemas/accounts.ts";
import type { NewStaffAccount } from "#shared/schemas/staff.ts";
import { type AuditEntry, recordAudit } from "../audit/audit.service.ts";
import type { Deps, SignedIn } from "../context.ts";
import {
  changeRole,
  deleteUnverified,
  findAccount,
  findAdmins,
  findStaffAccounts,
  insertAccount,
  isFirstAdminRecorded,
  lockAccount,
  lockAdmins,
  type NewAccount,
  recordFirstAdmin,
  updatePassword,
} from "./accounts.queries.ts";
import { deleteCodesAndLinks } from "./codes.queries.ts";
import { hasSecondFactor } from "./login.service.ts";
import { checkPassword, findStaffPasswordFault, hashStaffPassword } from "./passwords.ts";
import { deleteSecondFactors, findSecondFactors } from "./second-factor.queries.ts";
import { deleteSessionsOf } from "./sessions.queries.ts";
import { storeAccount } from "./signup.service.ts";

type AdminDeps = Pick<Deps, "db" | "now">;

/** The result of `ensureAdmin`; `unchanged` when the account already was an admin with this password and no second factor. */
export type AdminOutcome = "made" | "promoted" | "new password" | "unchanged";

/** The actor in the audit log for commands that run on the server, where nobody is logged in. */
const OPERATOR: SignedIn = {
  kind: "user",
  user: { _id: "operator", fullName: "The operator, on the server", email: "", phone: "", role: "admin" },
};

/** Throws a one-line Error that names the setting when ADMIN_PASSWORD is too weak for an admin. */
export async function checkAdminPassword({
  email,
  password,
}: {
  email: string;
  password: string;
}): Promise<void> {
  const fault = await findStaffPasswordFault(password, { email });
  if (fault) throw new Error(`ADMIN_PASSWORD: ${fault}`);
}

/**
 * Makes this e-mail an admin with this password and records it in the audit log. Ends its sessions, codes, links and second
 * factors.
 */
export async function ensureAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<AdminOutcome> {
  if ((await isAdminWith(deps.db, admin)) && !(await isBehindSecondFactor(deps.db, admin.email)))
    return "unchanged";
  const passwordHash = await hashStaffPassword(admin.password, admin);
  return transact(deps.db, (trx) => storeAdmin(trx, deps, admin.email, passwordHash));
}

/** Whether this e-mail belongs to an admin with this password. */
export async function isAdminWith(
  db: Db,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const account = await findAccount(db, { email });
  const isRight = await checkPassword(account?.passwordHash, password);
  return isRight && account?.role === "admin" && account.verified;
}

async function isBehindSecondFactor(db: Db, email: string): Promise<boolean> {
  const account = await findAccount(db, { email });
  return account !== null && hasSecondFactor(await findSecondFactors(db, account._id));
}

async function storeAdmin(
  trx: Trx,
  deps: AdminDeps,
  email: string,
  passwordHash: string,
): Promise<AdminOutcome> {
  const existing = await lockAccount(trx, { email });
  if (!existing?.verified) {
    if (existing) await deleteUnverified(trx, [existing._id]);
    const id = await insertAdmin(trx, deps, email, passwordHash);
    await auditAdmin(trx, deps, { action: "staff.makeAdmin", id, email, after: { role: "admin" } });
    return "made";
  }
  await updatePassword(trx, existing._id, passwordHash);
  await changeRole(trx, existing._id, { from: existing.role, to: "admin" });
  await deleteCodesAndLinks(trx, existing._id);
  await deleteSessionsOf(trx, existing._id);
  // Whoever has access to the server gets in again, also after losing the phone or changing SECRET.
  await deleteSecondFactors(trx, existing._id);
  const { _id: id, role } = existing;
  if (role === "admin") {
    await auditAdmin(trx, deps, { action: "staff.setPassword", id, email, after: { password: "a new one" } });
    return "new password";
  }
  await auditAdmin(trx, deps, {
    action: "staff.makeAdmin",
    id,
    email,
    before: { role },
    after: { role: "admin", password: "a new one" },
  });
  return "promoted";
}

function auditAdmin(
  trx: Trx,
  deps: AdminDeps,
  { id, email, ...sides }: { id: string; email: string } & Pick<AuditEntry, "action" | "before" | "after">,
): Promise<void> {
  const actor = { now: deps.now, actor: OPERATOR };
  return recordAudit(trx, actor, { subject: { id, name: email }, ...sides });
}

/** Whether the store has ever had an admin. If so, a restart must not bring back an admin who was removed. */
export async function hasHadAdmin(db: Db | Trx): Promise<boolean> {
  return (await isFirstAdminRecorded(db)) || (await findAdmins(db)).length > 0;
}

/** Creates the first admin. Returns false when the store has had one, or when another server was faster. */
export async function createFirstAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashStaffPassword(admin.password, admin);
  return transact(deps.db, async (trx) => {
    if (!(await recordFirstAdmin(trx, deps.now().toISOString()))) return false;
    if ((await findAdmins(trx)).length > 0) return false;
    await storeAdmin(trx, deps, admin.email, passwordHash);
    return true;
  });
}

async function insertAdmin(trx: Trx, deps: AdminDeps, email: string, passwordHash: string): Promise<string> {
  const now = deps.now().toISOString();
  const id = randomUUID();
  await insertAccount(trx, {
    id,
    email,
    phone: null,
    fullName: "Store admin",
    passwordHash,
    role: "admin",
    verifiedAt: now,
    termsAcceptedAt: null,
    createdAt: now,
  });
  return id;
}

/** The admins' e-mail addresses, oldest account first; mails to the store go to them. */
export async function findAdminEmails(db: Db | Trx): Promise<string[]> {
  return (await findAdmins(db)).map((admin) => admin.email);
}

/** All staff accounts, or those with these ids, by name. */
export async function listStaffAccounts(db: Db, ids: "all" | readonly string[]): Promise<StaffAccount[]> {
  const accounts = await findStaffAccounts(db, ids);
  return accounts.map((account) => ({ ...toUser(account), role: account.role }));
}

/** Finds a verified account by id or e-mail. */
export async function findVerifiedUser(
  db: Db | Trx,
  by: { id: string } | { email: string },
): Promise<CurrentUser | null> {
  const account = await findAccount(db, by);
  return account?.verified ? toUser(account) : null;
}

/** Finds a verified account and locks its row until the transaction ends. */
export async function lockVerifiedUser(
  trx: Trx,
  by: { id: string } | { email: string },
): Promise<CurrentUser | null> {
  const account = await lockAccount(trx, by);
  return account?.verified ? toUser(account) : null;
}

/** Prepares a verified staff account; opening the mailed invitation has proved the e-mail. */
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

/** Inserts a prepared account. Throws CONFLICT when another account has its e-mail or phone. */
export async function createStaffAccount(trx: Trx, account: NewAccount): Promise<CurrentUser> {
  await storeAccount(trx, account);
  const { id: _id, fullName, email, phone, role } = account;
  return { _id, fullName, email, phone: phone ?? "", role };
}

/** Hashes the new password that a student chooses when they join the staff. */
export function hashNewStaffPassword(password: string, user: CurrentUser): Promise<string> {
  return hashStaffPassword(password, user, "newPassword.password");
}

/** Stores a staff member's new password and voids the codes and links that were mailed before. */
export async function setStaffPassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await updatePassword(trx, userId, passwordHash);
  await deleteCodesAndLinks(trx, userId);
}

/**
 * Changes an account's role and ends all its sessions, so that no old session keeps or gains rights. Locks the admins
 * until the transaction ends. Returns false when the account no longer has the role `from`.
 */
export async function assignRole(
  trx: Trx,
  { userId, from, to }: { userId: string; from: Role; to: Role },
): Promise<boolean> {
  if (from === to) return true;
  await lockAdmins(trx);
  if (!(await changeRole(trx, userId, { from, to }))) return false;
  await deleteSessionsOf(trx, userId);
  if (to === "customer") await deleteSecondFactors(trx, userId);
  return true;
}

/** Logs a user out everywhere. */
export function endSessions(trx: Trx, userId: string): Promise<void> {
  return deleteSessionsOf(trx, userId);
}

function toUser({ _id, fullName, email, phone, role }: CurrentUser): CurrentUser {
  return { _id, fullName, email, phone, role };
}
