import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signedInAdmin } from "../factories/staff.ts";
import { freePort } from "../setup/free-port.ts";
import { tempFolder } from "../setup/temporary.ts";
import { databaseUrlFor } from "../setup/test-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
const stores: TestStore[] = [];
async function start(env: Record<string, string> = {}): Promise<TestStore> {
  // Named, so that the store begins where no other has started.
  store = await startTestStore({ SEED_DEMO: "true", ...env });
  stores.push(store);
  return store;
}
/** Settings by which several starts are of one store. */
async function settingsOfOne(): Promise<Record<"DATA_DIR" | "DATABASE_URL", string>> {
  const DATA_DIR = await tempFolder();
  return { DATA_DIR, DATABASE_URL: await databaseUrlFor(DATA_DIR) };
}
beforeEach(() => {
  stores.length = 0;
});
afterEach(() => Promise.all(stores.map((each) => each.stop())));

const JSON_BODY = { "Content-Type": "application/json" };
const loginAs = (email: string, password: string) =>
  store.visitor().post("/api/v1/users/login", { email, password });

/** Asks from before the store listens until it answers. */
async function firstAnswer(port: number, path: string, request?: RequestInit): Promise<Response> {
  while (true) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request).catch(() => null);
    if (answer) return answer;
  }
}

