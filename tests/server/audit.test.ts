import { beforeAll, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { type AuditEntry, recordAudit } from "#server/audit/audit.service.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let owner: StaffPerson;
let shops: [string, string, ...string[]];

beforeAll(async () => {
  admin = await signedInAdmin(store);
  shops = await shopIds(store);
  owner = await signedInOwner(store, [shops[0]]);
});

/** Records an action by a person with this name. */
async function record(entry: Partial<AuditEntry>, fullName = "Asha Verma"): Promise<void> {
  const user = { _id: "u1", fullName, email: "asha@store.example", phone: "", role: "admin" as const };
  store.clock.advance({ seconds: 1 });
  await transact(store.deps.db, (trx) =>
    recordAudit(
      trx,
      { now: store.deps.now, actor: { kind: "user", user } },
      { action: "contact.mark", subject: { id: "s1", name: "A subject" }, ...entry },
    ),
  );
}

async function list(input: object = {}, { visitor } = admin) {
  const { body } = await visitor.query("audit.list", input);
  return body.result.data as {
    rows: { subject: string; before: object; after: object }[];
    next: object | null;
  };
}

async function subjects(input: object = {}, person = admin): Promise<string[]> {
  return (await list(input, person)).rows.map((row) => row.subject);
}

test("an entry stores only the fields that differ, before and after", async () => {
  await record({
    subject: { id: "s1", name: "Sides" },
    before: { name: "Old", open: true, tags: ["a"] },
    after: { name: "New", open: true, tags: ["a"], note: "back at 4 pm" },
  });
  const [line] = (await list({ search: "Sides" })).rows;
  expect(line).toMatchObject({ before: { name: "Old" }, after: { name: "New", note: "back at 4 pm" } });
  expect(Object.keys(line?.after ?? {})).toEqual(["name", "note"]);
});

test.each([
  ["who did it", "ravi"],
  ["what was done", "status of a CONTACT message"],
  ["to what it was done", "banyan"],
  ["what was before", "spiral binding"],
  ["what is after", "१२ रुपये"],
  ["several of these at once", "rupees banyan kumar"],
])("an entry is found by %s", async (_by, search) => {
  const name = `Banyan Prints ${search.length}`;
  await record(
    {
      subject: { id: "s2", name },
      before: { option: "Spiral Binding" },
      after: { price: "12 Rupees", label: "१२ रुपये" },
    },
    "Ravi Kumar",
  );
  expect(await subjects({ search })).toContain(name);
  expect(await subjects({ search: `${search} zebra` })).toEqual([]);
});

test("e-mails of people are masked, in the search too, and the public ones of shops are not", async () => {
  const email = "banyan@prints.example";
  const fields = {
    subject: { id: "s9", name: `Mail of ${email}` },
    before: { email },
    after: { email: "x@y.zz" },
  };
  const shown = async (action: AuditEntry["action"]) => {
    await record({ ...fields, action });
    const [row] = (await list({ search: email, action })).rows;
    return [row?.subject, row?.before, row?.after];
  };
  const masked = ["Mail of ba•••@prints.example", { email: "ba•••@prints.example" }, { email: "x•••@y.zz" }];
  expect(await shown("staff.change")).toEqual(masked);
  expect(await shown("mail.resend")).toEqual(masked);
  expect(await shown("shop.change")).toEqual([`Mail of ${email}`, { email }, { email: "x@y.zz" }]);
});

test("an e-mail at the beginning of a line is masked, found, and breaks nothing", async () => {
  const reason = "Paid back to Ravi K\nravi@okhdfcbank.example";
  await record({ action: "order.refund", after: { reason } });
  const { rows } = await list({ search: "ravi@okhdfcbank.example" });
  expect(rows.map(({ after }) => after)).toEqual([
    { reason: "Paid back to Ravi K\nra•••@okhdfcbank.example" },
  ]);
});

test("an entry says who, when, what and about which shop", async () => {
  await record(
    { subject: { id: "s10", name: "Everything" }, shopId: shops[0], after: { open: true } },
    "Tara Bose",
  );
  const [row] = (await list({ search: "everything" })).rows;
  expect(row).toEqual({
    id: expect.any(String),
    createdAt: store.clock.now().toISOString(),
    by: { name: "Tara Bose", email: "as•••@store.example" },
    action: "contact.mark",
    subject: "Everything",
    shopId: shops[0],
    before: null,
    after: { open: true },
  });
  const stored = store.deps.readDb.selectFrom("audit_log").select(["by_user_id", "subject_id"]);
  expect(await stored.where("id", "=", (row as { id?: string }).id ?? "").execute()).toEqual([
    { by_user_id: "u1", subject_id: "s10" },
  ]);
});

test("an owner without any shop left sees nothing", async () => {
  await record({ subject: { id: "s11", name: "Of the store" } });
  const nowhere = await signedInOwner(store, []);
  expect(await list({}, nowhere)).toEqual({ rows: [], next: null });
});

test("a search treats special characters of SQL literally", async () => {
  await record({ subject: { id: "s3", name: "100% cotton_paper" } });
  await record({ subject: { id: "s3", name: "100 cotton-paper" } });
  expect(await subjects({ search: "100%" })).toEqual(["100% cotton_paper"]);
  expect(await subjects({ search: "cotton_" })).toEqual(["100% cotton_paper"]);
});

test("an owner sees only entries about their shops", async () => {
  await record({ subject: { id: "s4", name: "Scope one" }, shopId: shops[0] });
  await record({ subject: { id: "s4", name: "Scope two" }, shopId: shops[1] });
  await record({ subject: { id: "s4", name: "Scope store" } });
  expect(await subjects({ search: "scope" })).toEqual(["Scope store", "Scope two", "Scope one"]);
  expect(await subjects({ search: "scope" }, owner)).toEqual(["Scope one"]);
  expect(await subjects({ search: "scope", shopId: shops[1] })).toEqual(["Scope two"]);
  const refused = await owner.visitor.query("audit.list", { shopId: shops[1] });
  expect(refused.body.error.data.appCode).toBe("NOT_FOUND");
});

test("the list can be filtered by action and period", async () => {
  await record({ subject: { id: "s5", name: "Before" }, action: "mail.resend" });
  const from = store.clock.now().toISOString();
  store.clock.advance({ hours: 1 });
  await record({ subject: { id: "s5", name: "After" }, action: "mail.resend" });
  const until = store.clock.now().toISOString();
  // An entry of the very first moment belongs to the period, one of its end does not.
  expect(await subjects({ action: "mail.resend", from, until })).toEqual(["Before"]);
  expect(await subjects({ action: "mail.resend", from: until })).toEqual(["After"]);
  expect(await subjects({ action: "mail.resend", until: from })).not.toContain("Before");
});

test("paging skips and repeats no entry, even among entries of the same moment", async () => {
  const user = { _id: "u1", fullName: "Pager", email: "p@store.example", phone: "", role: "admin" as const };
  const ctx = { now: store.deps.now, actor: { kind: "user" as const, user } };
  await transact(store.deps.db, async (trx) => {
    for (let n = 0; n < LIST_ROWS * 2 + 1; n++) {
      await recordAudit(trx, ctx, { action: "contact.mark", subject: { id: "s6", name: `Line ${n}` } });
    }
  });
  const seen: string[] = [];
  let cursor: object | null = null;
  do {
    const page = await list({ search: "pager", cursor });
    seen.push(...page.rows.map((row) => row.subject));
    cursor = page.next;
  } while (cursor);
  expect(seen).toHaveLength(LIST_ROWS * 2 + 1);
  expect(new Set(seen).size).toBe(seen.length);
});

test("no entry can be changed or deleted, not even by the server", async () => {
  await record({ subject: { id: "s7", name: "For ever" } });
  const { db } = store.deps;
  const change = db.updateTable("audit_log").set({ by_name: "Nobody" }).execute();
  await expect(change).rejects.toThrow("the audit log only grows");
  await expect(db.deleteFrom("audit_log").execute()).rejects.toThrow("the audit log only grows");
  expect(await subjects({ search: "for ever" })).toEqual(["For ever"]);
});

test("an entry is rolled back with its change", async () => {
  const user = { _id: "u1", fullName: "Asha", email: "a@store.example", phone: "", role: "admin" as const };
  const failing = transact(store.deps.db, async (trx) => {
    const ctx = { now: store.deps.now, actor: { kind: "user" as const, user } };
    await recordAudit(trx, ctx, { action: "contact.mark", subject: { id: "s8", name: "Undone" } });
    throw new Error("the change failed");
  });
  await expect(failing).rejects.toThrow("the change failed");
  expect(await subjects({ search: "undone" })).toEqual([]);
});
