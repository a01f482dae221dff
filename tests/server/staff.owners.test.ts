import { beforeAll, expect, test } from "vitest";
import { listStaffAccounts } from "#server/accounts/admin.service.ts";
import { LIMITS } from "#server/http/rate-limit.ts";
import { listStaff } from "#server/staff/staff.service.ts";
import type { StaffAccount } from "#shared/schemas/accounts.ts";
import { mailsTo } from "../factories/mails.ts";
import { payInFull, refundCash, reverseLast } from "../factories/payments.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import {
  changeStaff,
  invitationToken,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { logIn, newestCode, newStudent, signedInStudent } from "../factories/students.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let owner: StaffPerson;
let own: string;
let other: string;
let third: string;

beforeAll(async () => {
  [own, other, third = ""] = await shopIds(store);
  admin = await signedInAdmin(store);
  owner = await signedInOwner(store, [own]);
});

const account = {
  fullName: "Lakshmi Nair",
  phone: "",
  password: "a long pass phrase",
  confirmpassword: "a long pass phrase",
};

const inviteAs = ({ visitor }: StaffPerson, email: string, role: string, ...shopIds: string[]) =>
  visitor.mutate("staff.invite", { email, role, shopIds });

async function shopsOf({ visitor }: StaffPerson): Promise<string[]> {
  const { body } = await visitor.query("staff.myShops");
  return body.result.data.shops.map((shop: { id: string }) => shop.id);
}

async function people({ visitor }: StaffPerson) {
  return (await visitor.query("staff.list")).body.result.data;
}

const emailsOf = (rows: { email: string }[]) => rows.map(({ email }) => email);
const accept = (token: string) => store.visitor().mutate("staff.accept", { token, account });

test("an owner can invite to the counter of their own shop, and the mail says who and where", async () => {
  const { email } = newStudent();
  expect((await inviteAs(owner, email, "counter", own)).status).toBe(200);
  const [mail] = await mailsTo(store, email);
  const { name } = await store.deps.readDb
    .selectFrom("shops")
    .select("name")
    .where("id", "=", own)
    .executeTakeFirstOrThrow();
  expect(mail?.text).toContain(
    `${owner.person.fullName} invites you to work at the counter of ${name}: to print orders, take payments and hand orders over.`,
  );
  const visitor = store.visitor();
  const joined = await visitor.mutate("staff.accept", {
    token: await invitationToken(store, email),
    account,
  });
  expect(joined.body.result.data.role).toBe("counter");
  expect((await visitor.query("board.read", { shopId: own })).status).toBe(200);
  expect(codeOf(await visitor.query("board.read", { shopId: other }))).toBe("NOT_FOUND");
  expect(emailsOf((await people(owner)).people)).toContain(email);
});

test("an owner can invite neither to another role nor to another shop", async () => {
  for (const [role, ...ids] of [["owner", own], ["admin"], ["counter", other], ["counter", own, other]] as [
    string,
    ...string[],
  ][]) {
    const { email } = newStudent();
    expect([role, codeOf(await inviteAs(owner, email, role, ...ids))]).toEqual([role, "FORBIDDEN"]);
    expect(await mailsTo(store, email)).toEqual([]);
  }
  const counter = await signedInCounter(store, [own]);
  for (const duties of [
    { role: "owner", shopIds: [own] },
    { role: "admin", shopIds: [] },
    { role: "counter", shopIds: [own, other] },
  ]) {
    expect(codeOf(await changeStaff(owner.visitor, counter.userId, duties))).toBe("FORBIDDEN");
  }
  expect(await shopsOf(counter)).toEqual([own]);
});

test("an owner sees only the people of their own shops, and only those shops", async () => {
  const here = await signedInCounter(store, [own, other]);
  const there = await signedInCounter(store, [other]);
  // Of somebody who has invited to their shop an owner sees the name alone.
  await inviteAs(admin, newStudent().email, "counter", own);
  const seen = (await people(owner)).people;
  expect(emailsOf(seen)).toContain(here.person.email);
  expect(emailsOf(seen)).not.toContain(there.person.email);
  expect(emailsOf(seen)).not.toContain(admin.person.email);
  const row = seen.find(({ email }: { email: string }) => email === here.person.email);
  expect(row.shops.map(({ id }: { id: string }) => id)).toEqual([own]);
});

