import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import {
  invitationToken,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInOwner,
} from "../factories/staff.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let admin: StaffPerson;
let shops: [string, string, ...string[]];

beforeAll(async () => {
  store = await startTestStore();
  admin = await signedInAdmin(store);
  shops = await shopIds(store);
});
afterAll(() => store.stop());
// Some tests wait for days, longer than a proof of identity lasts.
beforeEach(async () => {
  await admin.visitor.post("/api/v1/users/login", admin.person);
});

const account = (phone = "") => ({
  fullName: "Ravi Kumar",
  phone,
  password: "a long pass phrase",
  confirmpassword: "a long pass phrase",
});

async function invite(email: string, duties = { role: "owner", shopIds: [shops[0]] }) {
  const answer = await admin.visitor.mutate("staff.invite", { email, ...duties });
  expect(answer.status).toBe(200);
  return invitationToken(store, email);
}

const codeOf = ({ body }: { body: { error?: { data: { appCode: string } } } }) => body.error?.data.appCode;

test("an invited person creates an account with the mailed link and is logged in to their shops", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  const visitor = store.visitor();
  expect((await visitor.query("staff.invitation", { token })).body.result.data).toMatchObject({
    email,
    role: "owner",
    shops: [expect.any(String)],
    fullName: null,
  });
  const accepted = await visitor.mutate("staff.accept", { token, account: account() });
  expect(accepted.body.result.data).toMatchObject({ email, role: "owner", phone: "" });
  const mine = await visitor.query("staff.myShops");
  expect(mine.body.result.data.map((shop: { id: string }) => shop.id)).toEqual([shops[0]]);
});

test("a link works once", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  await store.visitor().mutate("staff.accept", { token, account: account() });
  const second = await store.visitor().mutate("staff.accept", { token, account: account() });
  expect(codeOf(second)).toBe("NOT_FOUND");
});

test("of two people who use one link at the same moment one gets an account", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  const answers = await Promise.all(
    [1, 2].map(() => store.visitor().mutate("staff.accept", { token, account: account() })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test("a link works for seven days", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  store.clock.advance({ days: 7, ms: -1 });
  expect((await store.visitor().query("staff.invitation", { token })).status).toBe(200);
  store.clock.advance({ ms: 1 });
  expect(codeOf(await store.visitor().query("staff.invitation", { token }))).toBe("NOT_FOUND");
  expect(codeOf(await store.visitor().mutate("staff.accept", { token, account: account() }))).toBe(
    "NOT_FOUND",
  );
});

test("sending an invitation again creates a new link and ends the old one", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  const { invitations } = (await admin.visitor.query("staff.list")).body.result.data;
  const { id } = invitations.find((invitation: { email: string }) => invitation.email === email);
  store.clock.advance({ seconds: 1 });
  await admin.visitor.mutate("staff.reinvite", { id });
  expect(codeOf(await store.visitor().query("staff.invitation", { token }))).toBe("NOT_FOUND");
  const fresh = await invitationToken(store, email);
  expect((await store.visitor().query("staff.invitation", { token: fresh })).status).toBe(200);
});

test("a withdrawn invitation no longer works", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  const { invitations } = (await admin.visitor.query("staff.list")).body.result.data;
  const { id } = invitations.find((invitation: { email: string }) => invitation.email === email);
  await admin.visitor.mutate("staff.withdraw", { id });
  expect(codeOf(await store.visitor().mutate("staff.accept", { token, account: account() }))).toBe(
    "NOT_FOUND",
  );
  expect(codeOf(await admin.visitor.mutate("staff.withdraw", { id }))).toBe("NOT_FOUND");
});

test("an invited student keeps their account, with a new password", async () => {
  const { student } = await signedInStudent(store);
  const token = await invite(student.email);
  const visitor = store.visitor();
  const news = await visitor.query("staff.invitation", { token });
  expect(news.body.result.data.fullName).toBe(student.fullName);
  const newPassword = { password: "a long pass phrase", confirmpassword: "a long pass phrase" };
  const accepted = await visitor.mutate("staff.accept", { token, newPassword });
  expect(accepted.body.result.data).toMatchObject({ fullName: student.fullName, role: "owner" });
  expect((await store.visitor().post("/api/v1/users/login", { ...student, ...newPassword })).status).toBe(
    200,
  );
});

test("an unverified sign-up is replaced by the invited person", async () => {
  const student = newStudent();
  await register(store.visitor(), student);
  const token = await invite(student.email);
  const accepted = await store.visitor().mutate("staff.accept", { token, account: account(student.phone) });
  expect(accepted.body.result.data).toMatchObject({ fullName: "Ravi Kumar", phone: student.phone });
});

test("a new account needs a name and a password, and the link works after a refusal", async () => {
  const token = await invite(newStudent().email);
  expect(codeOf(await store.visitor().mutate("staff.accept", { token }))).toBe("INVALID_INPUT");
  expect((await store.visitor().mutate("staff.accept", { token, account: account() })).status).toBe(200);
});

test("a used phone number is refused, and the link works after that", async () => {
  const { student } = await signedInStudent(store);
  const token = await invite(newStudent().email);
  const refused = await store.visitor().mutate("staff.accept", { token, account: account(student.phone) });
  expect(refused.body.error.message).toBe("An account with this mobile number already exists. Please login");
  expect((await store.visitor().mutate("staff.accept", { token, account: account() })).status).toBe(200);
});

test("a member of the staff cannot be invited", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  const answer = await admin.visitor.mutate("staff.invite", {
    email: owner.person.email,
    role: "admin",
    shopIds: [],
  });
  expect(answer.body.error.message).toBe(
    `${owner.person.fullName} is already on the staff. Change their role or shops instead`,
  );
});

test("an owner must be invited to at least one shop, all of which exist", async () => {
  for (const shopIds of [[], ["no-such-shop"]]) {
    const { email } = newStudent();
    const answer = await admin.visitor.mutate("staff.invite", { email, role: "owner", shopIds });
    expect(codeOf(answer)).toBe("INVALID_INPUT");
    expect(await mailsTo(store, email)).toEqual([]);
  }
});

test("only the hash of a link's token is stored", async () => {
  const token = await invite(newStudent().email);
  const rows = await store.deps.readDb.selectFrom("staff_invitations").select("token_hash").execute();
  expect(rows.map((row) => row.token_hash)).not.toContain(token);
});
