import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { transact } from "#db/transaction.ts";
import { queueMail } from "#server/mail/mail.service.ts";
import { MAIL_CONCURRENCY } from "#server/mail/mail.worker.ts";
import { createSmtpTransport } from "#server/mail/transport.ts";
import { mailSaying } from "../factories/mails.ts";
import { postgresUrl } from "../setup/test-database.ts";
import { FROM, openInbox, openPostOffice, smtpTo } from "./mail.fixtures.ts";

test("a new mail is sent at once, before the next poll", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const worker = office.work(smtpTo(inbox.url), { pollMs: 3_600_000 });
  await office.queue();

  worker.runNow();

  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("mails beyond those that are sent at the same time follow without waiting for the next poll", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  for (let count = 0; count < 2 * MAIL_CONCURRENCY + 1; count++) await office.queue();

  office.work(smtpTo(inbox.url), { pollMs: 3_600_000 });

  await expect.poll(() => inbox.mails.length).toBe(2 * MAIL_CONCURRENCY + 1);
});

test("a mail queued in a transaction is sent after the commit", async ({ skip }) => {
  skip(
    postgresUrl() !== undefined,
    "on PostgreSQL the worker does not wait for a transaction, and looks too early",
  );
  const office = await openPostOffice();
  const inbox = await openInbox();
  const worker = office.work(smtpTo(inbox.url), { pollMs: 3_600_000 });

  await transact(office.db, async (trx) => {
    await queueMail(trx, office.clock, {
      kind: "contact",
      to: "a@b.example",
      subject: "",
      content: mailSaying("a"),
    });
    worker.runNow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(inbox.named).toEqual([]);
  });

  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("a mail leased by another worker does not block the others", async ({ skip }) => {
  skip(postgresUrl() === undefined, "on SQLite nobody else has anything in hand");
  const office = await openPostOffice();
  const inbox = await openInbox();
  const held = await office.queue({ to: "held@college.example" });
  await office.queue({ to: "free@college.example" });
  const inHand = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const holding = transact(office.db, async (trx) => {
    await trx.updateTable("outbox").set({ last_error: "in hand" }).where("id", "=", held).execute();
    inHand.resolve();
    await letGo.promise;
  });
  await inHand.promise;

  office.work(smtpTo(inbox.url), { pollMs: 20 });

  await expect.poll(() => inbox.mails.length).toBe(1);
  expect(inbox.mails).toMatchObject([{ recipients: ["free@college.example"] }]);
  letGo.resolve();
  await holding;
  await expect.poll(() => inbox.mails.length).toBe(2);
});

test("without a mail server a mail counts as sent, and is kept whole, its code too", async () => {
  const office = await openPostOffice();
  const content = mailSaying("Your code is 042137");
  const id = await office.queue({ content, secret: true });
  office.work(null);

  await expect
    .poll(() => office.row(id))
    .toMatchObject({
      sent_at: office.clock.now().toISOString(),
      content: JSON.stringify(content),
      last_error: null,
    });
});

test("a mail queued in a rolled-back transaction is never sent", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const worker = office.work(smtpTo(inbox.url));

  const failing = transact(office.db, async (trx) => {
    await queueMail(trx, office.clock, {
      kind: "contact",
      to: "a@b.example",
      subject: "",
      content: mailSaying("a"),
    });
    throw new Error("the order failed");
  });
  await expect(failing).rejects.toThrow("the order failed");
  const id = await office.queue();
  worker.runNow();

  await expect.poll(() => office.row(id)).toMatchObject({ sent_at: expect.any(String) });
  expect(inbox.named).toEqual(["asha@college.example"]);
});

test("a poll finds mails nobody announced", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  office.work(smtpTo(inbox.url), { pollMs: 50 });
  await office.queue();

  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("a recipient at whose name the server falls silent does not block the others", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({
    recipient: (address) => (address.startsWith("slow") ? "silence" : undefined),
  });
  const silent = await Promise.all([1, 2, 3].map((n) => office.queue({ to: `slow${n}@college.example` })));
  for (let n = 0; n < 10; n++) await office.queue({ to: `quick${n}@college.example` });
  const transport = smtpTo(inbox.url, { socketTimeout: 2000 });
  office.work(transport);

  await expect.poll(() => inbox.mails.length).toBe(10);

  for (const id of silent) {
    await expect.poll(() => office.row(id)).toMatchObject({ sent_at: null, last_error: "Timeout" });
  }
});

test("a mail that its server takes too long for is given back before its lease ends, and sent later", async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(limit.signal);
  onTestFinished(() => timeout.mockRestore());
  const office = await openPostOffice();
  let isSlow = true;
  const inbox = await openInbox({ recipient: () => (isSlow ? "silence" : undefined) });
  const id = await office.queue();
  const worker = office.work(smtpTo(inbox.url), { stopGraceMs: 100 });
  await expect.poll(() => inbox.named.length).toBe(1);
  const { leased_until } = await office.row(id);
  const [[limitMs = Number.NaN] = []] = timeout.mock.calls;
  expect(Date.parse(leased_until ?? "") - office.clock.now().getTime()).toBeGreaterThan(limitMs);

  limit.abort();

  await expect
    .poll(() => office.row(id))
    .toMatchObject({ last_error: "Message sending aborted", failed_at: null });
  isSlow = false;
  office.clock.advance({ seconds: 7 });
  worker.runNow();
  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("stopping waits for the current mail and starts no other", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ slownessMs: 300 });
  const ids = [];
  for (let n = 0; n < 8; n++) ids.push(await office.queue());
  const worker = office.work(smtpTo(inbox.url));
  await expect.poll(() => inbox.named.length).toBe(5);

  await worker.stop();

  const rows = await Promise.all(ids.map((id) => office.row(id)));
  expect(inbox.mails).toHaveLength(5);
  expect(rows.filter((row) => row.sent_at)).toHaveLength(5);
  expect(rows.filter((row) => row.attempts === 0)).toHaveLength(3);
});

/** Shorter than a silent server is waited for. */
const NOT_PATIENT = { timeout: 30_000 };

test("stopping leaves a mail blocked by a silent server to the next start", NOT_PATIENT, async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ recipient: () => "silence" });
  const id = await office.queue();
  const patient = createSmtpTransport({ url: inbox.url, from: FROM, maxConnections: 1 });
  const worker = office.work(patient, { stopGraceMs: 100 });
  await expect.poll(() => inbox.named.length).toBe(1);

  await worker.stop();

  expect(await office.row(id)).toMatchObject({ sent_at: null, failed_at: null, attempts: 1 });
});

test("a mail sent while the database was locked is recorded later and not sent again", async ({ skip }) => {
  skip(postgresUrl() !== undefined, "only SQLite locks a whole database");
  const office = await openPostOffice({ busyMs: 100 });
  const inbox = await openInbox({ slownessMs: 200 });
  const id = await office.queue();
  const worker = office.work(smtpTo(inbox.url), { pollMs: 3_600_000 });
  await expect.poll(() => inbox.named.length).toBe(1);

  const other = new Sqlite(office.databaseUrl.slice("file:".length));
  other.exec("begin immediate");
  await expect.poll(() => inbox.mails.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  other.exec("rollback");
  other.close();
  expect(await office.row(id)).toMatchObject({ sent_at: null, attempts: 1 });

  office.clock.advance({ minutes: 3 });
  worker.runNow();

  await expect.poll(() => office.row(id)).toMatchObject({ sent_at: expect.any(String), attempts: 2 });
  expect(inbox.mails).toHaveLength(1);
});