test("an owner's list of people gets no row of other shops", async () => {
  const { readDb, now } = store.deps;
  const [user] = await listStaffAccounts(readDb, [owner.userId]);
  const actor = { kind: "user" as const, user: user as StaffAccount, shops: [own] };
  async function countRows(): Promise<number> {
    let rows = 0;
    const counting = readDb.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows += result.rows.length;
        return result;
      },
    });
    await listStaff({ readDb: counting, now, actor });
    return rows;
  }
  const rows = await countRows();
  await signedInCounter(store, [other]);
  await inviteAs(admin, newStudent().email, "counter", other);
  expect(await countRows()).toBe(rows);
  await signedInCounter(store, [own]);
  expect(await countRows()).toBeGreaterThan(rows);
});

test("an owner can neither remove nor change another owner or an admin", async () => {
  const partner = await signedInOwner(store, [own]);
  const stranger = await signedInOwner(store, [other]);
  const counterElsewhere = await signedInCounter(store, [other]);
  const outcomes: [StaffPerson, string][] = [
    [partner, "FORBIDDEN"],
    [stranger, "NOT_FOUND"],
    [admin, "NOT_FOUND"],
    [counterElsewhere, "NOT_FOUND"],
  ];
  for (const [person, code] of outcomes) {
    const { userId } = person;
    expect(codeOf(await owner.visitor.mutate("staff.remove", { userId }))).toBe(code);
    const duties = { role: "counter", shopIds: [own] };
    const change = { userId, ...duties, base: duties };
    expect(codeOf(await owner.visitor.mutate("staff.change", change))).toBe(code);
    expect((await person.visitor.query("staff.myShops")).status).toBe(200);
  }
});

test("a person removed by an owner is logged out at once, and stays at the counter of other owners' shops", async () => {
  const both = await signedInCounter(store, [own, other]);
  await owner.visitor.mutate("staff.remove", { userId: both.userId });
  expect((await both.visitor.query("staff.myShops")).status).toBe(401);
  await logIn(both.visitor, both.person);
  expect(await shopsOf(both)).toEqual([other]);

  const one = await signedInCounter(store, [own]);
  await owner.visitor.mutate("staff.remove", { userId: one.userId });
  const { body } = await one.visitor.post("/api/v1/users/login", one.person);
  expect(body.data.role).toBe("customer");
});

test("an owner changing a person's shops does not affect shops of other owners", async () => {
  const both = await signedInCounter(store, [own, other]);
  const answer = await changeStaff(owner.visitor, both.userId, { role: "counter", shopIds: [own] });
  expect(answer.status).toBe(200);
  expect((await shopsOf(both)).sort()).toEqual([own, other].sort());
});

test("counter staff can join another shop by invitation, while an owner elsewhere keeps one role", async () => {
  const counter = await signedInCounter(store, [other]);
  await inviteAs(owner, counter.person.email, "counter", own);
  const token = await invitationToken(store, counter.person.email);
  expect((await store.visitor().mutate("staff.accept", { token })).status).toBe(200);
  expect((await shopsOf(counter)).sort()).toEqual([own, other].sort());
  expect((await inviteAs(owner, counter.person.email, "counter", own)).body.error.message).toBe(
    `${counter.person.fullName} already works there. Change their shops instead`,
  );

  const ofTwo = await signedInOwner(store, [own, third]);
  expect(codeOf(await inviteAs(ofTwo, counter.person.email, "counter", third, own))).toBe("CONFLICT");

  const elsewhere = await signedInOwner(store, [other]);
  expect((await inviteAs(owner, elsewhere.person.email, "counter", own)).status).toBe(200);
  const second = await invitationToken(store, elsewhere.person.email);
  expect(codeOf(await store.visitor().mutate("staff.accept", { token: second }))).toBe("CONFLICT");
  expect(await shopsOf(elsewhere)).toEqual([other]);
});

