import { beforeAll, beforeEach, expect, test } from "vitest";
import { sha256 } from "#server/lib/crypto.ts";
import { deleteEndedInvitations } from "#server/staff/invitations.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import {
  changeStaff,
  invitationToken,
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { logIn, newStudent, register, signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let shops: [string, string, ...string[]];

beforeAll(async () => {
  admin = await signedInAdmin(store);
  shops = await shopIds(store);
});
// Some tests wait for days, longer than a proof of identity lasts.
beforeEach(async () => {
  await logIn(admin.visitor, admin.person);
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

async function nameOf(shopId: string): Promise<string> {
  const shop = store.deps.readDb.selectFrom("shops").select("name").where("id", "=", shopId);
  return (await shop.executeTakeFirstOrThrow()).name;
}

test("an invited person creates an account with the mailed link and is logged in to their shops", async () => {
  const { email } = newStudent();
  const token = await invite(email);
  const visitor = store.visitor();
  expect((await visitor.query("staff.invitation", { token })).body.result.data).toMatchObject({
    email,
    role: "owner",
    shops: [await nameOf(shops[0])],
    fullName: null,
    asksNewPassword: false,
  });
  const accepted = await visitor.mutate("staff.accept", { token, account: account() });
  expect(accepted.body.result.data).toMatchObject({ email, role: "owner", phone: "" });
  const mine = await visitor.query("staff.myShops");
  expect(mine.body.result.data.shops.map((shop: { id: string }) => shop.id)).toEqual([shops[0]]);
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

test("an invitation ends with the last shop that it is for", async () => {
  const [one, two] = [await shownShop(admin.visitor), await shownShop(admin.visitor)];
  const { email } = newStudent();
  const token = await invite(email, { role: "counter", shopIds: [one.id, two.id] });
  const named = async () => {
    const { body } = await store.visitor().query("staff.invitation", { token });
    return body.result?.data.shops ?? body.error.data.appCode;
  };
  expectDone(await admin.visitor.mutate("shops.admin.remove", { shopId: one.id }));
  expect(await named()).toEqual([two.shopName]);
  expectDone(await admin.visitor.mutate("shops.admin.remove", { shopId: two.id }));
  expect(await named()).toBe("NOT_FOUND");
});

test("an invited student keeps their account, with a new password", async () => {
  const { student } = await signedInStudent(store);
  const token = await invite(student.email);
  const visitor = store.visitor();
  const news = await visitor.query("staff.invitation", { token });
  expect(news.body.result.data).toMatchObject({ fullName: student.fullName, asksNewPassword: true });
  const newPassword = { password: "a long pass phrase", confirmpassword: "a long pass phrase" };
  const recorded = await auditing();
  const accepted = await visitor.mutate("staff.accept", { token, newPassword });
  expect(accepted.body.result.data).toMatchObject({ fullName: student.fullName, role: "owner" });
  const asOwner = JSON.stringify({ role: "owner", shops: [await nameOf(shops[0])] });
  expect(await recorded()).toEqual([
    [
      "staff.accept",
      accepted.body.result.data._id,
      student.fullName,
      shops[0],
      JSON.stringify({ role: "customer" }),
      asOwner,
    ],
  ]);
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
  expect(refused.body.error.message).toBe("An account with this mobile number already exists. Please log in");
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

test("a link is neither a confirmation nor a second factor for somebody who is on the staff already", async () => {
  const counter = await signedInCounter(store, [shops[1]]);
  const inviteAsOwnerOf = async (shopId: string) => {
    const owner = await signedInOwner(store, [shopId]);
    store.clock.advance({ seconds: 1 });
    const duties = { email: counter.person.email, role: "counter", shopIds: [shopId] };
    expect((await owner.visitor.mutate("staff.invite", duties)).status).toBe(200);
    return invitationToken(store, counter.person.email);
  };
  const browser = store.visitor();
  const first = await inviteAsOwnerOf(shops[0]);
  expect((await browser.mutate("staff.accept", { token: first })).status).toBe(200);
  expect(codeOf(await browser.mutate("accounts.startPasskey"))).toBe("CONFIRMATION_REQUIRED");

  await browser.mutate("accounts.confirm", { password: counter.person.password });
  const options = (await browser.mutate("accounts.startPasskey")).body.result.data;
  const passkey = new SoftwareKey().create(options, { origin: store.url });
  expect((await browser.mutate("accounts.addPasskey", { name: "PC", passkey })).status).toBe(200);
  const another = store.visitor();
  const second = await inviteAsOwnerOf(shops[2] ?? "");
  expect(codeOf(await another.mutate("staff.accept", { token: second }))).toBe("SECOND_FACTOR_REQUIRED");
  expect((await another.query("accounts.me")).body.result.data).toBeNull();
});

/** What was written to the audit log since this call: what, by whom, of whom, about which shop, before and after. */
async function auditing(): Promise<() => Promise<unknown[]>> {
  const entries = () => store.deps.readDb.selectFrom("audit_log").selectAll().orderBy("id").execute();
  const { length } = await entries();
  return async () =>
    (await entries())
      .slice(length)
      .map((row) => [row.action, row.by_user_id, row.subject_name, row.shop_id, row.before, row.after]);
}

test("each step of an invitation is written to the audit log, for the owners of its shop, or for admins if there are several", async () => {
  const owner = await signedInOwner(store, [shops[0]]);
  const { email } = newStudent();
  const masked = email.replace(/(?<=^..)[^@]*/, "•••");
  const idOf = async () => {
    const { invitations } = (await owner.visitor.query("staff.list")).body.result.data;
    return invitations.find((each: { email: string }) => each.email === email)?.id;
  };
  const recorded = await auditing();
  const duties = { email, role: "counter", shopIds: [shops[0]] };
  await owner.visitor.mutate("staff.invite", duties);
  store.clock.advance({ seconds: 1 });
  await owner.visitor.mutate("staff.reinvite", { id: await idOf() });
  await owner.visitor.mutate("staff.withdraw", { id: await idOf() });
  store.clock.advance({ seconds: 1 });
  await owner.visitor.mutate("staff.invite", duties);
  const token = await invitationToken(store, email);
  const joined = await store.visitor().mutate("staff.accept", { token, account: account() });
  const { _id: userId } = joined.body.result.data;
  await changeStaff(admin.visitor, userId, { role: "counter", shopIds: [shops[0], shops[1]] });

  const [one, two] = [await nameOf(shops[0]), await nameOf(shops[1])];
  const asCounter = JSON.stringify({ role: "counter", shops: [one] });
  expect(await recorded()).toEqual([
    ["staff.invite", owner.userId, masked, shops[0], null, asCounter],
    ["staff.reinvite", owner.userId, masked, shops[0], null, asCounter],
    ["staff.withdraw", owner.userId, masked, shops[0], '{"role":"counter"}', null],
    ["staff.invite", owner.userId, masked, shops[0], null, asCounter],
    [
      "staff.accept",
      userId,
      "Ravi Kumar",
      shops[0],
      null,
      JSON.stringify({ email: masked, role: "counter", shops: [one] }),
    ],
    [
      "staff.change",
      admin.userId,
      "Ravi Kumar",
      null,
      JSON.stringify({ shops: [one] }),
      JSON.stringify({ shops: [one, two] }),
    ],
  ]);
});

test("the list of staff names who invited, and says which invitations no longer work until they are sent again", async () => {
  const [leaving, owner] = [await signedInAdmin(store), await signedInOwner(store, [shops[0]])];
  const [early, late, orphan] = [newStudent().email, newStudent().email, newStudent().email];
  const duties = { role: "counter", shopIds: [shops[0]] };
  await invite(early, duties);
  await leaving.visitor.mutate("staff.invite", { email: orphan, ...duties });
  store.clock.advance({ days: 7, ms: -1 });
  await logInAgain(admin, owner);
  await owner.visitor.mutate("staff.invite", { email: late, ...duties });
  const seen = async (email: string) => {
    const { invitations } = (await admin.visitor.query("staff.list")).body.result.data;
    const found = invitations.find((each: { email: string }) => each.email === email);
    return [found.invitedBy, found.expired];
  };
  expect(await seen(early)).toEqual([admin.person.fullName, false]);
  expect(await seen(orphan)).toEqual([leaving.person.fullName, false]);
  await admin.visitor.mutate("staff.remove", { userId: leaving.userId });
  expect(await seen(orphan)).toEqual(["a former colleague", true]);
  store.clock.advance({ ms: 1 });
  expect(await seen(early)).toEqual([admin.person.fullName, true]);
  expect(await seen(late)).toEqual([owner.person.fullName, false]);

  const { people, invitations } = (await admin.visitor.query("staff.list")).body.result.data;
  const names = people.map(({ fullName }: { fullName: string }) => fullName);
  expect(names).toEqual(names.toSorted());
  expect(invitations[0].email).toBe(late);

  const { id } = invitations.find(({ email }: { email: string }) => email === orphan);
  expectDone(await admin.visitor.mutate("staff.reinvite", { id }));
  expect(await seen(orphan)).toEqual([admin.person.fullName, false]);
  const token = await invitationToken(store, orphan);
  expect((await store.visitor().query("staff.invitation", { token })).status).toBe(200);
});

test("an invitation is forgotten thirty days after its end, with its mail unless the person has an account", async () => {
  const [stranger, { student }] = [newStudent().email, await signedInStudent(store)];
  for (const email of [stranger, student.email]) await invite(email);
  const left = async () => {
    await deleteEndedInvitations(store.deps);
    const { invitations } = expectDone(await admin.visitor.query("staff.list"));
    const emails = invitations.map((each: { email: string }) => each.email);
    return Promise.all(
      [stranger, student.email].map(async (email) => {
        const mails = await mailsTo(store, email);
        return [emails.includes(email), mails.some(({ kind }) => kind === "staff-invitation")];
      }),
    );
  };
  store.clock.advance({ days: 37, ms: -1 });
  await logInAgain(admin);
  expect(await left()).toEqual([
    [true, true],
    [true, true],
  ]);
  store.clock.advance({ ms: 1 });
  expect(await left()).toEqual([
    [false, false],
    [false, true],
  ]);
});

test("the mails to a person with a later invitation stay when an earlier one is forgotten", async () => {
  const [{ email }, other] = [newStudent(), await signedInAdmin(store)];
  await invite(email);
  store.clock.advance({ days: 1 });
  await logInAgain(other);
  const duties = { role: "owner", shopIds: [shops[0]] };
  expectDone(await other.visitor.mutate("staff.invite", { email, ...duties }));
  store.clock.advance({ days: 36 });
  await deleteEndedInvitations(store.deps);
  const left = store.deps.readDb.selectFrom("staff_invitations").select("invited_by");
  expect(await left.where("email", "=", email).execute()).toEqual([{ invited_by: other.userId }]);
  expect(await mailsTo(store, email)).toHaveLength(2);
  store.clock.advance({ days: 1 });
  await deleteEndedInvitations(store.deps);
  expect(await mailsTo(store, email)).toHaveLength(0);
});

test("only the hash of a link's token is stored", async () => {
  const token = await invite(newStudent().email);
  const rows = await store.deps.readDb.selectFrom("staff_invitations").selectAll().execute();
  expect(rows.map(({ token_hash }) => token_hash)).toContain(sha256(token));
  expect(JSON.stringify(rows)).not.toContain(token);
});
