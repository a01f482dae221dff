import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ApiClient } from "../setup/api-client.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

const ADMIN = { email: "admin@store.example", password: "a long pass phrase" };

let store: TestStore;
let inbox: SmtpInbox;
let admin: ApiClient;
/** The addresses that the mail server refuses for good. */
const refused = new Set<string>();

beforeAll(async () => {
  inbox = await SmtpInbox.start({ recipient: (address) => (refused.has(address) ? 550 : undefined) });
  store = await startTestStore({
    SMTP_URL: inbox.url,
    LOG_LEVEL: "silent",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  admin = store.visitor();
  await admin.post("/api/v1/users/login", ADMIN);
});
afterAll(async () => {
  await store.stop();
  await inbox.close();
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
    { timeout: 10_000, interval: 50 },
  );
}

test("a failed mail shows its error, and arrives when it is sent again", async () => {
  refused.add(ADMIN.email);
  const mail = await contactMail("Refused", "failed");
  expect(mail.lastError).toContain("550");
  expect((await admin.query("mail.facts")).body.result.data).toEqual({
    waiting: 0,
    failed: 1,
    delivers: true,
  });
  refused.clear();
  expect((await admin.mutate("mail.resend", { id: mail.id })).status).toBe(200);
  expect(await mailInState(mail.subject, "sent")).toMatchObject({ id: mail.id, lastError: null });
  expect(inbox.to(ADMIN.email).filter(({ subject }) => subject === mail.subject)).toHaveLength(1);
});

test("a mail sent again is a copy, which a mail server does not treat as a duplicate", async () => {
  const mail = await contactMail("Twice", "sent");
  await admin.mutate("mail.resend", { id: mail.id });
  await vi.waitFor(() => {
    const arrived = inbox.to(ADMIN.email).filter(({ subject }) => subject === mail.subject);
    expect(arrived).toHaveLength(2);
    expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(2);
  });
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

test("sending again is written to the audit log", async () => {
  const mail = await contactMail("Audited", "sent");
  await admin.mutate("mail.resend", { id: mail.id });
  const { body } = await admin.query("audit.list", { search: "audited", action: "mail.resend" });
  expect(body.result.data.rows[0]).toMatchObject({
    subject: mail.subject,
    after: { to: ADMIN.email.replace(/(?<=^..)[^@]*/, "•••") },
  });
});

test("the console shows captured mails completely, codes included", async () => {
  const keeping = await startTestStore({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const visitor = keeping.visitor();
  await visitor.post("/api/v1/users/login", ADMIN);
  await keeping.visitor().post("/api/v1/users/generate-otp-for-login", { email: ADMIN.email });
  const [mail] = (await visitor.query("mail.list", {})).body.result.data.rows;
  const shown = (await visitor.query("mail.byId", { id: mail.id })).body.result.data;
  expect(shown.text).toMatch(/\b\d{6}\b/);
  expect(shown.resendable).toBe(true);
  await keeping.stop();
});