test("the invitations of an owner who is removed or loses the shop become invalid", async () => {
  for (const fall of [
    ({ userId }: StaffPerson) => admin.visitor.mutate("staff.remove", { userId }),
    ({ userId }: StaffPerson) => changeStaff(admin.visitor, userId, { role: "owner", shopIds: [other] }),
    ({ userId }: StaffPerson) => changeStaff(admin.visitor, userId, { role: "counter", shopIds: [own] }),
  ]) {
    const leaving = await signedInOwner(store, [own]);
    const { email } = newStudent();
    await inviteAs(leaving, email, "counter", own);
    const token = await invitationToken(store, email);
    await fall(leaving);
    expect(codeOf(await store.visitor().query("staff.invitation", { token }))).toBe("NOT_FOUND");
    expect(codeOf(await accept(token))).toBe("NOT_FOUND");
  }
});

test("the invitations of a former admin become invalid", async () => {
  const leaving = await signedInAdmin(store);
  const { email } = newStudent();
  await inviteAs(leaving, email, "admin");
  const token = await invitationToken(store, email);
  await admin.visitor.mutate("staff.remove", { userId: leaving.userId });
  expect(codeOf(await accept(token))).toBe("NOT_FOUND");
});

test("a removed person cannot return with an open invitation", async () => {
  const counter = await signedInCounter(store, [other]);
  await inviteAs(owner, counter.person.email, "counter", own);
  const token = await invitationToken(store, counter.person.email);
  await admin.visitor.mutate("staff.remove", { userId: counter.userId });
  expect(codeOf(await store.visitor().mutate("staff.accept", { token }))).toBe("NOT_FOUND");
});

test("a removed person cannot return with an older invitation by someone else or for several shops", async () => {
  for (const { ids, outcome, board } of [
    { ids: [own], outcome: "NOT_FOUND", board: "UNAUTHENTICATED" },
    // They come to the other shop only.
    { ids: [own, other], outcome: "done", board: "NOT_FOUND" },
  ]) {
    const { email } = newStudent();
    await inviteAs(admin, email, "counter", ...ids);
    const older = await invitationToken(store, email);
    store.clock.advance({ seconds: 1 });
    await inviteAs(owner, email, "counter", own);
    const visitor = store.visitor();
    const joined = await visitor.mutate("staff.accept", {
      token: await invitationToken(store, email),
      account,
    });
    expect(joined.status).toBe(200);
    const { _id: userId } = joined.body.result.data;
    expect((await owner.visitor.mutate("staff.remove", { userId })).status).toBe(200);

    const back = store.visitor();
    const accepted = await back.mutate("staff.accept", {
      token: older,
      newPassword: { password: "another long phrase", confirmpassword: "another long phrase" },
    });
    expect(codeOf(accepted)).toBe(outcome);
    expect(codeOf(await back.query("board.read", { shopId: own }))).toBe(board);
  }
});

test("a removed person cannot return with an unused invitation to another role", async () => {
  for (const shopId of [own, other]) {
    const { email } = newStudent();
    await inviteAs(admin, email, "owner", shopId);
    const older = await invitationToken(store, email);
    store.clock.advance({ seconds: 1 });
    await inviteAs(owner, email, "counter", own);
    const joined = await accept(await invitationToken(store, email));
    const { _id: userId } = joined.body.result.data;
    await owner.visitor.mutate("staff.remove", { userId });
    expect(codeOf(await accept(older))).toBe("NOT_FOUND");
  }
});

test("a removed person cannot return with an invitation to the e-mail that they had before", async () => {
  const counter = await signedInCounter(store, [other]);
  const { person, visitor, userId } = counter;
  await inviteAs(owner, person.email, "counter", own);
  const token = await invitationToken(store, person.email);
  const { email } = newStudent();
  await visitor.mutate("accounts.requestEmailCode", { email, password: person.password });
  const verifyCode = await newestCode(store, email);
  expect((await visitor.mutate("accounts.confirmEmail", { verifyCode })).status).toBe(200);
  await admin.visitor.mutate("staff.remove", { userId });
  expect(codeOf(await accept(token))).toBe("NOT_FOUND");
});

