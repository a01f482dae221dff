import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
const stores: TestStore[] = [];
async function start(env: Record<string, string> = {}): Promise<TestStore> {
  store = await startTestStore(env);
  stores.push(store);
  return store;
}
beforeEach(() => {
  stores.length = 0;
});
afterEach(() => Promise.all(stores.map((each) => each.stop())));

const loginAs = (email: string, password: string) =>
  store.visitor().post("/api/v1/users/login", { email, password });

describe("the first start", () => {
  test("makes an admin and prints a password that opens the account", async () => {
    await start();
    const [, email = "", password = ""] = /Admin +(\S+), password (\S+)/.exec(store.notes.join("\n")) ?? [];
    const login = await loginAs(email, password);
    expect(login.body.data).toMatchObject({ email, role: "admin" });
  });

  test("prints another password for each store, and leaves nobody else on the staff", async () => {
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

  test("keeps the secret that it makes in a file that its owner alone reads", async () => {
    await start();
    const path = join(store.dataDir, "secret");
    expect((await readFile(path, "utf8")).length).toBeGreaterThanOrEqual(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("takes the admin from the settings", async () => {
    await start({ ADMIN_EMAIL: "Boss@Shop.example", ADMIN_PASSWORD: "a long password" });
    const login = await loginAs("boss@shop.example", "a long password");
    expect(login.body.data.role).toBe("admin");
    expect(store.notes.join("\n")).not.toContain("a long password");
  });

  test("makes one admin of two servers that start at once, and neither prints a dead password", async () => {
    const first = await start();
    const file = `file:${first.dataDir}/shared.sqlite`;
    const both = await Promise.all([start({ DATABASE_URL: file }), start({ DATABASE_URL: file })]);
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

  test("seeds no demo when the operator does not want it", async () => {
    await start({ SEED_DEMO: "false" });
    expect((await store.visitor().get("/api/v1/prints/shopslocation")).body.data).toEqual([]);
  });
});
