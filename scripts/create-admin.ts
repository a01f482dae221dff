import { randomBytes } from "node:crypto";
import { openMigrated } from "#db/migrate.ts";
import { type AdminOutcome, checkAdminPassword, ensureAdmin } from "#server/accounts/admin.service.ts";
import { readConfig } from "#server/config.ts";
import { readArguments } from "./arguments.ts";

const SAID: Record<AdminOutcome, string> = {
  made: "is a new admin",
  promoted:
    "had an account and is an admin now, with a new password; every session, code, link and second factor of it is void",
  "new password":
    "is an admin and has a new password; every session, code, link and second factor of it is void",
  unchanged: "is an admin with this password already: nothing was changed",
};

try {
  const [email = ""] = readArguments("Usage: npm run create-admin -- EMAIL", { least: 1, most: 1 });
  await createAdmin(email);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function createAdmin(email: string): Promise<void> {
  const given = process.env.ADMIN_PASSWORD;
  const password = given || randomBytes(15).toString("base64url");
  const config = readConfig({ ...process.env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
  const admin = config.admin ?? { email, password };
  await checkAdminPassword(admin);
  const database = await openMigrated(config.databaseUrl);
  let outcome: AdminOutcome;
  try {
    outcome = await ensureAdmin({ db: database.db, now: () => new Date() }, admin);
  } finally {
    await database.close();
  }
  console.log(`${admin.email} ${SAID[outcome]}`);
  if (outcome !== "unchanged")
    console.log(
      given ? "The password is the one in ADMIN_PASSWORD" : `Password, shown only now: ${password}`,
    );
}
