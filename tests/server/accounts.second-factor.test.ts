import { TOTP } from "otpauth";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  consumeTotpStep,
  deleteExpiredPending,
  findTotpSecret,
} from "#server/accounts/second-factor.queries.ts";
import { pseudonym, SECURITY_EVENTS, type SecurityEvent } from "#server/lib/log.ts";
import { mailsTo } from "../factories/mails.ts";
import { codeOf } from "../factories/shops.ts";
import {
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { newestCode, signedInStudent, visitorAs } from "../factories/students.ts";
import { ApiClient } from "../setup/api-client.ts";
import { freePort } from "../setup/free-port.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore({ RATE_LIMIT_SCALE: "1" });
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});

const LOGIN = "/api/v1/users/login";
const codeFor = (secret: string) => new TOTP({ secret }).generate({ timestamp: store.clock.now().getTime() });
const isSignedIn = async (visitor: ApiClient) =>
  (await visitor.query("accounts.me")).body.result.data !== null;
const nextStep = () => store.clock.advance({ seconds: 30 });

async function enrol(visitor: ApiClient): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, enrolment } = (await visitor.mutate("accounts.startTotp")).body.result.data;
  const added = await visitor.mutate("accounts.addTotp", { enrolment, code: codeFor(secret) });
  expect(added.status).toBe(200);
  return { secret, recoveryCodes: added.body.result.data.recoveryCodes };
}

async function withTotp(logIn = () => signedInOwner(store, [shopId])) {
  const staff = await logIn();
  return { ...staff, ...(await enrol(staff.visitor)) };
}

/** A browser in which the right password was entered. */
async function halfway(person: StaffPerson["person"]): Promise<ApiClient> {
  const visitor = store.visitor();
  expect(codeOf(await visitor.post(LOGIN, person))).toBe("SECOND_FACTOR_REQUIRED");
  return visitor;
}
const finish = (visitor: ApiClient, code: string) => visitor.mutate("accounts.finishLogin", { code });

