import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { expectDone, shownShop } from "../factories/shops.ts";
import {
  changeStaff,
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { logIn, signedInStudent, visitorAs } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let shops: [string, string, ...string[]];

beforeAll(async () => {
  admin = await signedInAdmin(store);
  shops = await shopIds(store);
});

const change = (userId: string, role: string, ...ids: string[]) =>
  changeStaff(admin.visitor, userId, { role, shopIds: ids });

async function myShops({ visitor }: StaffPerson): Promise<string[]> {
  const { body } = await visitor.query("staff.myShops");
  return body.result.data.shops.map((shop: { id: string }) => shop.id);
}

test("a change of an owner's shops applies to their next call, in the same session", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  expect(await myShops(owner)).toEqual([shops[0]]);
  await change(owner.userId, "owner", shops[1]);
  expect(await myShops(owner)).toEqual([shops[1]]);
});

test("shops that somebody else gave a person meanwhile are not taken back by a form that does not show them", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  const { userId } = owner;
  const shown = { role: "owner", shopIds: [shops[0]] };
  const save = (shopIds: (string | undefined)[], base: object) =>
    admin.visitor.mutate("staff.change", { userId, role: "owner", shopIds, base });
  const other = await signedInAdmin(store);
  expectDone(await changeStaff(other.visitor, userId, shown));
  store.clock.advance({ seconds: 1 });
  expect((await save([shops[0], shops[1]], shown)).status).toBe(200);
  store.clock.advance({ seconds: 1 });
  // Not a save of what the late one edits.
  expectDone(await other.visitor.mutate("staff.resetSecondFactor", { userId }));
  await logInAgain(owner);

  const late = await save([shops[0], shops[2]], shown);
  expect(late.status).toBe(409);
  expect(late.body.error.message).toBe(
    `${admin.person.fullName} saved the role and shops of ${owner.person.fullName} while you were editing them. Please look again`,
  );
  expect((await save([shops[1], shops[0]], shown)).status).toBe(200);
  expect((await myShops(owner)).toSorted()).toEqual([shops[0], shops[1]].toSorted());
  expect((await save([shops[2]], { role: "owner", shopIds: [shops[1], shops[0]] })).status).toBe(200);
  expect(await myShops(owner)).toEqual([shops[2]]);
});

test("an owner who is late with a role is told who was first only where their audit log says it", async () => {
  const [here, there] = shops;
  const owner = await signedInOwner(store, [here, there]);
  const late = async (userId: string, input: object) => {
    const { body } = await owner.visitor.mutate("staff.change", { userId, role: "counter", ...input });
    return body.error.message;
  };
  const demoted = await signedInOwner(store, [here]);
  await change(demoted.userId, "counter", here);
  const named = { shopIds: [there], base: { role: "owner", shopIds: [here] } };
  expect(await late(demoted.userId, named)).toMatch(new RegExp(`^${admin.person.fullName} saved the role`));
  // Admins alone see entries about several shops.
  const moved = await signedInCounter(store, [here]);
  await change(moved.userId, "counter", there);
  const unnamed = { shopIds: [here], base: { role: "counter", shopIds: [here] } };
  expect(await late(moved.userId, unnamed)).toMatch(/^Someone else saved the role/);
});

test("an owner who becomes an admin is logged out, and sees every shop after the next login", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  await change(owner.userId, "admin");
  expect((await owner.visitor.query("staff.myShops")).status).toBe(401);
  await logIn(owner.visitor, owner.person);
  expect(await myShops(owner)).toEqual(shops);
  expect((await owner.visitor.query("staff.list")).status).toBe(200);
});

test("a removed person is logged out everywhere at once and becomes a customer", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  const isListed = async () => {
    const { people } = (await admin.visitor.query("staff.list")).body.result.data;
    return people.some(({ _id }: { _id: string }) => _id === owner.userId);
  };
  expect(await isListed()).toBe(true);
  const second = await visitorAs(store, owner.person);
  await admin.visitor.mutate("staff.remove", { userId: owner.userId });
  expect(await isListed()).toBe(false);
  for (const visitor of [owner.visitor, second]) {
    expect((await visitor.query("staff.myShops")).status).toBe(401);
    expect((await visitor.query("accounts.me")).body.result.data).toBeNull();
  }
  const { body } = await owner.visitor.post("/api/v1/users/login", owner.person);
  expect(body.data.role).toBe("customer");
  expect((await owner.visitor.query("staff.myShops")).status).toBe(403);
});

test("an admin who becomes an owner is logged out", async () => {
  const second = await signedInAdmin(store);
  await change(second.userId, "owner", shops[0]);
  expect((await second.visitor.query("staff.list")).status).toBe(401);
});

test("nobody can change or remove themselves", async () => {
  for (const answer of [
    await change(admin.userId, "owner", shops[0]),
    await admin.visitor.mutate("staff.remove", { userId: admin.userId }),
  ]) {
    expect(answer.status).toBe(409);
  }
  expect((await admin.visitor.query("staff.list")).status).toBe(200);
});

test("a student's role cannot be changed here", async () => {
  const { student } = await signedInStudent(store);
  const { id } = await store.deps.readDb
    .selectFrom("users")
    .select("id")
    .where("email", "=", student.email)
    .executeTakeFirstOrThrow();
  const admins = { role: "admin", shopIds: [] };
  const answer = await admin.visitor.mutate("staff.change", { userId: id, ...admins, base: admins });
  expect(answer.status).toBe(404);
});

test("each change of a role is written to the audit log, before and after", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  await change(owner.userId, "owner", shops[0], shops[1]);
  await admin.visitor.mutate("staff.remove", { userId: owner.userId });
  const rows = await store.deps.readDb
    .selectFrom("audit_log")
    .selectAll()
    .where("subject_id", "=", owner.userId)
    .execute();
  const byAction = new Map(rows.map((row) => [row.action, row]));
  const changed = byAction.get("staff.change");
  expect(changed?.by_email).toBe(admin.person.email.replace(/(?<=^..)[^@]*/, "•••"));
  expect(JSON.parse(changed?.before ?? "").shops).toHaveLength(1);
  expect(JSON.parse(changed?.after ?? "").shops).toHaveLength(2);
  const removed = byAction.get("staff.remove");
  expect(JSON.parse(removed?.before ?? "")).toMatchObject({ role: "owner" });
  expect(removed?.after).toBeNull();
});

test("everybody's shops are listed in the order of their names", async () => {
  const ids = [randomUUID(), randomUUID()].toSorted();
  for (const [at, shopName] of ["Zenith Prints", "Apex Prints"].entries())
    await shownShop(admin.visitor, undefined, { id: ids[at] ?? "", shopName });
  const { userId } = await signedInCounter(store, ids);
  const { people } = expectDone(await admin.visitor.query("staff.list"));
  const { shops } = people.find(({ _id }: { _id: string }) => _id === userId);
  expect(shops.map(({ name }: { name: string }) => name)).toEqual(["Apex Prints", "Zenith Prints"]);
});
