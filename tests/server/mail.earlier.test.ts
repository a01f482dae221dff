import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#db/open.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readQrCode } from "../setup/read-qr-code.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { arrived, openInbox, openPostOffice, smtpTo } from "./mail.fixtures.ts";

const LINK = "upi://pay?pa=shop@okaxis&am=44.00";
/** The stored parts of a mail before content was stored. */
const PARTS = {
  content: null,
  text_body: "You pay ₹44.00.\n",
  html_body: `<p>You pay ₹44.00.<img src="cid:pay@qr-code"></p>\n`,
  images: JSON.stringify([{ cid: "pay@qr-code", text: LINK }]),
};

let store: TestStore;
let admin: ApiClient;
beforeAll(async () => {
  store = await startTestStore({ SEED_DEMO: "false" });
  admin = (await signedInAdmin(store)).visitor;
});
afterAll(() => store.stop());

/** Inserts a mail as an earlier version queued it, or left it after sending. */
async function queuedBefore(db: Db, row: { recipient?: string; secret?: 0 | 1; sent_at?: string } = {}) {
  const at = "2026-11-21T09:30:00.000Z";
  const { id } = await db
    .insertInto("outbox")
    .values({
      ...{ id: randomUUID(), kind: "order-student", recipient: "asha@college.example", reply_to: null },
      ...{ subject: "Order K7M4-Q2XD", ...PARTS, secret: 0, attempts: 0, due_at: at, created_at: at },
      ...row,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

test("a mail queued by an earlier version is sent as it was composed", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  await queuedBefore(office.db);
  office.work(smtpTo(inbox.url));

  await expect.poll(() => inbox.mails.length).toBe(1);
  const [mail] = inbox.mails;
  const parts = { text: PARTS.text_body, html: PARTS.html_body };
  expect(mail).toMatchObject({ ...arrived(parts), attachments: [{}] });
  const picture = mail?.attachments[0]?.content as ArrayBuffer;
  expect(await readQrCode(new Uint8Array(picture))).toBe(LINK);
});

test("a mail with a secret queued by an earlier version is erased after sending", async () => {
  const office = await openPostOffice();
  const inbox = await openInbox();
  const id = await queuedBefore(office.db, { secret: 1 });
  office.work(smtpTo(inbox.url));

  const nothing = { content: null, text_body: "", html_body: "", images: null };
  await expect.poll(() => office.row(id)).toMatchObject(nothing);
});

test("a mail queued by an earlier version is shown in the console, the mailbox and the student's data", async () => {
  const { visitor, student } = await signedInStudent(store);
  const id = await queuedBefore(store.deps.db, { recipient: student.email });

  const { text, html, resendable } = (await admin.query("mail.byId", { id })).body.result.data;
  expect([text, resendable]).toEqual([PARTS.text_body, true]);
  expect(html).toMatch(/^<p>You pay ₹44\.00\.<img src="data:image\/png;base64,[^"]+"><\/p>\n$/);

  const { mails } = (await store.visitor().get("/mailbox.json")).body;
  const { text_body, html_body } = PARTS;
  expect(mails).toContainEqual(
    expect.objectContaining({
      id,
      text: text_body,
      html: html_body,
      qrCodes: [{ cid: "pay@qr-code", text: LINK }],
    }),
  );
  expect(await (await store.visitor().fetch(`/mailbox/${id}`)).text()).toContain(`<pre>${text_body}</pre>`);

  const own = (await visitor.get("/my-data")).body.mails;
  expect(own).toContainEqual(expect.objectContaining({ subject: "Order K7M4-Q2XD", text: text_body }));
});

test("a mail queued by an earlier version can be sent again unchanged, unless it was erased", async () => {
  const sent_at = "2026-11-21T09:31:00.000Z";
  const recipient = "copy@college.example";
  const id = await queuedBefore(store.deps.db, { recipient, sent_at });
  expect((await admin.mutate("mail.resend", { id })).status).toBe(200);
  const copies = await store.deps.readDb
    .selectFrom("outbox")
    .select(["content", "text_body", "html_body", "images"])
    .where("recipient", "=", recipient)
    .where("id", "<>", id)
    .execute();
  expect(copies).toEqual([PARTS]);

  await store.deps.db
    .updateTable("outbox")
    .set({ text_body: "", html_body: "" })
    .where("id", "=", id)
    .execute();
  expect((await admin.mutate("mail.resend", { id })).body.error.data.appCode).toBe("CONFLICT");
});