describe("an authenticator app", () => {
  test.each([
    ["counter staff", () => signedInCounter(store, [shopId])],
    ["an owner", () => signedInOwner(store, [shopId])],
    ["an admin", () => signedInAdmin(store)],
  ])("of %s is required after the password, which alone opens no session", async (_role, logIn) => {
    const { person, secret } = await withTotp(logIn);
    const visitor = await halfway(person);
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await visitor.query("accounts.pendingLogin")).body.result.data).toEqual({
      email: person.email,
      step: "verify",
      hasTotp: true,
      hasPasskey: false,
    });
    expect(codeOf(await visitor.query("staff.myShops"))).toBe("UNAUTHENTICATED");

    nextStep();
    expect(codeOf(await finish(visitor, "000000"))).toBe("INVALID_INPUT");
    expect((await finish(visitor, codeFor(secret))).body.result.data).toMatchObject({ email: person.email });
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test("is required after a mailed code too, and survives a password reset", async () => {
    const { person, secret } = await withTotp();
    store.clock.advance({ minutes: 1 });
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/generate-otp-for-login", { email: person.email });
    const verifyCode = await newestCode(store, person.email);
    const answer = await visitor.post("/api/v1/users/login-with-otp", { email: person.email, verifyCode });
    expect([answer.status, codeOf(answer)]).toEqual([403, "SECOND_FACTOR_REQUIRED"]);
    expect(await isSignedIn(visitor)).toBe(false);

    store.clock.advance({ minutes: 1 });
    await visitor.post("/api/v1/users/fpmail", { email: person.email });
    const [mail] = await mailsTo(store, person.email);
    const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    const password = "a staple and a clip";
    const reset = await visitor.post("/api/v1/users/reset-password", {
      token,
      password,
      confirmpassword: password,
    });
    expect(reset.status).toBe(200);
    const after = await halfway({ ...person, password });
    nextStep();
    expect((await finish(after, codeFor(secret))).status).toBe(200);
  });

  test("accepts a code in the digits of an Indian keyboard", async () => {
    const { person, secret, visitor } = await withTotp();
    nextStep();
    const hindi = codeFor(secret).replace(/\d/g, (digit) => "०१२३४५६७८९"[Number(digit)] ?? "");
    expect((await finish(await halfway(person), hindi)).status).toBe(200);
    nextStep();
    const tamil = codeFor(secret).replace(/\d/g, (digit) => "௦௧௨௩௪௫௬௭௮௯"[Number(digit)] ?? "");
    expect((await visitor.mutate("accounts.confirm", { code: tamil })).status).toBe(200);
  });

  test("accepts each code once, within one time step", async () => {
    const { person, secret } = await withTotp();
    expect(codeOf(await finish(await halfway(person), codeFor(secret)))).toBe("INVALID_INPUT");
    nextStep();
    const code = codeFor(secret);
    nextStep();
    expect((await finish(await halfway(person), code)).status).toBe(200);
    expect(codeOf(await finish(await halfway(person), code))).toBe("INVALID_INPUT");
    const late = codeFor(secret);
    nextStep();
    nextStep();
    expect(codeOf(await finish(await halfway(person), late))).toBe("INVALID_INPUT");
  });

  test("accepts a code once, even if two logins use it at the same moment", async () => {
    const { person, secret } = await withTotp();
    nextStep();
    const both = [await halfway(person), await halfway(person)];
    const answers = await Promise.all(both.map((visitor) => finish(visitor, codeFor(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("accepts no code once another app has taken its place, however late it was read", async () => {
    const { visitor, userId } = await withTotp();
    const { db } = store.deps;
    const secret = (await findTotpSecret(db, userId)) ?? "";
    await enrol(visitor);
    const step = Number.MAX_SAFE_INTEGER;
    expect(await consumeTotpStep(db, { userId, secret, step })).toBe(false);
    expect(
      await consumeTotpStep(db, { userId, secret: (await findTotpSecret(db, userId)) ?? "", step }),
    ).toBe(true);
  });

  test("allows ten wrong codes for an account from an address, across browsers, and a right one resets the count", async () => {
    const { person, secret } = await withTotp();
    nextStep();
    const wrongCodes = async (times: number) => {
      const visitor = await halfway(person);
      for (let time = 0; time < times; time++)
        expect(codeOf(await finish(visitor, "000000"))).toBe("INVALID_INPUT");
    };
    await wrongCodes(9);
    expect((await finish(await halfway(person), codeFor(secret))).status).toBe(200);
    nextStep();
    await wrongCodes(10);
    expect(codeOf(await finish(await halfway(person), codeFor(secret)))).toBe("RATE_LIMITED");
  });

  test("allows fifty wrong codes a day for an account, from all addresses together", async () => {
    const { person, secret, visitor: own } = await withTotp();
    nextStep();
    const visitor = await halfway(person);
    const from = (network: number, code: string) =>
      visitor.post("/api/trpc/accounts.finishLogin", { code }, { "X-Forwarded-For": `203.0.113.${network}` });
    for (let time = 0; time < 50; time++)
      expect(codeOf(await from(Math.floor(time / 10), "000000"))).toBe("INVALID_INPUT");
    expect(codeOf(await from(9, codeFor(secret)))).toBe("RATE_LIMITED");
    expect(await isSignedIn(own)).toBe(true);
  });

  test("is added within ten minutes, by the person who began it, with at most ten wrong codes", async () => {
    const [one, other] = [await signedInOwner(store, [shopId]), await signedInOwner(store, [shopId])];
    const begin = async ({ visitor }: StaffPerson) =>
      (await visitor.mutate("accounts.startTotp")).body.result.data as Record<string, string>;
    const add = async (
      { visitor }: StaffPerson,
      { secret = "", enrolment }: Record<string, string>,
      code = "",
    ) => codeOf(await visitor.mutate("accounts.addTotp", { enrolment, code: code || codeFor(secret) }));
    const [first, second] = [await begin(one), await begin(one)];
    expect(first.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(first.uri).toBe(
      `otpauth://totp/Print%20Store:${encodeURIComponent(one.person.email)}?issuer=Print%20Store&secret=${first.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await add(other, first)).toBe("GONE");
    store.clock.advance({ minutes: 10, ms: -1 });
    for (const { visitor, person } of [one, other])
      await visitor.mutate("accounts.confirm", { password: person.password });
    expect(await add(one, first)).toBe("done");
    store.clock.advance({ ms: 1 });
    expect(await add(one, second)).toBe("GONE");

    const third = await begin(other);
    for (let time = 0; time < 9; time++) expect(await add(other, third, "000000")).toBe("INVALID_INPUT");
    expect(await add(other, third)).toBe("RATE_LIMITED");
  });

  test("of a pending login is set up for its own account, though a student is logged in beside", async () => {
    const admin = await signedInAdmin(store);
    const owner = await signedInOwner(store, [shopId]);
    await admin.visitor.mutate("staff.setSecondFactorRule", { required: true });
    const { visitor, student } = await signedInStudent(store);
    expect(codeOf(await visitor.post(LOGIN, owner.person))).toBe("SECOND_FACTOR_SETUP_REQUIRED");
    expect((await visitor.query("accounts.pendingLogin")).body.result.data).toEqual({
      email: owner.person.email,
      step: "setup",
      hasTotp: false,
      hasPasskey: false,
    });
    expect((await visitor.query("accounts.me")).body.result.data.email).toBe(student.email);
    await enrol(visitor);
    expect((await visitor.query("accounts.me")).body.result.data.email).toBe(owner.person.email);
    await admin.visitor.mutate("staff.setSecondFactorRule", { required: false });
  });

  test("is stored encrypted, and recovery codes as keyed hashes", async () => {
    const { secret, recoveryCodes, userId, visitor } = await withTotp();
    const db = store.deps.readDb;
    const stored = JSON.stringify([
      await db.selectFrom("totp_secrets").selectAll().where("user_id", "=", userId).execute(),
      await db.selectFrom("recovery_codes").selectAll().where("user_id", "=", userId).execute(),
    ]);
    const { secondFactors } = (await visitor.get("/my-data")).body.account;
    const authenticatorAppSince = store.clock.now().toISOString();
    expect(secondFactors).toEqual({ authenticatorAppSince, passkeys: [], recoveryCodesLeft: 10 });
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace("-", ""))])
      expect(stored).not.toContain(text);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
  });

  test("when added, ends every other session, sends a mail and is written to the audit log", async () => {
    const staff = await signedInOwner(store, [shopId]);
    const elsewhere = await visitorAs(store, staff.person);
    await enrol(staff.visitor);
    expect([await isSignedIn(elsewhere), await isSignedIn(staff.visitor)]).toEqual([false, true]);
    const [mail] = (await mailsTo(store, staff.person.email)).filter(
      ({ kind }) => kind === "account-second-factor",
    );
    expect(mail?.subject).toBe("A second factor was added to your account");
    expect(mail?.text.replaceAll(/\s+/g, " ")).toContain(
      "This second factor was just added to your account: authenticator app.",
    );
    expect(mail?.text).toContain(`${store.url}/admin/security`);
    expect(await auditOf(staff.userId)).toEqual([
      ["factor.add", staff.person.fullName, staff.person.fullName, null, '{"factor":"authenticator app"}'],
    ]);
  });

  test("can only be added after a recent confirmation", async () => {
    const { visitor } = await signedInOwner(store, [shopId]);
    store.clock.advance({ minutes: 10 });
    for (const procedure of [
      "accounts.startTotp",
      "accounts.startPasskey",
      "accounts.removeTotp",
      "accounts.newRecoveryCodes",
    ])
      expect(codeOf(await visitor.mutate(procedure))).toBe("CONFIRMATION_REQUIRED");
  });

  test("can confirm the identity instead of the password", async () => {
    const { visitor, secret } = await withTotp();
    store.clock.advance({ minutes: 10 });
    expect(codeOf(await visitor.mutate("accounts.newRecoveryCodes"))).toBe("CONFIRMATION_REQUIRED");
    expect((await visitor.mutate("accounts.confirm", { code: codeFor(secret) })).status).toBe(200);
    expect((await visitor.mutate("accounts.newRecoveryCodes")).status).toBe(200);
  });
});

describe("a pending login", () => {
  test("ends in a session with a new token, and the tokens from before are useless", async () => {
    const { person, secret } = await withTotp();
    nextStep();
    const { visitor } = await signedInOwner(store, [shopId]);
    const stranger = visitor.at(store);
    const planted = visitor.cookie("session");
    expect(codeOf(await visitor.post(LOGIN, person))).toBe("SECOND_FACTOR_REQUIRED");
    const halfwayCopy = visitor.at(store);
    const pending = visitor.cookie("pending-login");

    expect((await finish(visitor, codeFor(secret))).status).toBe(200);

    expect([planted, pending]).not.toContain(visitor.cookie("session"));
    expect(await isSignedIn(stranger)).toBe(false);
    expect(await isSignedIn(halfwayCopy)).toBe(false);
    const byPending = await store.visitor().send("GET", "/api/trpc/accounts.me", undefined, {
      Cookie: `session=${pending}`,
    });
    expect(byPending.body.result.data).toBeNull();
    nextStep();
    expect(codeOf(await finish(halfwayCopy, codeFor(secret)))).toBe("GONE");
  });

  test("ends in a session of a shared computer if that is what the person said before", async () => {
    const { person, secret } = await withTotp();
    nextStep();
    const visitor = store.visitor();
    await visitor.post(LOGIN, { ...person, isSharedComputer: true });
    const { headers } = await finish(visitor, codeFor(secret));
    const cookie = headers.getSetCookie().find((one) => one.startsWith("session="));
    expect(cookie).not.toContain("Expires");
  });

  test("expires after 10 minutes or a password change", async () => {
    const { person, secret, visitor: own } = await withTotp();
    const [intime, late] = [await halfway(person), await halfway(person)];
    store.clock.advance({ minutes: 10, ms: -1 });
    await deleteExpiredPending(store.deps.db, store.clock.now().toISOString());
    expect((await finish(intime, codeFor(secret))).status).toBe(200);
    store.clock.advance({ ms: 1 });
    expect(codeOf(await finish(late, codeFor(secret)))).toBe("GONE");

    const changed = await halfway(person);
    const password = "a staple and a clip";
    await own.mutate("accounts.changePassword", {
      currentPassword: person.password,
      password,
      confirmpassword: password,
    });
    nextStep();
    expect(codeOf(await finish(changed, codeFor(secret)))).toBe("GONE");
  });

  test("is over once it is cancelled, for every copy of its cookie", async () => {
    const { person, secret } = await withTotp();
    nextStep();
    const visitor = await halfway(person);
    const copy = visitor.at(store);
    expect((await visitor.mutate("accounts.cancelLogin")).status).toBe(200);
    expect(visitor.cookie("pending-login")).toBe("");
    expect((await copy.query("accounts.pendingLogin")).body.result.data).toBeNull();
    expect(codeOf(await finish(copy, codeFor(secret)))).toBe("GONE");
  });

  test("goes on when those of others end", async () => {
    const people = [await withTotp(), await withTotp(), await withTotp()];
    nextStep();
    const [finished, cancelled, other] = await Promise.all(people.map(({ person }) => halfway(person)));
    expect((await finish(finished as ApiClient, codeFor(people[0]?.secret ?? ""))).status).toBe(200);
    expect((await cancelled?.mutate("accounts.cancelLogin"))?.status).toBe(200);
    expect((await finish(other as ApiClient, codeFor(people[2]?.secret ?? ""))).status).toBe(200);
  });

  test("cannot add a second factor if the account has one", async () => {
    const { person } = await withTotp();
    const visitor = await halfway(person);
    for (const procedure of ["accounts.startTotp", "accounts.startPasskey"])
      expect(codeOf(await visitor.mutate(procedure))).toBe("GONE");
  });
});

describe("a recovery code", () => {
  test("works once, with any spacing and case, and is replaced by new codes", async () => {
    const { person, recoveryCodes, visitor: own } = await withTotp();
    const [first = "", second = ""] = recoveryCodes;
    expect((await finish(await halfway(person), first.toLowerCase().replace("-", " "))).status).toBe(200);
    expect(codeOf(await finish(await halfway(person), first))).toBe("INVALID_INPUT");
    expect((await own.query("accounts.secondFactors")).body.result.data.recoveryCodesLeft).toBe(9);
    const fresh: string[] = (await own.mutate("accounts.newRecoveryCodes")).body.result.data.recoveryCodes;
    expect(codeOf(await finish(await halfway(person), second))).toBe("INVALID_INPUT");
    expect((await finish(await halfway(person), fresh[0] ?? "")).status).toBe(200);
  });

  test("opens only the account that it was made for", async () => {
    const [one, other] = [await withTotp(), await withTotp()];
    expect(codeOf(await finish(await halfway(one.person), other.recoveryCodes[0] ?? ""))).toBe(
      "INVALID_INPUT",
    );
    expect((await finish(await halfway(other.person), other.recoveryCodes[0] ?? "")).status).toBe(200);
  });

  test("is void, and there are no new ones, once the last second factor is removed; those of others stay", async () => {
    const { visitor, person, recoveryCodes } = await withTotp();
    const other = await withTotp();
    expect((await visitor.mutate("accounts.removeTotp")).status).toBe(200);
    expect(codeOf(await visitor.mutate("accounts.newRecoveryCodes"))).toBe("CONFLICT");
    expect((await visitor.query("accounts.secondFactors")).body.result.data).toEqual({
      totp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
      isRequired: false,
    });
    await enrol(visitor);
    expect(codeOf(await finish(await halfway(person), recoveryCodes[0] ?? ""))).toBe("INVALID_INPUT");
    expect((await finish(await halfway(other.person), other.recoveryCodes[0] ?? "")).status).toBe(200);
  });
});

/** What the audit log has about this person or rule: what, by whom, of whom, before and after. */
async function auditOf(subjectId: string) {
  const rows = await store.deps.readDb
    .selectFrom("audit_log")
    .selectAll()
    .where("subject_id", "=", subjectId)
    .orderBy("id")
    .execute();
  return rows.map((row) => [row.action, row.by_name, row.subject_name, row.before, row.after]);
}

describe("the second-factor rule", () => {
  test.each([
    ["owners", signedInOwner],
    ["counter staff", signedInCounter],
  ])(
    "is optional for %s until an admin requires it, which ends their sessions until one is set up",
    async (_role, signedIn) => {
      const admin = await signedInAdmin(store);
      const staff = await signedIn(store, [shopId]);
      expect((await admin.visitor.mutate("staff.setSecondFactorRule", { required: true })).status).toBe(200);
      expect(codeOf(await staff.visitor.query("staff.myShops"))).toBe("UNAUTHENTICATED");
      const visitor = store.visitor();
      expect(codeOf(await visitor.post(LOGIN, staff.person))).toBe("SECOND_FACTOR_SETUP_REQUIRED");
      expect(codeOf(await visitor.query("staff.myShops"))).toBe("UNAUTHENTICATED");
      await enrol(visitor);
      expect((await visitor.query("staff.myShops")).status).toBe(200);
      expect((await visitor.mutate("accounts.removeTotp")).body.error.message).toBe(
        "Your role requires a second factor. Please add another one first",
      );
      await admin.visitor.mutate("staff.setSecondFactorRule", { required: false });
      expect((await visitor.mutate("accounts.removeTotp")).status).toBe(200);
      await logInAgain(staff);
      expect((await auditOf("second-factor")).slice(-2)).toEqual(
        [true, false].map((required) => [
          "staff.secondFactorRule",
          admin.person.fullName,
          "Owners and counter staff",
          JSON.stringify({ required: !required }),
          JSON.stringify({ required }),
        ]),
      );
    },
  );

  test("always applies to admins of a public store, who can do nothing before", async () => {
    const port = await freePort();
    const started = await tempStore({ PUBLIC_URL: "https://store.example", PORT: String(port) });
    // Without a proxy in front.
    const open = { ...started, visitor: () => new ApiClient(`http://127.0.0.1:${port}`) };
    const admin = await signedInAdmin(open);
    expect(codeOf(await admin.visitor.query("staff.list"))).toBe("UNAUTHENTICATED");
    const visitor = open.visitor();
    expect(codeOf(await visitor.post(LOGIN, admin.person))).toBe("SECOND_FACTOR_SETUP_REQUIRED");
    expect(codeOf(await visitor.query("staff.list"))).toBe("UNAUTHENTICATED");
    const { secret, enrolment } = (await visitor.mutate("accounts.startTotp")).body.result.data;
    const code = new TOTP({ secret }).generate({ timestamp: open.clock.now().getTime() });
    expect((await visitor.mutate("accounts.addTotp", { enrolment, code })).status).toBe(200);
    expect((await visitor.query("staff.list")).status).toBe(200);
  });

  test("lets an admin reset a lost second factor, with mails to both and an audit entry", async () => {
    const admin = await withTotp(() => signedInAdmin(store));
    const owner = await withTotp();
    expect((await admin.visitor.mutate("staff.resetSecondFactor", { userId: owner.userId })).status).toBe(
      200,
    );
    expect(await isSignedIn(owner.visitor)).toBe(false);
    await logInAgain(owner);
    const told = async ({ person }: StaffPerson) => {
      const mails = await mailsTo(store, person.email);
      const mail = mails.find(({ subject }) => subject === "A second factor was reset");
      return mail?.text.replaceAll(/\s+/g, " ");
    };
    expect(await told(owner)).toContain(`${admin.person.fullName} has reset your second factor`);
    const { fullName, email } = owner.person;
    expect(await told(admin)).toContain(`You have reset the second factor of ${fullName} (${email}).`);
    expect((await auditOf(owner.userId)).at(-1)).toEqual([
      "staff.secondFactorReset",
      admin.person.fullName,
      owner.person.fullName,
      null,
      null,
    ]);
    // The admin's own stays.
    await halfway(admin.person);
  });

  test("lets nobody reset their own second factor or that of somebody who is not on the staff", async () => {
    const admin = await withTotp(() => signedInAdmin(store));
    const { visitor } = await signedInStudent(store);
    const { _id: studentId } = (await visitor.query("accounts.me")).body.result.data;
    const reset = async (userId: string) =>
      codeOf(await admin.visitor.mutate("staff.resetSecondFactor", { userId }));
    expect(await reset(admin.userId)).toBe("CONFLICT");
    expect(await reset(studentId)).toBe("NOT_FOUND");
    expect(await isSignedIn(visitor)).toBe(true);
    await halfway(admin.person);
  });

  test("no longer applies to a removed staff member, whose second factor is deleted", async () => {
    const admin = await signedInAdmin(store);
    const owner = await withTotp();
    await admin.visitor.mutate("staff.remove", { userId: owner.userId });
    expect((await store.visitor().post(LOGIN, owner.person)).status).toBe(200);
    const left = await store.deps.readDb
      .selectFrom("totp_secrets")
      .selectAll()
      .where("user_id", "=", owner.userId)
      .execute();
    expect(left).toEqual([]);
  });
});

test("the security log records changes of second factors and of the rule and wrong codes, with pseudonyms, and each change is in the audit log and mailed to its person", async () => {
  const lines: Record<string, unknown>[] = [];
  const spies = (["info", "warn"] as const).map((level) =>
    vi.spyOn(store.deps.log, level).mockImplementation((line) => void lines.push({ level, ...Object(line) })),
  );
  const { visitor, person, userId, secret, recoveryCodes } = await withTotp();
  nextStep();
  expect(codeOf(await finish(await halfway(person), "000000"))).toBe("INVALID_INPUT");
  expect((await finish(await halfway(person), recoveryCodes[0] ?? "")).status).toBe(200);
  nextStep();
  await visitor.mutate("accounts.confirm", { code: codeFor(secret) });
  await visitor.mutate("accounts.newRecoveryCodes");
  expect((await visitor.mutate("accounts.removeTotp")).status).toBe(200);
  await enrol(visitor);
  const admin = await signedInAdmin(store);
  const reset = await admin.visitor.mutate("staff.resetSecondFactor", { userId });
  expect(reset.status).toBe(200);
  for (const required of [true, false]) {
    expect((await admin.visitor.mutate("staff.setSecondFactorRule", { required })).status).toBe(200);
  }
  for (const spy of spies) spy.mockRestore();

  const told = lines.filter(({ event }) => String(event).includes(".factor."));
  const ofPerson = pseudonym(store.deps.keyring, person.email);
  const ofAdmin = pseudonym(store.deps.keyring, admin.person.email);
  expect(told.map(({ event, accountRef, by, required }) => [event, accountRef, by ?? required])).toEqual([
    ["auth.factor.add", ofPerson, undefined],
    ["auth.factor.recoveryCodeUsed", ofPerson, undefined],
    ["auth.factor.recoveryCodes", ofPerson, undefined],
    ["auth.factor.remove", ofPerson, undefined],
    ["auth.factor.add", ofPerson, undefined],
    ["staff.factor.reset", ofPerson, ofAdmin],
    ["staff.factor.rule", ofAdmin, "true"],
    ["staff.factor.rule", ofAdmin, "false"],
  ]);
  expect(told.every(({ event }) => SECURITY_EVENTS.includes(event as SecurityEvent))).toBe(true);
  const failed = lines.filter(({ event }) => event === "auth.login.failed");
  expect(failed).toEqual([
    expect.objectContaining({ level: "warn", accountRef: ofPerson, way: "second factor" }),
  ]);
  expect((await auditOf(userId)).map(([action, , , , after]) => [action, after])).toEqual([
    ["factor.add", '{"factor":"authenticator app"}'],
    ["factor.recoveryCodeUsed", '{"factor":"recovery code"}'],
    ["factor.recoveryCodes", '{"factor":"recovery codes"}'],
    ["factor.remove", '{"factor":"authenticator app"}'],
    ["factor.add", '{"factor":"authenticator app"}'],
    ["staff.secondFactorReset", null],
  ]);
  const mails = (await mailsTo(store, person.email)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const said = mails
    .filter(({ kind }) => kind === "account-second-factor")
    .map(({ subject, text }) => [subject, text.replaceAll(/\s+/g, " ")]);
  const added = [
    "A second factor was added to your account",
    expect.stringContaining("was just added to your account: authenticator app."),
  ];
  expect(said).toEqual([
    added,
    ["A recovery code was used", expect.stringContaining("One of your recovery codes was just used")],
    ["You have new recovery codes", expect.stringContaining("New recovery codes were just created")],
    [
      "A second factor was removed from your account",
      expect.stringContaining("was just removed from your account: authenticator app."),
    ],
    added,
    ["A second factor was reset", expect.stringContaining("has reset your second factor")],
  ]);
});