test("joining or losing one shop keeps the invitation to another", async () => {
  const { email } = newStudent();
  await inviteAs(admin, email, "counter", own, other);
  const older = await invitationToken(store, email);
  store.clock.advance({ seconds: 1 });
  await inviteAs(owner, email, "counter", own);
  await accept(await invitationToken(store, email));
  const { invitations } = await people(admin);
  expect(invitations.filter((one: { email: string }) => one.email === email)).toMatchObject([
    { role: "counter", shops: [{ id: other }] },
  ]);
  const visitor = store.visitor();
  expect((await visitor.mutate("staff.accept", { token: older })).status).toBe(200);
  expect((await visitor.query("board.read", { shopId: other })).status).toBe(200);
  expect((await visitor.query("board.read", { shopId: own })).status).toBe(200);
});

test("a change of shops, and a removal by an owner, keep the invitations to other shops", async () => {
  const counter = await signedInCounter(store, [own]);
  const { userId, person } = counter;
  await inviteAs(await signedInOwner(store, [other]), person.email, "counter", other);
  const token = await invitationToken(store, person.email);
  const isKept = async () => (await store.visitor().query("staff.invitation", { token })).status === 200;
  await changeStaff(admin.visitor, userId, { role: "counter", shopIds: [third] });
  expect(await isKept()).toBe(true);
  await changeStaff(admin.visitor, userId, { role: "counter", shopIds: [own] });
  await owner.visitor.mutate("staff.remove", { userId });
  expect(await isKept()).toBe(true);
});

test("a person who loses a shop cannot regain it with an open invitation", async () => {
  const counter = await signedInCounter(store, [other]);
  const partner = await signedInOwner(store, [own]);
  await inviteAs(owner, counter.person.email, "counter", own);
  const first = await invitationToken(store, counter.person.email);
  store.clock.advance({ seconds: 1 });
  await inviteAs(partner, counter.person.email, "counter", own);
  await store.visitor().mutate("staff.accept", { token: await invitationToken(store, counter.person.email) });
  await changeStaff(admin.visitor, counter.userId, { role: "counter", shopIds: [other] });
  await store.visitor().mutate("staff.accept", { token: first });
  expect(await shopsOf(counter)).toEqual([other]);
});

test("a person who loses a shop that an admin gave them cannot regain it with an open invitation", async () => {
  const counter = await signedInCounter(store, [other]);
  await inviteAs(owner, counter.person.email, "counter", own);
  const token = await invitationToken(store, counter.person.email);
  for (const shopIds of [[own, other], [other]])
    await changeStaff(admin.visitor, counter.userId, { role: "counter", shopIds });
  await store.visitor().mutate("staff.accept", { token });
  expect(await shopsOf(counter)).toEqual([other]);
});

test("an owner's invitation does not cancel another person's to the same address", async () => {
  const { email } = newStudent();
  await inviteAs(admin, email, "owner", other);
  const token = await invitationToken(store, email);
  expect((await inviteAs(owner, email, "counter", own)).status).toBe(200);
  expect((await store.visitor().query("staff.invitation", { token })).body.result.data.role).toBe("owner");
});

test("an owner can resend and withdraw only invitations to their own shops", async () => {
  const { email } = newStudent();
  await inviteAs(admin, email, "counter", own, other);
  const seen = (await people(owner)).invitations.find((row: { email: string }) => row.email === email);
  expect(seen).toMatchObject({ isYours: false, shops: [{ id: own }] });
  for (const call of ["staff.reinvite", "staff.withdraw"]) {
    expect(codeOf(await owner.visitor.mutate(call, { id: seen.id }))).toBe("NOT_FOUND");
  }
});

