import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { checkPassword } from "#server/accounts/passwords.ts";
import { BARE_ENVIRONMENT } from "../setup/bare-environment.ts";
import { tempDatabaseUrl, tempFolder } from "../setup/temp-database.ts";

const run = promisify(execFile);
const scripts = join(import.meta.dirname, "../../scripts");

test("creates a verified admin in a new store, with a password printed once and stored as a hash", async () => {
  const url = await tempDatabaseUrl();

  const output = await createAdmin(url, ["Owner@Store.example"]);

  const password = /Password, shown only now: (\S{16,})/.exec(output)?.[1] ?? "";
  const [admin, ...others] = await users(url);
  expect(others).toEqual([]);
  expect(admin).toMatchObject({ email: "owner@store.example", role: "admin" });
  expect(admin?.verified_at).not.toBeNull();
  expect(await checkPassword(admin?.password_hash, password)).toBe(true);
  expect(JSON.stringify(admin)).not.toContain(password);
});

test("promotes an existing account with ADMIN_PASSWORD, and does not print it", async () => {
  const url = await tempDatabaseUrl();
  await createAdmin(url, ["owner@store.example"]);
  const db = await openForTest(url);
  await db.updateTable("users").set({ role: "customer" }).execute();
  const [before] = await users(url);

  const output = await createAdmin(url, ["owner@store.example"], { ADMIN_PASSWORD: "a long enough secret" });

  const [after, ...others] = await users(url);
  expect(others).toEqual([]);
  expect(output).not.toContain("a long enough secret");
  expect(after).toMatchObject({ id: before?.id, role: "admin" });
  expect(await checkPassword(after?.password_hash, "a long enough secret")).toBe(true);
});

test("says that it resets an existing admin, ends their sessions and writes to the audit log", async () => {
  const url = await tempDatabaseUrl();
  const made = await createAdmin(url, ["owner@store.example"], { ADMIN_PASSWORD: "a long enough secret" });
  expect(made).toContain("owner@store.example is a new admin\n");
  const db = await openForTest(url);
  const [admin] = await users(url);
  const until = "2099-01-01T00:00:00.000Z";
  await db
    .insertInto("password_resets")
    .values({ token_hash: "hash", user_id: admin?.id ?? "", expires_at: until })
    .execute();

  const same = await createAdmin(url, ["owner@store.example"], { ADMIN_PASSWORD: "a long enough secret" });
  expect(same).toBe("owner@store.example is an admin with this password already: nothing was changed\n");
  expect(await db.selectFrom("password_resets").selectAll().execute()).toHaveLength(1);

  const changed = await createAdmin(url, ["owner@store.example"]);
  expect(changed).toContain("is an admin and has a new password; every session, code and link of it is void");
  expect(await db.selectFrom("password_resets").selectAll().execute()).toEqual([]);
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
  ["a common one", ["owner@store.example"], { ADMIN_PASSWORD: "Password123!" }, "ADMIN_PASSWORD"],
])("refuses %s with one line and creates no store", async (_what, args, env, reason) => {
  const url = await tempDatabaseUrl();

  const refusal = await createAdmin(url, args, env).catch((error) => error);

  expect(refusal).toMatchObject({ code: 1, stdout: "" });
  expect(refusal.stderr.trim().split("\n")).toEqual([expect.stringContaining(reason)]);
  await expect(users(url)).rejects.toThrow(/no such table/);
});

test.each([["create-admin.ts", "owner@store.example"], ["seed.ts"]])(
  "a store that %s makes before the first start is readable for its own account only",
  async (name, ...args) => {
    const dataDir = join(await tempFolder(), "data");
    const command = `umask 022 && exec "$0" "$@"`;
    const env = { ...BARE_ENVIRONMENT, DATA_DIR: dataDir };

    await run("/bin/sh", ["-c", command, process.execPath, join(scripts, name), ...args], { env });

    const made = [dataDir, ...(await readdir(dataDir)).map((file) => join(dataDir, file))];
    expect(made.length).toBeGreaterThan(1);
    for (const path of made) expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
  },
);

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

test("removes an admin's lost second factor with the new password", async () => {
  const url = await tempDatabaseUrl();
  await createAdmin(url, ["owner@store.example"]);
  const db = await openForTest(url);
  const [admin] = await users(url);
  const secret = {
    user_id: admin?.id ?? "",
    secret: "sealed",
    last_step: 1,
    created_at: "2026-11-23T00:00:00.000Z",
  };
  await db.insertInto("totp_secrets").values(secret).execute();

  await createAdmin(url, ["owner@store.example"]);

  expect(await db.selectFrom("totp_secrets").selectAll().execute()).toEqual([]);
});
