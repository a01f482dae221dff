import pino from "pino";
import { expect, test } from "vitest";
import type { Mail } from "#server/mail/mail.service.ts";
import { composeMail } from "#server/mail/rendering.ts";
import { CODE_MINUTES, LINK_MINUTES } from "#shared/schemas/accounts.ts";
import { everyBlock, mailSaying, withParts } from "../factories/mails.ts";
import { freePort } from "../setup/free-port.ts";
import { arrived, openInbox, openPostOffice, smtpTo } from "./mail.fixtures.ts";

test("a queued mail arrives once, with a text and an HTML part and its rupee sign", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const content = everyBlock("You pay ₹145.00.");
  office.clock.advance({ hours: 1 });
  const queuedAt = office.clock.now();
  const id = await office.queue({ content, replyTo: "shop@campus.example" });
  office.clock.advance({ minutes: 30 });
  const worker = office.work(smtpTo(inbox.url));

  await expect.poll(() => office.row(id)).toMatchObject({ sent_at: office.clock.now().toISOString() });
  worker.runNow();
  await worker.stop();

  expect(inbox.mails).toHaveLength(1);
  expect(inbox.mails[0]).toMatchObject({
    recipients: ["asha@college.example"],
    from: { name: "Print Store", address: "shop@print-store.example" },
    to: [{ address: "asha@college.example" }],
    replyTo: [{ address: "shop@campus.example" }],
    subject: "Total ₹145.00",
    ...arrived(composeMail(content)),
    messageId: `<${id}@print-store.example>`,
    date: queuedAt.toISOString().replace(/\.\d+Z$/, ".000Z"),
    headers: expect.arrayContaining([
      expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
    ]),
  });
});

test("the body of a mail with a secret is erased after sending, others are kept", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const secret = await office.queue({ content: mailSaying("Your code is 042137"), secret: true });
  const plain = await office.queue();
  office.work(smtpTo(inbox.url));

  await expect.poll(() => inbox.mails.length).toBe(2);

  await expect.poll(() => office.row(secret)).toMatchObject({ content: null });
  expect(withParts(await office.row(plain)).text).toContain("You pay ₹145.00.");
  expect(inbox.mails.map(({ text }) => text)).toContainEqual(expect.stringContaining("Your code is 042137"));
});

test("a mail is kept while the server refuses connections, and sent when it is back", async () => {
  const office = await openPostOffice();
  const port = await freePort();
  const id = await office.queue();
  const worker = office.work(smtpTo(`smtp://127.0.0.1:${port}`));
  await expect
    .poll(() => office.row(id))
    .toMatchObject({ last_error: expect.stringContaining("ECONNREFUSED") });
  const inbox = await openInbox({ port });

  office.clock.advance({ seconds: 7 });
  worker.runNow();

  await expect.poll(() => inbox.mails.length).toBe(1);
  await expect
    .poll(() => office.row(id))
    .toMatchObject({ attempts: 2, sent_at: expect.any(String), last_error: null });
});

test.each([
  ["421 at the greeting", "greeting", 421],
  ["450 for the recipient", "recipient", 450],
  ["451 for the recipient", "recipient", 451],
  ["554 at the greeting", "greeting", 554],
  ["452 for its content", "content", 452],
  ["a connection that ends at the greeting", "greeting", "hang-up"],
  ["a connection that ends after its content", "content", "hang-up"],
] as const)("a mail is retried after %s", async (_name, place, code) => {
  const office = await openPostOffice();
  let refusals = 1;
  const inbox = await openInbox({ [place]: () => (refusals-- > 0 ? code : undefined) });
  const id = await office.queue();
  const worker = office.work(smtpTo(inbox.url));
  await expect.poll(() => office.row(id)).toMatchObject({ last_error: expect.any(String), failed_at: null });
  expect(inbox.mails).toHaveLength(0);

  office.clock.advance({ seconds: 7 });
  worker.runNow();

  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("a mail is retried after a failed SMTP login, because the operator may correct it", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ login: () => 535 });
  const id = await office.queue();
  office.work(smtpTo(inbox.url.replace("//", "//user:wrong@")));

  await expect
    .poll(() => office.row(id))
    .toMatchObject({ last_error: expect.stringContaining("535"), failed_at: null, attempts: 1 });
});

