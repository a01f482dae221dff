import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openMigrated } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { ensureAdmin } from "#server/accounts/admin.service.ts";
import { checkPassword } from "#server/accounts/passwords.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempDatabaseUrl, tempFolder } from "../setup/temporary.ts";
import { migratedDatabaseUrlFor } from "../setup/test-database.ts";

const run = promisify(execFile);
const scripts = join(import.meta.dirname, "../../scripts");
const OWNER = { email: "owner@store.example", password: "a long enough secret" };

test("creates a verified admin, with a password printed once and stored as a hash", async () => {
  const url = await newStore();

  const output = await createAdmin(url, ["Owner@Store.example"]);

  expect(output).toMatch(/^owner@store\.example is a new admin\n/);
  const password = /Password, shown only now: (\S{16,})/.exec(output)?.[1] ?? "";
  const [admin, ...others] = await users(url);
  expect(others).toEqual([]);
  const verified_at = expect.any(String);
  expect(admin).toMatchObject({ email: "owner@store.example", role: "admin", verified_at });
  expect(await checkPassword(admin?.password_hash, password)).toBe(true);
  expect(JSON.stringify(admin)).not.toContain(password);
});

test("promotes an existing account with ADMIN_PASSWORD, does not print it, and writes to the audit log", async () => {
  const url = await newStore();
  const db = await openForTest(url);
  await ensureAdmin({ db, now }, { ...OWNER, password: "another long secret" });
  await db.updateTable("users").set({ role: "customer" }).execute();
  const [before] = await users(url);

  const output = await createAdmin(url, [OWNER.email], { ADMIN_PASSWORD: OWNER.password });

  const [after, ...others] = await users(url);
  expect(others).toEqual([]);
  expect(output).not.toContain(OWNER.password);
  expect(after).toMatchObject({ id: before?.id, role: "admin" });
  expect(await checkPassword(after?.password_hash, OWNER.password)).toBe(true);
  const audit = db.selectFrom("audit_log").select(["action", "subject_id", "before", "after"]).orderBy("id");
  expect((await audit.execute()).at(-1)).toEqual({
    action: "staff.makeAdmin",
    subject_id: before?.id,
    before: '{"role":"customer"}',
    after: '{"role":"admin","password":"a new one"}',
  });
});

test("says that it resets an existing admin, ends their sessions and writes to the audit log", async () => {
  const url = await newStore();
  const db = await openForTest(url);
  expect(await ensureAdmin({ db, now }, OWNER)).toBe("made");
  const [admin] = await users(url);
  const until = "2099-01-01T00:00:00.000Z";
  const at = now().toISOString();
  await db
    .insertInto("sessions")
    .values({
      id: "session",
      public_id: "public",
      user_id: admin?.id ?? "",
      device: "",
      expires_at: until,
      created_at: at,
      last_seen_at: at,
      confirmed_at: at,
    })
    .execute();
  const sessions = () => db.selectFrom("sessions").select("id").execute();
  await db
    .insertInto("password_resets")
    .values({ token_hash: "hash", user_id: admin?.id ?? "", expires_at: until })
    .execute();

  const same = await createAdmin(url, [OWNER.email], { ADMIN_PASSWORD: OWNER.password });
  expect(same).toBe("owner@store.example is an admin with this password already: nothing was changed\n");
  expect(await db.selectFrom("password_resets").selectAll().execute()).toHaveLength(1);
  expect(await sessions()).toHaveLength(1);

  const changed = await createAdmin(url, [OWNER.email]);
  expect(changed).toContain(
    "is an admin and has a new password; every session, code, link and second factor of it is void",
  );
  expect(await db.selectFrom("password_resets").selectAll().execute()).toEqual([]);
  expect(await sessions()).toEqual([]);
  const lines = await db.selectFrom("audit_log").selectAll().orderBy("id").execute();
  expect(
    lines.map(({ action, by_name, subject_name, after }) => [action, by_name, subject_name, after]),
  ).toEqual([
    ["staff.makeAdmin", "The operator, on the server", "ow•••@store.example", '{"role":"admin"}'],
    ["staff.setPassword", "The operator, on the server", "ow•••@store.example", '{"password":"a new one"}'],
  ]);
});

test.each([
  ["no e-mail", [], {}, "Usage: npm run create-admin -- EMAIL"],
  ["a common one", [OWNER.email], { ADMIN_PASSWORD: "Password123!" }, "ADMIN_PASSWORD"],
])("refuses %s with one line and creates nobody", async (_what, args, env, reason) => {
  const url = await newStore();

  const refusal = await createAdmin(url, args, env).catch((error) => error);

  expect(refusal).toMatchObject({ code: 1, stdout: "" });
  expect(refusal.stderr.trim().split("\n")).toEqual([expect.stringContaining(reason)]);
  expect(await users(url)).toEqual([]);
});

test.each([["create-admin.ts", OWNER.email], ["seed.ts"]])(
  "%s refuses a data folder without a store, and makes none",
  async (name, ...args) => {
    const parent = await tempFolder();
    const env = { ...BARE_ENVIRONMENT, DATA_DIR: join(parent, "elsewhere") };

    const refusal = await run(process.execPath, [join(scripts, name), ...args], { env }).catch(
      (error) => error,
    );

    expect(refusal).toMatchObject({ code: 1, stdout: "" });
    expect(refusal.stderr).toMatch(
      /^This account finds no store in \S+\/elsewhere\/store\.sqlite\. Give DATA_DIR and DATABASE_URL [^\n]+\n$/,
    );
    expect(await readdir(parent)).toEqual([]);
  },
);

test("a command beside the server refuses an empty database and one that newer code has migrated", async () => {
  const empty = await tempDatabaseUrl();
  await openForTest(empty);
  await expect(openMigrated(empty)).rejects.toThrow(/^This account finds no store in [^\n]+$/);

  const newer = await newStore();
  const db = await openForTest(newer);
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(db);
  await expect(openMigrated(newer)).rejects.toThrow(/ is newer than this code: [^\n]+ 9999-later$/);
});

const now = () => new Date();

function newStore(): Promise<string> {
  return tempFolder().then(migratedDatabaseUrlFor);
}

async function createAdmin(url: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const settings = { ...BARE_ENVIRONMENT, DATABASE_URL: url, ...env };
  const { stdout } = await run(process.execPath, [join(scripts, "create-admin.ts"), ...args], {
    env: settings,
  });
  return stdout;
}

async function users(url: string) {
  const db = await openForTest(url);
  return db.selectFrom("users").selectAll().execute();
}

async function openForTest(url: string) {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  return database.db;
}

test.each([
  ["a new password", "another long secret"],
  ["the password that they have", OWNER.password],
])("removes an admin's lost second factor with %s", async (_which, password) => {
  const url = await newStore();
  const db = await openForTest(url);
  await ensureAdmin({ db, now }, OWNER);
  const [admin] = await users(url);
  const secret = {
    user_id: admin?.id ?? "",
    secret: "sealed",
    last_step: 1,
    created_at: "2026-11-23T00:00:00.000Z",
  };
  await db.insertInto("totp_secrets").values(secret).execute();

  expect(await ensureAdmin({ db, now }, { ...OWNER, password })).toBe("new password");

  expect(await db.selectFrom("totp_secrets").selectAll().execute()).toEqual([]);
});
