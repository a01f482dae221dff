import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";
import { TestCluster } from "../setup/test-cluster.ts";
import type { TestStore } from "../setup/test-store.ts";

// What every server does in the background, at the same moment as the others.

let cluster: TestCluster;
let servers: [TestStore, TestStore, TestStore];
beforeAll(async () => {
  cluster = await TestCluster.open();
  servers = [await cluster.server(), await cluster.server(), await cluster.server()];
});
afterAll(() => cluster.stop());

/** How often UploadThing was asked for this. */
function asked(operation: "read" | "delete"): number {
  return cluster.emulator.requests.filter((request) => request.operation === operation).length;
}

/** Uploads so many files, each to the next server; answers their ids. */
async function upload(visitor: ApiClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const there = visitor.at(servers[n % servers.length] as TestStore);
    ids.push((await there.upload(new Uint8Array(numberedPdf(`Notes ${n}`, 2)))).body.public_id);
  }
  return ids;
}

function filesOf(ids: string[]) {
  const { db } = servers[0].deps;
  return db.selectFrom("files").selectAll().where("id", "in", ids).execute();
}

test("each file's colours are detected by one server, even if all are told to", async () => {
  const { visitor } = await signedInStudent(servers[0]);
  const before = asked("read");
  const ids = await upload(visitor, 9);
  for (const server of servers) await followUp(server, "checkFiles");
  const unchecked = async () => (await filesOf(ids)).filter((file) => file.colour_checked_pages !== 2);
  await expect.poll(unchecked).toEqual([]);
  expect(asked("read") - before).toBe(9);
});

test("each unordered file is erased by one server, even if all clean up at once", async () => {
  const { visitor } = await signedInStudent(servers[0]);
  await upload(visitor, 9);
  const { db } = servers[0].deps;
  const files = await db.selectFrom("files").select("id").where("erased_at", "is", null).execute();
  const before = asked("delete");
  cluster.clock.advance({ hours: 24, seconds: 1 });
  // A server sweeps when it starts.
  await Promise.all([cluster.server(), cluster.server(), cluster.server()]);
  for (const server of servers) await followUp(server, "eraseFiles");
  const kept = async () =>
    (await filesOf(files.map(({ id }) => id))).filter((file) => !file.erased_at || file.erase_failed_at);
  await expect.poll(kept).toEqual([]);
  expect(asked("delete") - before).toBe(files.length);
  expect(cluster.emulator.keys).toEqual([]);
});

describe("a file that one server is storing", () => {
  const unrecorded = async () => false;

  async function storeFile(server: TestStore, key: string, record: () => Promise<void>): Promise<void> {
    const staged = await server.deps.files.stage(Readable.from([Buffer.from("%PDF-")]), {
      key,
      maxBytes: 100,
    });
    await staged.commit(record);
    await staged.discard();
  }

  test("is not deleted by another server", async () => {
    const key = randomUUID();
    await storeFile(servers[0], key, () => servers[1].deps.files.removeAbandoned(unrecorded));
    expect(cluster.emulator.keys).toContain(key);
  });

  test("is deleted by another server after ten minutes without a sign of the first", async () => {
    const key = randomUUID();
    await storeFile(servers[0], key, async () => {
      cluster.clock.advance({ minutes: 10 });
      await servers[1].deps.files.removeAbandoned(unrecorded);
    });
    expect(cluster.emulator.keys).not.toContain(key);
  });
});

test("each mail is sent once, by any of the servers", async () => {
  const inbox = await SmtpInbox.start({ slownessMs: 5 });
  const post = await TestCluster.open({ SMTP_URL: inbox.url });
  try {
    const offices = [await post.server(), await post.server(), await post.server()];
    const students = Array.from({ length: 18 }, newStudent);
    await Promise.all(
      students.map((student, n) => register((offices[n % 3] as TestStore).visitor(), student)),
    );
    for (const office of offices) await followUp(office, "sendMails");
    const emails = students.map(({ email }) => email).toSorted();
    await expect.poll(() => inbox.mails.length).toBeGreaterThanOrEqual(emails.length);
    expect(inbox.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(emails);
  } finally {
    await post.stop();
    await inbox.close();
  }
});

test("a starting server takes no work from the others", async () => {
  const { db } = servers[0].deps;
  const student = newStudent();
  const later = new Date(cluster.clock.now().getTime() + 60 * 60 * 1000).toISOString();
  await register(servers[0].visitor(), student);
  const mail = () =>
    db.selectFrom("outbox").selectAll().where("recipient", "=", student.email).executeTakeFirstOrThrow();
  await expect.poll(mail).toMatchObject({ sent_at: expect.any(String) });
  await db
    .updateTable("outbox")
    .set({ sent_at: null, leased_until: later })
    .where("recipient", "=", student.email)
    .execute();
  const { attempts } = await mail();

  const another = await cluster.server();
  const next = newStudent();
  await register(another.visitor(), next);
  const nextMail = () =>
    db.selectFrom("outbox").select("sent_at").where("recipient", "=", next.email).executeTakeFirstOrThrow();
  await expect.poll(nextMail).toMatchObject({ sent_at: expect.any(String) });

  expect(await mail()).toMatchObject({ sent_at: null, leased_until: later, attempts });
});
