import { randomBytes } from "node:crypto";
import { seedDemoOnce } from "#db/seed/seed.ts";
import {
  checkAdminPassword,
  createFirstAdmin,
  findAdminEmails,
  hasHadAdmin,
  isAdminWith,
} from "./accounts/admin.service.ts";
import type { Deps } from "./context.ts";

const MADE_ADMIN_EMAIL = "admin@print-store.invalid";

type PreparedDeps = Pick<Deps, "config" | "db" | "now">;

/**
 * Seeds the demo shops on a new store and makes sure that there is an admin. Returns lines for the operator to read.
 */
export async function prepareStore(deps: PreparedDeps): Promise<string[]> {
  const lines: string[] = [];
  if (deps.config.seedDemo && (await seedDemoOnce(deps.db, deps.now()))) {
    lines.push("Demo shops are in place. SEED_DEMO=false keeps a new store empty.");
  }
  lines.push(await prepareAdmin(deps));
  return lines;
}

/**
 * ADMIN_PASSWORD creates the first admin only, once; later `create-admin` is the only way to create one or to set a
 * password.
 */
async function prepareAdmin(deps: PreparedDeps): Promise<string> {
  const { admin } = deps.config;
  if (!(await hasHadAdmin(deps.db))) {
    const email = admin?.email ?? MADE_ADMIN_EMAIL;
    if (admin) await checkAdminPassword(admin);
    const password = admin?.password ?? randomBytes(12).toString("base64url");
    if (await createFirstAdmin(deps, { email, password })) {
      return admin
        ? withSetPassword(email)
        : `Admin    ${email}, password ${password} (shown only this once)`;
    }
  }
  if (!admin) return reminder((await findAdminEmails(deps.db))[0] ?? MADE_ADMIN_EMAIL);
  if (await isAdminWith(deps.db, admin)) return withSetPassword(admin.email);
  const { email } = admin;
  return `Admin    ADMIN_PASSWORD is not applied to ${email}: it only creates the first admin. To create this one, or to set a password: npm run create-admin -- ${email}`;
}

function withSetPassword(email: string): string {
  return `Admin    ${email}, with the password in ADMIN_PASSWORD`;
}

function reminder(email: string): string {
  return `Admin    ${email}; for a new password: npm run create-admin -- ${email}`;
}
