import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import { spawnServer } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { databaseUrlFor, postgresUrl } from "../setup/test-database.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";
import { openInbox } from "./mail.fixtures.ts";

// Leases that a killed server left, when it was the only one. A mail's lasts two minutes, a file's one.

const LONG_BEFORE_THE_LEASE_ENDS = { timeout: 30_000 };

test("a mail a killed server was sending is sent at the next start, a failed one after its pause", async () => {
  let isSilent = true;
  const inbox = await openInbox({
    recipient: (address) => (address.startsWith("refused") ? 450 : isSilent ? "silence" : undefined),
  });
  const dataDir = await tempFolder();
  const settings = { SMTP_URL: inbox.url, LOG_LEVEL: "silent" };
  const doomed = await spawnServer(dataDir, settings);
  onTestFinished(() => doomed.stop());
  const refused = { ...newStudent(), email: `refused.${newStudent().email}` };
  await register(doomed.visitor(), refused);
  const { db, close } = await openDatabase(await databaseUrlFor(dataDir));
  onTestFinished(close);
  const mailTo = (email: string) =>
    db.selectFrom("outbox").selectAll().where("recipient", "=", email).executeTakeFirstOrThrow();
  await expect.poll(() => mailTo(refused.email)).toMatchObject({ last_error: expect.any(String) });
  // As after many failures: the next try is far away, and a restart does not bring it closer.
  const farAway = "2999-01-01T00:00:00.000Z";
  await db.updateTable("outbox").set({ due_at: farAway }).where("recipient", "=", refused.email).execute();
  const student = newStudent();
  await register(doomed.visitor(), student);
  await expect.poll(() => inbox.named).toContain(student.email);
  const tries = (await mailTo(refused.email)).attempts;
  doomed.child.kill("SIGKILL");
  await once(doomed.child, "exit");
  isSilent = false;

  const next = await spawnServer(dataDir, settings);
  onTestFinished(() => next.stop());

  await expect.poll(() => inbox.to(student.email).length, LONG_BEFORE_THE_LEASE_ENDS).toBe(1);
  await expect.poll(() => mailTo(student.email)).toMatchObject({ sent_at: expect.any(String), attempts: 2 });
  expect(await mailTo(refused.email)).toMatchObject({ due_at: farAway, attempts: tries, sent_at: null });
});

test("a store that stops first finishes the mail that it is sending", async () => {
  const inbox = await openInbox({ slownessMs: 500 });
  const DATA_DIR = await tempFolder();
  const store = await startTestStore({ DATA_DIR, SMTP_URL: inbox.url, LOG_LEVEL: "silent" });
  const student = newStudent();
  await register(store.visitor(), student);
  await expect.poll(() => inbox.named).toContain(student.email);
  await store.stop();

  expect(inbox.to(student.email)).toHaveLength(1);
  const { db, close } = await openDatabase(store.deps.config.databaseUrl);
  onTestFinished(close);
  const mail = db.selectFrom("outbox").select("sent_at").where("recipient", "=", student.email);
  expect(await mail.execute()).toEqual([{ sent_at: expect.any(String) }]);
});

test("a file a killed server was erasing is erased at the next start", async ({ skip }) => {
  skip(postgresUrl() !== undefined, "on PostgreSQL, with files elsewhere, another server may be at it");
  const emulator = await UploadThingEmulator.forTest();
  const settings = { ...emulator.settings, DATA_DIR: await tempFolder() };
  const before = await startTestStore(settings);
  const { visitor } = await signedInStudent(before);
  const id = (await visitor.upload(new Uint8Array(numberedPdf("Notes", 1)))).body.public_id;
  await before.stop();
  const { db, close } = await openDatabase(before.deps.config.databaseUrl);
  const at = before.clock.now().toISOString();
  const held = { deleted_at: at, leased_until: "2999-01-01T00:00:00.000Z" };
  await db.updateTable("files").set(held).where("id", "=", id).execute();
  await close();

  const after = await tempStore(settings, undefined, before.clock);

  const file = () =>
    after.deps.db.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await expect.poll(file).toMatchObject({ erased_at: expect.any(String) });
  expect(emulator.keys).toEqual([]);
});