test("a mail is retried after the server refused its sender, because the setting may be corrected", async () => {
  const office = await openPostOffice();
  let isRefused = true;
  const inbox = await openInbox({ sender: () => (isRefused ? 553 : undefined) });
  const id = await office.queue();
  const worker = office.work(smtpTo(inbox.url));
  await expect
    .poll(() => office.row(id))
    .toMatchObject({ last_error: expect.stringContaining("553"), failed_at: null, attempts: 1 });

  isRefused = false;
  office.clock.advance({ seconds: 7 });
  worker.runNow();

  await expect.poll(() => inbox.mails.length).toBe(1);
});

test("no mail is sent to a server with an untrusted certificate", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ startsTls: true });
  const id = await office.queue();
  office.work(smtpTo(inbox.url));

  await expect
    .poll(() => office.row(id))
    .toMatchObject({ last_error: expect.stringMatching(/certificate/), sent_at: null });
  expect(inbox.named).toEqual([]);
});

/** A log, and the levels at which it says that a mail was given up. */
function openLog() {
  const lines: { msg: string; level: string }[] = [];
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const levels = () => lines.filter(({ msg }) => msg === "mail given up").map(({ level }) => level);
  return { log, levels };
}

test("a mail whose content is refused for good is given up at once as an error, and can be read and sent again", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ content: () => 554 });
  const id = await office.queue();
  const { log, levels } = openLog();
  office.work(smtpTo(inbox.url), { log });

  await expect
    .poll(() => office.row(id))
    .toMatchObject({ failed_at: office.clock.now().toISOString(), leased_until: null, sent_at: null });
  expect(withParts(await office.row(id)).text).toContain("You pay ₹145.00.");
  await expect.poll(levels).toEqual(["error"]);
});

test("of an endless error the first 500 characters are kept, and logged without the address", async () => {
  const office = await openPostOffice();
  const id = await office.queue();
  const said = `No asha@college.example here ${"x".repeat(1000)}`;
  const failing = { send: () => Promise.reject(new Error(said)) };
  const logged: string[] = [];
  office.work(failing, { log: pino({}, { write: (line) => void logged.push(line) }) });

  await expect.poll(() => office.row(id)).toMatchObject({ last_error: said.slice(0, 500) });
  await expect.poll(() => logged.join("")).toContain("mail not sent yet");
  expect(logged.join("")).not.toContain("asha@");
});

test("a mail whose recipient is permanently refused is given up at once, and its row kept", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox({ recipient: () => 550 });
  const id = await office.queue({ secret: true });
  const worker = office.work(smtpTo(inbox.url), { pollMs: 20 });
  await expect.poll(() => office.row(id)).toMatchObject({ failed_at: expect.any(String) });

  // Whatever is due is claimed oldest first, so the worker has passed this one by when it claims a later one.
  office.clock.advance({ days: 1 });
  await office.queue({ to: "ravi@college.example" });
  await expect.poll(() => inbox.named).toContain("ravi@college.example");
  await worker.stop();

  expect(inbox.named).toEqual(["asha@college.example", "ravi@college.example"]);
  expect(await office.row(id)).toMatchObject({
    attempts: 1,
    sent_at: null,
    last_error: expect.stringContaining("550"),
    content: null,
  });
});

test("a mail is given up after its last attempt, and its row kept", async () => {
  const office = await openPostOffice();
  const id = await office.queue();
  await office.db.updateTable("outbox").set({ attempts: 76 }).execute();
  office.work(smtpTo(`smtp://127.0.0.1:${await freePort()}`));

  await expect
    .poll(() => office.row(id))
    .toMatchObject({ attempts: 77, failed_at: office.clock.now().toISOString(), sent_at: null });
});

