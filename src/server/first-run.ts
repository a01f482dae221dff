import { randomBytes } from "node:crypto";
import { seedDemoOnce } from "#db/seed/seed.ts";
import { ensureAdmin, findAdminEmails, makeFirstAdmin } from "./accounts/accounts.admin.service.ts";
import type { Deps } from "./context.ts";

const MADE_ADMIN_EMAIL = "admin@print-store.invalid";

/** Seeds the demo on a store that never was, and sees to an admin. Returns the lines a person should read. */
export async function prepareStore(deps: Deps): Promise<string[]> {
  const lines: string[] = [];
  if (deps.config.seedDemo && (await seedDemoOnce(deps.db, deps.now()))) {
    lines.push("Demo shops are in place. SEED_DEMO=false keeps a new store empty.");
  }
  lines.push(await prepareAdmin(deps));
  return lines;
}

async function prepareAdmin(deps: Deps): Promise<string> {
  const { admin } = deps.config;
  if (admin) {
    await ensureAdmin(deps, admin);
    return `Admin    ${admin.email}, with the password in ADMIN_PASSWORD`;
  }
  const [first] = await findAdminEmails(deps.db);
  if (first) return reminder(first);
  const password = randomBytes(12).toString("base64url");
  const isMade = await makeFirstAdmin(deps, { email: MADE_ADMIN_EMAIL, password });
  if (!isMade) return reminder(MADE_ADMIN_EMAIL);
  return `Admin    ${MADE_ADMIN_EMAIL}, password ${password} (shown only this once)`;
}

function reminder(email: string): string {
  return `Admin    ${email}; for a new password: npm run create-admin -- ${email}`;
}
