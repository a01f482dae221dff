import { randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { checkPassword, hashPassword, hashStaffPassword } from "./accounts.passwords.ts";
import {
  deleteUnverified,
  findAccount,
  findAdmins,
  holdAccount,
  insertAccount,
  updatePassword,
  updateRole,
} from "./accounts.queries.ts";
import { deleteMailedSecrets } from "./accounts.secret-queries.ts";
import { deleteSessionsOf } from "./accounts.session-queries.ts";

type AdminDeps = Pick<Deps, "db" | "now">;

/** Makes sure that this e-mail is a verified admin's with this password. A changed password ends its sessions. */
export async function ensureAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<void> {
  const existing = await findAccount(deps.db, { email: admin.email });
  const unchanged = await checkPassword(existing?.passwordHash, admin.password);
  if (unchanged && existing?.role === "admin" && existing.verified) return;
  const passwordHash = await hashStaffPassword(admin.password, admin);
  await transact(deps.db, (trx) => storeAdmin(trx, deps, admin.email, passwordHash));
}

async function storeAdmin(trx: Trx, deps: AdminDeps, email: string, passwordHash: string): Promise<void> {
  const existing = await holdAccount(trx, { email });
  if (!existing?.verified) {
    if (existing) await deleteUnverified(trx, [existing._id]);
    await insertAdmin(trx, deps, email, passwordHash);
    return;
  }
  await updatePassword(trx, existing._id, passwordHash);
  await updateRole(trx, existing._id, "admin");
  await deleteMailedSecrets(trx, existing._id);
  await deleteSessionsOf(trx, existing._id);
}

/** Makes an admin on a store that has none. False when it has one, or when another server was quicker. */
export async function makeFirstAdmin(
  deps: AdminDeps,
  admin: { email: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(admin.password);
  return transact(deps.db, async (trx) => {
    const admins = await findAdmins(trx);
    if (admins.length > 0) return false;
    await insertAdmin(trx, deps, admin.email, passwordHash);
    return true;
  });
}

function insertAdmin(trx: Trx, deps: AdminDeps, email: string, passwordHash: string): Promise<void> {
  const now = deps.now().toISOString();
  return insertAccount(trx, {
    id: randomUUID(),
    email,
    phone: null,
    fullName: "Store admin",
    passwordHash,
    role: "admin",
    verifiedAt: now,
    termsAcceptedAt: null,
    createdAt: now,
  });
}

/** The admins' addresses, the oldest account first. Mail to the store itself goes to them. */
export async function findAdminEmails(db: Db | Trx): Promise<string[]> {
  return (await findAdmins(db)).map((admin) => admin.email);
}