test("a code or a link is sent for as long as it works, and erased after that, which is no error", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const queue = (kind: Mail["kind"]) => office.queue({ kind, secret: true, to: `${kind}@college.example` });
  const lateLink = await queue("account-recovery");
  office.clock.advance({ ms: 1 });
  const linkInTime = await queue("account-recovery");
  office.clock.advance({ minutes: LINK_MINUTES - CODE_MINUTES, ms: -1 });
  const lateCode = await queue("account-login");
  office.clock.advance({ ms: 1 });
  const inTime = [linkInTime, await queue("account-verify"), await queue("account-password-changed")];
  office.clock.advance({ minutes: CODE_MINUTES, ms: -1 });
  const { log, levels } = openLog();
  office.work(smtpTo(inbox.url), { pollMs: 20, log });

  for (const id of [lateLink, lateCode])
    await expect.poll(() => office.row(id)).toMatchObject({ sent_at: null, content: null });
  for (const id of inTime)
    await expect.poll(() => office.row(id)).toMatchObject({ sent_at: expect.any(String), failed_at: null });
  expect(inbox.mails).toHaveLength(3);
  await expect.poll(levels).toEqual(["info", "info"]);
});

test("a code that the mail server refused for now is tried each minute, as it works for ten", async () => {
  const office = await openPostOffice();
  const id = await office.queue({ kind: "account-login", secret: true });
  const other = await office.queue();
  await office.db.updateTable("outbox").set({ attempts: 9 }).execute();
  office.work(smtpTo(`smtp://127.0.0.1:${await freePort()}`));
  const waits = async (mail: string) => {
    await expect.poll(async () => (await office.row(mail)).last_error).not.toBeNull();
    return Date.parse((await office.row(mail)).due_at) - office.clock.now().getTime();
  };
  expect(await waits(id)).toBe(60_000);
  expect(await waits(other)).toBeGreaterThan(40 * 60_000);
});

test("a code that had to wait is not sent once a newer one has replaced it, even if that was sent before", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const code = (kind: Mail["kind"], to = "asha@college.example") => office.queue({ kind, to, secret: true });
  const replaced = [await code("account-login"), await code("account-recovery")];
  // The addresses may be those of two accounts to be.
  const others = [await code("account-email"), await code("account-verify"), await office.queue()];
  await office.db.updateTable("outbox").set({ attempts: 1 }).execute();
  // Another server's clock may be behind: what did not have to wait is sent.
  others.push(await code("account-login", "meera@college.example"));
  office.clock.advance({ ms: 1 });
  const newer = [
    await code("account-login"),
    await code("account-recovery"),
    await code("account-email"),
    await code("account-verify", "ravi@college.example"),
    await code("account-login", "meera@college.example"),
    await office.queue(),
  ];
  const [first = ""] = newer;
  const sent_at = office.clock.now().toISOString();
  await office.db.updateTable("outbox").set({ sent_at }).where("id", "=", first).execute();
  office.work(smtpTo(inbox.url), { pollMs: 20 });

  for (const id of replaced)
    await expect
      .poll(() => office.row(id))
      .toMatchObject({ sent_at: null, last_error: "A newer one has replaced its code or link" });
  for (const id of [...others, ...newer])
    await expect.poll(() => office.row(id)).toMatchObject({ sent_at: expect.any(String) });
});

test("line breaks in a subject or address cannot add a header or recipient", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  await office.queue({
    subject: "Hello\r\nBcc: eve@evil.example\r\n\r\nBody",
    replyTo: "a@b.example\r\nX-Evil: 1",
  });
  await office.queue({ to: "asha@college.example\r\nRCPT TO:<eve@evil.example>" });
  await office.queue({ to: "asha@college.example, eve@evil.example" });
  const worker = office.work(smtpTo(inbox.url));
  await expect.poll(() => inbox.mails.length).toBeGreaterThan(0);
  await worker.stop();

  expect(inbox.mails[0]?.subject).toBe("Hello Bcc: eve@evil.example Body");
  for (const mail of inbox.mails) {
    expect(mail.headers.map(({ key }) => key)).not.toContain("x-evil");
    expect(mail.bcc ?? []).toEqual([]);
  }
  expect(inbox.named).not.toContain("eve@evil.example");
});
