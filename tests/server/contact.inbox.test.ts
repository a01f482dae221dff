import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;

beforeAll(async () => {
  admin = await signedInAdmin(store);
});

interface Message {
  id: string;
  state: string;
  stateBy: string | null;
}

async function write(fullName: string): Promise<Message> {
  store.clock.advance({ seconds: 1 });
  const message = { fullName, email: "meera@college.example", subject: "Hours", message: "Open on Sunday?" };
  await store.visitor().post("/api/v1/users/contactus", message);
  const [newest] = await list();
  expect(newest).toMatchObject({ ...message, state: "new" });
  return newest as Message;
}

async function list(state?: string): Promise<Message[]> {
  const { body } = await admin.visitor.query("contact.list", { state });
  return body.result.data.rows;
}

const mark = (id: string, state: string) => admin.visitor.mutate("contact.mark", { id, state });

test("a message goes from new to read to answered, and shows by whom and when; others stay new", async () => {
  const { id: other } = await write("Tara Nair");
  const { id } = await write("Meera Nair");
  for (const state of ["read", "answered"]) {
    await mark(id, state);
    const found = (await list(state)).find((message) => message.id === id);
    const stateAt = store.clock.now().toISOString();
    expect(found).toMatchObject({ state, stateBy: admin.person.fullName, stateAt });
  }
  expect((await list("new")).map((message) => message.id)).toEqual([other]);
});

test("a message is mailed to every admin, titled by its subject or, without one, by its sender", async () => {
  const { person } = await signedInAdmin(store);
  const send = (subject: string) =>
    store.visitor().post("/api/v1/users/contactus", {
      fullName: "Tara",
      email: "tara@college.example",
      subject,
      message: "Hi",
    });
  await send("Opening hours");
  await send("");
  for (const { email } of [person, admin.person]) {
    const mails = (await mailsTo(store, email)).filter(({ reply_to }) => reply_to === "tara@college.example");
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "Contact from Tara",
      "Contact: Opening hours",
    ]);
  }
});

test("the counts match the states", async () => {
  const before = (await admin.visitor.query("contact.counts")).body.result.data;
  const { id } = await write("Counted");
  await mark(id, "answered");
  await write("Counted too");
  await mark((await write("Counted as read")).id, "read");
  const after = (await admin.visitor.query("contact.counts")).body.result.data;
  expect(after).toEqual({ new: before.new + 1, read: before.read + 1 });
});

test("only a mark that changes the state is written to the audit log", async () => {
  const { id } = await write("Audited");
  await mark(id, "read");
  await mark(id, "read");
  const lines = await store.deps.readDb
    .selectFrom("audit_log")
    .selectAll()
    .where("subject_id", "=", id)
    .execute();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    action: "contact.mark",
    subject_name: "Audited",
    before: '{"state":"new"}',
    after: '{"state":"read"}',
  });
});

test("opening a message that is shown as new leaves one that somebody has answered meanwhile", async () => {
  const { id } = await write("Meera Nair");
  await mark(id, "answered");
  expectDone(await admin.visitor.mutate("contact.mark", { id, state: "read", from: "new" }));
  expect((await list("answered")).map((message) => message.id)).toContain(id);
});

test("an unknown message cannot be marked", async () => {
  expect((await mark("no-such-message", "read")).status).toBe(404);
});

test("pages of 25 contain each message once, newest first, also while new ones arrive", async () => {
  const { db } = store.deps;
  const insert = (rows: { id: string; created_at: string }[]) =>
    db
      .insertInto("contact_messages")
      .values(rows.map((row) => ({ ...row, full_name: "Asha", email: "a@b.cc", subject: "", message: "Hi" })))
      .execute();
  // Few moments, so that many messages have the same one and only their ids tell them apart.
  const moment = fc.integer({ min: 0, max: 3 }).map((hour) => `2025-11-21T0${hour}:00:00.000Z`);
  const messages = fc.uniqueArray(
    fc.record({ id: fc.stringMatching(/^[0-9a-f]{1,6}$/), created_at: moment }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 80, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(messages, async (rows) => {
      await db.deleteFrom("contact_messages").execute();
      await insert(rows);
      const pages: string[][] = [];
      for (let cursor: unknown; cursor !== null && pages.length < 5; ) {
        const { body } = await admin.visitor.query("contact.list", { cursor });
        pages.push(body.result.data.rows.map(({ id }: Message) => id));
        cursor = body.result.data.next;
        await insert([{ id: `new-${pages.length}`, created_at: "2025-11-22T00:00:00.000Z" }]);
      }
      const order = rows.toSorted(
        (one, other) => compare(other.created_at, one.created_at) || compare(other.id, one.id),
      );
      expect(pages.flat()).toEqual(order.map(({ id }) => id));
      expect(pages.slice(0, -1).every((page) => page.length === 25)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(rows.length / 25));
    }),
    { numRuns: 20 },
  );
});

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
