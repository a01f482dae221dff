import { randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser, Role, StaffAccount, StaffRole } from "#shared/schemas/accounts.ts";
import type { NewStaffAccount } from "#shared/schemas/staff.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Deps, SignedIn } from "../context.ts";
import {
  changeRole,
  deleteUnverified,
  findAccount,
  findAdmins,
  findFirstAdminFact,
  findStaffAccounts,
  holdAccount,
  holdAdmins,
  insertAccount,
  insertFirstAdminFact,
  type NewAccount,
  updatePassword,
  updateRole,
} from "./accounts.queries.ts";
import { checkPassword, findStaffPasswordFault, hashStaffPassword } from "./passwords.ts";
import { deleteSecondFactors } from "./second-factor.queries.ts";
import { deleteMailedSecrets } from "./secrets.queries.ts";
import { deleteSessionsOf } from "./sessions.queries.ts";
import { storeAccount } from "./signup.service.ts";

type AdminDeps = Pick<Deps, "db" | "now">;

/** What became of an account that was to be an admin's; `unchanged` where it was one with this password already. */
export type AdminOutcome = "made" | "promoted" | "new password" | "unchanged";

/** Who stands in the audit log for what was done on the server itself, where nobody is logged in. */
const OPERATOR: SignedIn = {
  kind: "user",
  user: { _id: "operator", fullName: "The operator, on the server", email: "", phone: "", role: "admin" },
};

/** Throws an Error of one line that names the setting, where what an operator has set is too weak for an admin. */
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

/** Makes this e-mail an admin's with this password, and says so in the audit log. Its sessions, codes and links end. */
export async function ensureAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<AdminOutcome> {
  if (await isAdminWith(deps.db, admin)) return "unchanged";
  const passwordHash = await hashStaffPassword(admin.password, admin);
  return transact(deps.db, (trx) => storeAdmin(trx, deps, admin.email, passwordHash));
}

/** Whether this e-mail is an admin's with this password. */
export async function isAdminWith(
  db: Db,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const account = await findAccount(db, { email });
  const isRight = await checkPassword(account?.passwordHash, password);
  return isRight && account?.role === "admin" && account.verified;
}

async function storeAdmin(
  trx: Trx,
  deps: AdminDeps,
  email: string,
  passwordHash: string,
): Promise<AdminOutcome> {
  const existing = await holdAccount(trx, { email });
  if (!existing?.verified) {
    if (existing) await deleteUnverified(trx, [existing._id]);
    const id = await insertAdmin(trx, deps, email, passwordHash);
    await auditAdmin(trx, deps, { id, email, after: { role: "admin" } });
    return "made";
  }
  await updatePassword(trx, existing._id, passwordHash);
  await updateRole(trx, existing._id, "admin");
  await deleteMailedSecrets(trx, existing._id);
  await deleteSessionsOf(trx, existing._id);
  // Who is at the machine gets in again, also where the phone is lost or the store's secret is another one.
  await deleteSecondFactors(trx, existing._id);
  const { _id: id, role } = existing;
  if (role === "admin") {
    await auditAdmin(trx, deps, { id, email, after: { password: "a new one" } });
    return "new password";
  }
  await auditAdmin(trx, deps, {
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
  { id, email, ...sides }: { id: string; email: string; before?: { role: Role }; after: object },
): Promise<void> {
  const action = "role" in sides.after ? "staff.makeAdmin" : "staff.setPassword";
  const { before, after } = sides;
  return recordAudit(
    trx,
    { now: deps.now, actor: OPERATOR },
    { action, subject: { id, name: email }, ...(before && { before }), after: { ...after } },
  );
}

/** Whether the store has had its first admin: whoever was removed since does not come back by a restart. */
export async function hadFirstAdmin(db: Db | Trx): Promise<boolean> {
  return (await findFirstAdminFact(db)) || (await findAdmins(db)).length > 0;
}

/** Makes the first admin of a store that never had one. False when it had, or when another server was quicker. */
export async function makeFirstAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashStaffPassword(admin.password, admin);
  return transact(deps.db, async (trx) => {
    if (!(await insertFirstAdminFact(trx, deps.now().toISOString()))) return false;
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

/** The admins' addresses, the oldest account first. Mail to the store itself goes to them. */
export async function findAdminEmails(db: Db | Trx): Promise<string[]> {
  return (await findAdmins(db)).map((admin) => admin.email);
}

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
