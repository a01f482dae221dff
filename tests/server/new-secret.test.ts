import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { invitationToken, shopIds, signedInAdmin } from "../factories/staff.ts";
import { newestCode, newStudent, signedInStudent } from "../factories/students.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";
import { migratedDatabaseUrlFor } from "../setup/test-database.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { backUp, restore, shopWithPhoto } from "./backup.scripts.ts";

const CREATE_ADMIN = join(import.meta.dirname, "../../scripts/create-admin.ts");

test("a new SECRET voids mailed codes, links to files and authenticator apps, and keeps sessions, links for a password and invitations", async () => {
  const DATA_DIR = await tempFolder();
  const settings = { DATA_DIR, DATABASE_URL: await migratedDatabaseUrlFor(DATA_DIR) };
  const before = await startTestStore(settings);
  const [shopId] = await shopIds(before);
  const { visitor, student } = await signedInStudent(before);
  const { fileId } = await placeOrder(before, shopId);
  const shop = await before.deps.db
    .selectFrom("shops")
    .select("email")
    .where("id", "=", shopId)
    .executeTakeFirst();
  const [orderMail] = await mailsTo(before, shop?.email ?? "");
  const fileLink = new RegExp(`/files/${fileId}\\?\\S+`).exec(orderMail?.text ?? "")?.[0] ?? "";
  expect((await before.visitor().fetch(fileLink)).status).toBe(200);
  const admin = await signedInAdmin(before);
  const invited = newStudent().email;
  const duties = { email: invited, role: "owner", shopIds: [shopId] };
  expect((await admin.visitor.mutate("staff.invite", duties)).status).toBe(200);
  const invitation = await invitationToken(before, invited);
  const { secret, enrolment } = expectDone(await admin.visitor.mutate("accounts.startTotp"));
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: before.clock.now().getTime() });
  expectDone(await admin.visitor.mutate("accounts.addTotp", { enrolment, code: codeNow() }));
  await before.visitor().post("/api/v1/users/fpmail", { email: student.email });
  const [recovery] = await mailsTo(before, student.email);
  const token = /token=([\w-]+)/.exec(recovery?.text ?? "")?.[1];
  await before.visitor().post("/api/v1/users/generate-otp-for-login", { email: student.email });
  const verifyCode = await newestCode(before, student.email);
  await before.stop();

  const after = await tempStore(
    { ...settings, SECRET: "another secret of at least 32 characters" },
    undefined,
    before.clock,
  );

  expect((await visitor.at(after).query("accounts.me")).body.result.data).toMatchObject({
    email: student.email,
  });
  expect((await after.visitor().fetch(fileLink)).status).toBe(404);
  expect((await after.visitor().query("staff.invitation", { token: invitation })).status).toBe(200);
  const code = { email: student.email, verifyCode };
  expect((await after.visitor().post("/api/v1/users/login-with-otp", code)).status).toBe(401);
  const password = "a staple and a clip";
  const reset = { token, password, confirmpassword: password };
  expect((await after.visitor().post("/api/v1/users/reset-password", reset)).status).toBe(200);

  after.clock.advance({ seconds: 30 });
  const login = after.visitor();
  expect((await login.post("/api/v1/users/login", admin.person)).body.code).toBe("SECOND_FACTOR_REQUIRED");
  const refused = await login.mutate("accounts.finishLogin", { code: codeNow() });
  expect(refused.body.error.message).toBe("This code is wrong, expired or already used");
  const env = { ...BARE_ENVIRONMENT, ...settings, ADMIN_PASSWORD: password };
  await promisify(execFile)(process.execPath, [CREATE_ADMIN, admin.person.email], { env });
  const again = await after.visitor().post("/api/v1/users/login", { ...admin.person, password });
  expect(again.status).toBe(200);
});

test("a backup never holds the secret that a SECRET has replaced: whoever restores it would start with that again", async () => {
  const dataDir = await tempFolder();
  const settings = { DATA_DIR: dataDir, DATABASE_URL: `file:${join(dataDir, "store.sqlite")}` };
  await (await startTestStore(settings)).stop();
  const own = join(await tempFolder(), "backup");
  await backUp(dataDir, own);
  expect(await readdir(own)).toContain("secret");
  await (await startTestStore({ ...settings, SECRET: "another secret of at least 32 characters" })).stop();
  const backup = join(await tempFolder(), "backup");
  await backUp(dataDir, backup);
  expect(await readdir(backup)).not.toContain("secret");
  const said = await restore(backup, join(await tempFolder(), "restored"));
  expect(said).toContain("It had its SECRET from its settings: start it with the same one");
});

test("a data folder that is another store's or is empty is refused, and nothing of either store is lost", async () => {
  const [one, other, empty] = [await tempFolder(), await tempFolder(), await tempFolder()];
  const at = (folder: string) => ({ DATA_DIR: folder, DATABASE_URL: `file:${join(folder, "store.sqlite")}` });
  const first = await startTestStore(at(one));
  const { pushPublicKey } = first.deps;
  await first.stop();
  const second = await startTestStore(at(other));
  const { photo } = await shopWithPhoto(second);
  await second.stop();

  const later = new TestClock();
  later.advance({ days: 2 });
  await expect(startTestStore({ ...at(one), DATA_DIR: other }, undefined, later)).rejects.toThrow(
    `DATA_DIR: the secret in ${other} is not the one of this store. Give the store its own folder, or its SECRET`,
  );
  await expect(startTestStore({ ...at(one), DATA_DIR: empty })).rejects.toThrow(
    `DATA_DIR: the secret of this store is not in ${empty}. Give the store its own folder, or a SECRET`,
  );

  const [again, secondAgain] = [await startTestStore(at(one)), await startTestStore(at(other))];
  onTestFinished(() => Promise.all([again.stop(), secondAgain.stop()]).then(() => {}));
  expect(again.deps.pushPublicKey).toBe(pushPublicKey);
  expect((await secondAgain.visitor().fetch(photo)).status).toBe(200);
});