test("sending a colleague's invitation again leaves one's own to the same person", async () => {
  const { email } = newStudent();
  const partner = await signedInOwner(store, [own]);
  await inviteAs(owner, email, "counter", own);
  await inviteAs(partner, email, "counter", own);
  type Row = { id: string; email: string; invitedBy: string };
  const pending = async (): Promise<Row[]> =>
    (await people(owner)).invitations.filter((row: Row) => row.email === email);
  const inviters = [owner, partner].map(({ person }) => person.fullName).toSorted();
  const theirs = (await pending()).find(({ invitedBy }) => invitedBy === partner.person.fullName);
  expectDone(await owner.visitor.mutate("staff.reinvite", { id: theirs?.id }));
  expect((await pending()).map(({ invitedBy }) => invitedBy).toSorted()).toEqual(inviters);
});

test("an owner may send a limited number of invitations a day, and few to one address", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const [shop] = await shopIds(limited);
  const [busy, partner] = [await signedInOwner(limited, [shop]), await signedInOwner(limited, [shop])];
  const { invitingOwner, invitingRecipient } = LIMITS;
  const { email } = newStudent();
  const send = async (from: StaffPerson, to: string, times: number) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < times; sent++) {
      statuses.push((await inviteAs(from, to, "counter", shop)).status);
    }
    return statuses;
  };
  expect(await send(busy, email, invitingRecipient.points)).toEqual(
    Array(invitingRecipient.points).fill(200),
  );
  expect(await send(partner, email, 1)).toEqual([429]);
  const left = invitingOwner.points - invitingRecipient.points;
  for (let sent = 0; sent < left; sent++) {
    expect(await send(busy, newStudent().email, 1)).toEqual([200]);
  }
  expect(await send(busy, newStudent().email, 1)).toEqual([429]);
  expect(await send(partner, newStudent().email, 1)).toEqual([200]);
});

test("counter staff can take payments, but not refund them", async () => {
  const counter = await signedInCounter(store, [own]);
  const { visitor, student } = await signedInStudent(store);
  const order = await placeAnother(visitor, student, own);
  const paid = (staff: StaffPerson, is: boolean) =>
    is ? payInFull(staff.visitor, order.id) : reverseLast(staff.visitor, order.id);
  const cancel = (staff: StaffPerson, orderId: string) =>
    staff.visitor.mutate("board.cancel", { orderId, from: "placed", reason: "No toner" });
  expect((await paid(counter, true)).status).toBe(200);
  expect(codeOf(await paid(counter, false))).toBe("FORBIDDEN");
  expect(codeOf(await refundCash(counter.visitor, order.id, 100))).toBe("FORBIDDEN");
  expect(codeOf(await cancel(counter, order.id))).toBe("FORBIDDEN");
  expect((await paid(owner, false)).status).toBe(200);
  expect((await cancel(counter, order.id)).status).toBe(200);

  const second = await placeAnother(visitor, student, own);
  await payInFull(counter.visitor, second.id);
  expect((await cancel(owner, second.id)).status).toBe(200);
});

test("an owner can read in the audit log what they did with their staff", async () => {
  const [counter, shared] = [await signedInCounter(store, [own]), await signedInCounter(store, [own, other])];
  for (const { userId } of [counter, shared]) await owner.visitor.mutate("staff.remove", { userId });
  const linesAbout = async ({ person }: StaffPerson) =>
    (await owner.visitor.query("audit.list", { search: person.fullName })).body.result.data.rows;
  expect(await linesAbout(counter)).toContainEqual(
    expect.objectContaining({ action: "staff.remove", before: expect.objectContaining({ role: "counter" }) }),
  );
  const line = expect.objectContaining({
    action: "staff.remove",
    subject: shared.person.fullName,
    shopId: own,
  });
  expect(await linesAbout(shared)).toContainEqual(line);
  const { name: hidden } = await store.deps.readDb
    .selectFrom("shops")
    .select("name")
    .where("id", "=", other)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(await linesAbout(shared))).not.toContain(hidden);
});
