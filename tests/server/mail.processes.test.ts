import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openInbox, openPostOffice, type PostOffice, smtpTo } from "./mail.fixtures.ts";

test("a mail whose worker was killed while sending is sent after its lease, with the same Message-ID", async () => {
  const office = await openPostOffice();
  let isSilent = true;
  const inbox = await openInbox({ recipient: () => (isSilent ? "silence" : undefined) });
  const id = await office.queue();
  const doomed = spawnWorker(office, inbox.url);
  await expect.poll(() => inbox.named.length).toBe(1);
  doomed.kill("SIGKILL");
  await once(doomed, "exit");
  isSilent = false;

  const worker = office.work(smtpTo(inbox.url), { pollMs: 20 });
  office.clock.advance({ minutes: 2, ms: -1 });
  // Once it is sent, the worker has looked for all that is due.
  const witness = await office.queue({ to: "witness@college.example" });
  await expect.poll(async () => (await office.row(witness)).sent_at).not.toBeNull();
  expect((await office.row(id)).attempts).toBe(1);
  expect(inbox.mails).toHaveLength(1);

  office.clock.advance({ ms: 1 });
  await expect.poll(() => inbox.mails.length).toBe(2);
  await worker.stop();
  expect(inbox.mails.slice(1)).toMatchObject([{ messageId: `<${id}@print-store.example>` }]);
  expect(await office.row(id)).toMatchObject({ attempts: 2, sent_at: expect.any(String) });
});

test("three processes on one database send each mail once", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ slownessMs: 10 });
  const workers = [1, 2, 3].map(() => spawnWorker(office, inbox.url));
  await Promise.all(workers.map((worker) => once(worker, "message")));

  const addresses = Array.from({ length: 300 }, (_, n) => `student${n}@college.example`);
  // Not all at once: a slow machine lets the last of them wait too long for a connection.
  for (const to of addresses) await office.queue({ to });

  await expect.poll(() => unsent(office), { timeout: 90_000 }).toBe(0);
  const recipients = inbox.mails.map((mail) => mail.recipients.join());
  expect(recipients.toSorted()).toEqual(addresses.toSorted());
  expect(new Set(inbox.mails.map((mail) => mail.from?.address)).size).toBe(3);
});

async function unsent({ db }: PostOffice): Promise<number> {
  return (await db.selectFrom("outbox").select("id").where("sent_at", "is", null).execute()).length;
}

function spawnWorker({ databaseUrl, clock }: PostOffice, smtpUrl: string): ChildProcess {
  const program = join(import.meta.dirname, "mail-worker-process.ts");
  const child = spawn(process.execPath, [program, databaseUrl, smtpUrl, clock.now().toISOString()], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
