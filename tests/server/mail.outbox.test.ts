import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { transact } from "#db/transaction.ts";
import { claimDueMails } from "#server/mail/mail.queries.ts";
import { queueMail } from "#server/mail/mail.service.ts";
import { mailSaying } from "../factories/mails.ts";
import { newStudent, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const ADMIN = { email: "admin@store.example", password: "a long pass phrase" };

/** The addresses that the mail server refuses for good. */
const refused = new Set<string>();
const inbox = await SmtpInbox.start({ recipient: (address) => (refused.has(address) ? 550 : undefined) });
afterAll(() => inbox.close());
const store = testStore({
  SMTP_URL: inbox.url,
  LOG_LEVEL: "silent",
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
});
let admin: ApiClient;
beforeAll(async () => {
  admin = await visitorAs(store, ADMIN);
});

interface ListedMail {
  id: string;
  state: string;
  subject: string;
  lastError: string | null;
}

async function list(input: object): Promise<ListedMail[]> {
  const { body } = await admin.query("mail.list", input);
  return body.result.data.rows;
}

/** A visitor sends a contact message, which is mailed to the admin; returns that mail once it has this state. */
async function contactMail(subject: string, state: string): Promise<ListedMail> {
  const message = { fullName: "Meera", email: "meera@college.example", subject, message: "Open?" };
  await store.visitor().post("/api/v1/users/contactus", message);
  return mailInState(`Contact: ${subject}`, state);
}

function mailInState(subject: string, state: string): Promise<ListedMail> {
  return vi.waitFor(
    async () => {
      const found = (await list({ state })).find((mail) => mail.subject === subject);
      if (!found) throw new Error(`No ${state} mail: ${subject}`);
      return found;
    },
    { timeout: 90_000, interval: 50 },
  );
}

test("a failed mail shows its error, and arrives when it is sent again", async () => {
  refused.add(ADMIN.email);
  const mail = await contactMail("Refused", "failed");
  expect(mail.lastError).toContain("550");
  expect((await admin.query("mail.stats")).body.result.data).toEqual({
    waiting: 0,
    failed: 1,
    delivers: true,
  });
  refused.clear();
  expect((await admin.mutate("mail.resend", { id: mail.id })).status).toBe(200);
  expect(await mailInState(mail.subject, "sent")).toMatchObject({
    id: mail.id,
    lastError: null,
    attempts: 1,
  });
  expect(inbox.to(ADMIN.email).filter(({ subject }) => subject === mail.subject)).toHaveLength(1);
});

test("a mail sent again is a copy, which a mail server does not treat as a duplicate", async () => {
  const mail = await contactMail("Twice", "sent");
  store.clock.advance({ seconds: 1 });
  await admin.mutate("mail.resend", { id: mail.id });
  await vi.waitFor(() => {
    const arrived = inbox.to(ADMIN.email).filter(({ subject }) => subject === mail.subject);
    expect(arrived).toHaveLength(2);
    expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(2);
    expect(new Set(arrived.map(({ date }) => date)).size).toBe(2);
    for (const { replyTo, text } of arrived) {
      expect([replyTo?.[0]?.address, text]).toEqual(["meera@college.example", arrived[0]?.text]);
    }
  }, 30_000);
});

test("the list of each state holds its own mails, newest first, and the figures count them", async () => {
  const to = "states@college.example";
  const at = (seconds: number) => new Date(store.clock.now().getTime() + seconds * 1000).toISOString();
  const mail = (
    id: string,
    seconds: number,
    rest: { sent_at?: string; failed_at?: string; due_at?: string },
  ) => ({
    ...{ id, kind: "contact", recipient: to, subject: id, secret: 0 as const, priority: 0, attempts: 1 },
    ...{ due_at: at(0), created_at: at(seconds), reply_to: null },
    content: JSON.stringify(mailSaying("Hello")),
    ...rest,
  });
  const stats = async () => (await admin.query("mail.stats")).body.result.data;
  await expect.poll(async () => (await stats()).waiting).toBe(0);
  const before = await stats();
  await store.deps.db
    .insertInto("outbox")
    .values([
      mail("sent-1", 1, { sent_at: at(0) }),
      mail("waits-1", 2, { due_at: at(3600) }),
      mail("failed-1", 3, { failed_at: at(0) }),
      mail("waits-2", 3, { due_at: at(3600) }),
    ])
    .execute();

  const found = async (state?: string) =>
    (await list({ search: to, ...(state && { state }) })).map((row) => [row.id, row.state]);
  expect(await found("sent")).toEqual([["sent-1", "sent"]]);
  expect(await found("failed")).toEqual([["failed-1", "failed"]]);
  const waiting = [
    ["waits-2", "waiting"],
    ["waits-1", "waiting"],
  ];
  expect(await found("waiting")).toEqual(waiting);
  const [newest, older] = waiting;
  expect(await found()).toEqual([newest, ["failed-1", "failed"], older, ["sent-1", "sent"]]);
  const after = await stats();
  expect([after.waiting - before.waiting, after.failed - before.failed]).toEqual([2, 1]);

  const refusalOf = async (id: string) => {
    const { status, body } = await admin.mutate("mail.resend", { id });
    return [status, body.error.message];
  };
  expect(await refusalOf("waits-1")).toEqual([409, "This email is already on its way"]);
  expect(await refusalOf("no-such-mail")).toEqual([404, "This email was not found"]);
  expect((await admin.query("mail.byId", { id: "no-such-mail" })).status).toBe(404);
  await store.deps.db.deleteFrom("outbox").where("recipient", "=", to).execute();
});

test("a mail with a code is not shown, and cannot be sent again once the code is erased", async () => {
  await store.visitor().post("/api/v1/users/generate-otp-for-login", { email: ADMIN.email });
  const { id } = await mailInState("Your Print Store login code", "sent");
  const shown = (await admin.query("mail.byId", { id })).body.result.data;
  expect(shown).toMatchObject({ text: null, html: null, resendable: false });
  expect((await admin.mutate("mail.resend", { id })).body.error.data.appCode).toBe("CONFLICT");
});

test("mails are found by part of the recipient's address", async () => {
  await contactMail("Found", "sent");
  expect((await list({ search: "STORE.example" })).length).toBeGreaterThan(0);
  expect(await list({ search: "nobody@" })).toEqual([]);
});

test("sending again is written to the audit log, of a message to the store without its words", async () => {
  const mail = await contactMail("Audited", "sent");
  await admin.mutate("mail.resend", { id: mail.id });
  const { body } = await admin.query("audit.list", { search: "message", action: "mail.resend" });
  expect(body.result.data.rows[0]).toMatchObject({
    subject: "A message to the store",
    after: { to: ADMIN.email.replace(/(?<=^..)[^@]*/, "•••") },
  });
});

test("without a mail server the console shows every mail completely, codes included", async () => {
  const keeping = await tempStore({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const visitor = await visitorAs(keeping, ADMIN);
  await keeping.visitor().post("/api/v1/users/generate-otp-for-login", { email: ADMIN.email });
  const [mail] = (await visitor.query("mail.list", {})).body.result.data.rows;
  const shown = (await visitor.query("mail.byId", { id: mail.id })).body.result.data;
  expect(shown.text).toMatch(/\b\d{6}\b/);
  expect(shown.resendable).toBe(true);
});

test("a network that signs up with invented addresses is mailed after verified accounts and after other networks", async () => {
  const crowded = await tempStore({
    SMTP_URL: "smtp://127.0.0.1:1",
    LOG_LEVEL: "silent",
    RATE_LIMIT_SCALE: "1",
  });
  const ask = (path: string, body: object, address: string) => {
    crowded.clock.advance({ ms: 1 });
    return crowded.visitor().post(`/api/v1/users/${path}`, body, { "X-Forwarded-For": address });
  };
  const signUp = async (address: string) => {
    const student = newStudent();
    await ask("register", { ...student, confirmpassword: student.password }, address);
    return student.email;
  };
  const [crowd, elsewhere] = ["203.0.113.1", "203.0.113.2"];
  const message = { kind: "contact", to: "boss@shop.example", subject: "A question" } as const;
  const asked = { ...message, content: mailSaying("Do you print on wood?") };
  await transact(crowded.deps.db, (trx) => queueMail(trx, crowded.deps, asked));
  const first = await signUp(crowd);
  await ask("fpmail", { email: first }, crowd);
  const later = [await signUp(crowd), await signUp(crowd)];
  const newcomer = await signUp(elsewhere);
  await ask("generate-otp-for-login", { email: newcomer }, elsewhere);
  const { student: verified } = await signedInStudent(crowded);
  await ask("fpmail", { email: verified.email }, crowd);

  const { db } = crowded.deps;
  const tried = db
    .selectFrom("outbox")
    .select("id")
    .where("attempts", "=", 1)
    .where("leased_until", "is", null)
    .orderBy("created_at");
  await expect.poll(async () => (await tried.execute()).length).toBe(8);
  // Retries vary: due in the order in which they were asked for.
  for (const [at, { id }] of (await tried.execute()).entries())
    await db
      .updateTable("outbox")
      .set({ due_at: `2029-01-01T00:00:0${at}.000Z` })
      .where("id", "=", id)
      .execute();
  const claim = { now: "2030-01-01T00:00:00.000Z", leaseUntil: "2030-01-01T00:02:00.000Z", limit: 1 };
  const order: (string | undefined)[] = [];
  for (let mails = 0; mails < 8; mails++) order.push((await claimDueMails(db, claim))[0]?.to);
  const signUps = [first, newcomer, first, newcomer, ...later];
  expect(order).toEqual([verified.email, message.to, ...signUps]);
});