describe("the first start", () => {
  test("creates an admin and prints a password that works", async () => {
    await start();
    const [, email = "", password = ""] = /Admin +(\S+), password (\S+)/.exec(store.notes.join("\n")) ?? [];
    const login = await loginAs(email, password);
    expect(login.body.data).toMatchObject({ email, role: "admin" });
  });

  test("prints the password also where the one before it found its port taken", async () => {
    const own = await settingsOfOne();
    const { port } = new URL((await start()).url);
    await expect(start({ ...own, PORT: port })).rejects.toThrow("PORT: another program listens at");
    await start(own);
    expect(store.notes.join("\n")).toMatch(/, password \S{16} \(shown only this once\)/);
  });

  test("lets the first request wait until there are shops and an admin", async () => {
    const port = await freePort();
    const login = { email: "head@print-store.invalid", password: "marigold paper lantern" };
    const opened = start({ PORT: String(port), ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password });
    const request = { method: "POST", headers: JSON_BODY, body: JSON.stringify(login) };
    expect((await firstAnswer(port, "/api/v1/users/login", request)).status).toBe(200);
    await opened;
  });

  test("refuses the requests that waited for a start that failed", async () => {
    const port = await freePort();
    const admin = { ADMIN_EMAIL: "head@print-store.invalid", ADMIN_PASSWORD: "password" };
    const failed = start({ PORT: String(port), ...admin }).catch((error: unknown) => error);
    expect((await firstAnswer(port, "/api/v1/prints/shopslocation")).status).toBe(503);
    expect(String(await failed)).toContain("ADMIN_PASSWORD");
  });

  test("refuses an admin's password that is their own e-mail with a year", async () => {
    const admin = { ADMIN_EMAIL: "meenakshi.iyer@shop.example", ADMIN_PASSWORD: "meenakshi.iyer.2026" };
    await expect(start(admin)).rejects.toThrow(/^ADMIN_PASSWORD: .*your email/);
  });

  test("prints a different password for each store, and creates no other staff", async () => {
    const passwords = new Set<string>();
    for (let stores = 0; stores < 2; stores++) {
      await start();
      passwords.add(/, password (\S{16}) \(shown only this once\)/.exec(store.notes.join("\n"))?.[1] ?? "");
      const users = await store.deps.readDb.selectFrom("users").select(["email", "role"]).execute();
      expect(users).toEqual([{ email: "admin@print-store.invalid", role: "admin" }]);
    }
    expect(passwords.size).toBe(2);
    expect(passwords).not.toContain("");
  });

  test("stores the generated secret in a file readable only by its owner", async () => {
    const secrets = new Set<string>();
    for (let stores = 0; stores < 2; stores++) {
      await start();
      const path = join(store.dataDir, "secret");
      const secret = (await readFile(path, "utf8")).trim();
      // 256 bits
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      secrets.add(secret);
    }
    expect(secrets.size).toBe(2);
  });

  test("creates the admin named in the settings", async () => {
    await start({ ADMIN_EMAIL: "Boss@Shop.example", ADMIN_PASSWORD: "a long password" });
    const login = await loginAs("boss@shop.example", "a long password");
    expect(login.body.data.role).toBe("admin");
    expect(store.notes.join("\n")).not.toContain("a long password");
  });

  test("of two servers at once creates one admin, and prints no password that does not work", async () => {
    const first = await start();
    const DATABASE_URL = `file:${first.dataDir}/shared.sqlite`;
    const shared = { DATABASE_URL, SECRET: "one secret of the two, which is long enough" };
    const both = await Promise.all([start(shared), start(shared)]);
    const passwords = both.flatMap(({ notes }) => /password (\S+) \(shown/.exec(notes.join("\n"))?.[1] ?? []);
    expect(passwords).toHaveLength(1);
    const login = await loginAs("admin@print-store.invalid", passwords[0] ?? "");
    expect(login.status).toBe(200);
    const admins = await store.deps.readDb
      .selectFrom("users")
      .select("id")
      .where("role", "=", "admin")
      .execute();
    expect(admins).toHaveLength(1);
  });

  test("of a server that shares its database takes no work from the others", async () => {
    const shared = {
      DATABASE_URL: `file:${await tempFolder()}/shared.sqlite`,
      SECRET: "one secret of the two, which is long enough",
    };
    const { db } = (await start(shared)).deps;
    const { id: owner_id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const upload = { id: "under way", owner_id, bytes: 1, expires_at: "2999-01-01T00:00:00.000Z" };
    await db.insertInto("upload_reservations").values(upload).execute();
    await start(shared);
    expect(await db.selectFrom("upload_reservations").selectAll().execute()).toEqual([upload]);
  });

  test("does not seed the demo if the operator does not want it", async () => {
    await start({ SEED_DEMO: "false" });
    expect((await store.visitor().get("/api/v1/prints/shopslocation")).body.data).toEqual([]);
  });
});

describe("a later start", () => {
  const ADMIN = { ADMIN_EMAIL: "boss@shop.example", ADMIN_PASSWORD: "a rather long pass phrase" };
  const auditLines = () =>
    store.deps.readDb
      .selectFrom("audit_log")
      .select(["action", "by_name", "subject_name"])
      .orderBy("id")
      .execute();
  async function restart(env: Record<string, string>): Promise<string> {
    await stores.pop()?.stop();
    await start(env);
    return store.notes.join("\n");
  }

  test("does not restore a removed admin, whatever the settings say", async () => {
    const settings = { ...ADMIN, ...(await settingsOfOne()) };
    await start(settings);
    const boss = await loginAs(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD);
    const other = await signedInAdmin(store);
    const removed = await other.visitor.mutate("staff.remove", { userId: boss.body.data._id });
    expect(removed.status).toBe(200);

    for (let starts = 0; starts < 2; starts++) {
      expect(await restart(settings)).toContain("ADMIN_PASSWORD is not applied to boss@shop.example");
      const again = await loginAs(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD);
      expect([again.status, again.body.data?.role]).toEqual([200, "customer"]);
    }
    expect(await auditLines()).toEqual([
      {
        action: "staff.makeAdmin",
        by_name: "The operator, on the server",
        subject_name: "bo•••@shop.example",
      },
      { action: "staff.remove", by_name: other.person.fullName, subject_name: "Store admin" },
    ]);
  });

  test("does not apply changed admin settings, and says so in one line", async () => {
    const own = await settingsOfOne();
    await start({ ...ADMIN, ...own });
    const said = await restart({ ...ADMIN, ...own, ADMIN_PASSWORD: "another long pass phrase" });
    expect(said.split("\n").filter((line) => line.startsWith("Admin"))).toEqual([
      "Admin    ADMIN_PASSWORD is not applied to boss@shop.example: it only creates the first admin. To create this one, or to set a password: npm run create-admin -- boss@shop.example",
    ]);
    expect((await loginAs(ADMIN.ADMIN_EMAIL, "another long pass phrase")).status).toBe(401);
    expect((await loginAs(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)).body.data.role).toBe("admin");

    expect(await restart({ ...ADMIN, ...own, ADMIN_EMAIL: "second@shop.example" })).toContain(
      "is not applied to second@shop.example",
    );
    expect((await loginAs("second@shop.example", ADMIN.ADMIN_PASSWORD)).status).toBe(401);
    expect(await restart({ ...ADMIN, ...own })).toContain("with the password in ADMIN_PASSWORD");
    expect(await restart(own)).toBe(
      "Admin    boss@shop.example; for a new password: npm run create-admin -- boss@shop.example",
    );
    expect(await auditLines()).toHaveLength(1);
  });

  test("ignores a weak ADMIN_PASSWORD, which is no longer used", async () => {
    const own = await settingsOfOne();
    await start({ ...ADMIN, ...own });
    for (const ADMIN_PASSWORD of ["short", "Password123!"]) {
      const said = await restart({ ...ADMIN, ...own, ADMIN_PASSWORD });
      expect(said).toContain("ADMIN_PASSWORD is not applied to boss@shop.example");
    }
    expect((await loginAs(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)).status).toBe(200);
  });

  test("creates no admin in a store that already had one before this was recorded", async () => {
    const own = await settingsOfOne();
    await start(own);
    await store.deps.db.deleteFrom("store_facts").where("name", "=", "first-admin").execute();
    await restart({ ...ADMIN, ...own });
    expect((await loginAs(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)).status).toBe(401);
  });
});
