import { dictionary } from "@zxcvbn-ts/language-common";
import { beforeAll, describe, expect, test } from "vitest";
import { findStaffPasswordFault, hashChosenPassword, hashPassword } from "#server/accounts/passwords.ts";
import { mailsTo } from "../factories/mails.ts";
import { invitationToken, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});

const twice = (password: string) => ({ password, confirmpassword: password });
const GOOD = twice("a staple and a clip");
/** Too short; long but common, plain or with extra characters; the person's own name. */
const weakFor = (fullName: string) => [
  "q",
  "elevenchars",
  "1qaz2wsx3edc",
  "Password123!",
  `${fullName} 2026`,
];

const issuePaths = ({ body }: ApiAnswer): string[] =>
  (body.error?.data.issues ?? body.issues ?? []).map(({ path }: { path: string }) => path);
const logIn = (person: { email: string; password: string }) =>
  store.visitor().post("/api/v1/users/login", person);

async function invited(email: string, role = "owner"): Promise<string> {
  const { visitor } = await signedInAdmin(store);
  await visitor.mutate("staff.invite", { email, role, shopIds: role === "admin" ? [] : [shopId] });
  return invitationToken(store, email);
}

async function recoveryToken(email: string): Promise<string> {
  const mails = await mailsTo(store, email);
  const link = mails.find(({ kind }) => kind === "account-recovery")?.text ?? "";
  return /token=([\w-]+)/.exec(link)?.[1] ?? "";
}

async function givePassword(userId: string, password: string): Promise<void> {
  const password_hash = await hashPassword(password);
  await store.deps.db.updateTable("users").set({ password_hash }).where("id", "=", userId).execute();
}

test.each([
  "Password123!",
  "password12345",
  "Welcome@1234",
  "admin1234567",
  "1234567890123",
  "iloveyou1234",
  "Qwerty@12345",
  "abcd12345678",
  "P@$$w0rd2026!",
  "2026-we1come-2026",
  "we!come-2026-07",
  "welcomewelcome",
  "pass-word-2026",
])("%s is refused for staff: a common password with digits and signs", async (password) => {
  expect(await findStaffPasswordFault(password, {})).toMatch(/^This password is easy to guess/);
});

test("staff cannot choose rare passwords of the list, which students can", async () => {
  const rare = "entertainment";
  expect(dictionary["passwords-common"].indexOf(rare)).toBeGreaterThan(48_000);
  expect(await findStaffPasswordFault(rare, {})).toMatch(/^This password is easy to guess/);
  expect(await hashChosenPassword(rare)).toContain("$argon2id$");
});

test.each([
  "a staple and a clip",
  "correct horse battery",
  "7-eleven-Ganges-tulip",
  "x4Tq_9vLk2-ZpWm8",
  "पीला कागज़ और नीली स्याही",
])("%s is accepted for staff", async (password) => {
  expect(await findStaffPasswordFault(password, {})).toBeNull();
});

describe("a weak password", () => {
  test.each(["owner", "admin"])("is refused for an invited %s, whose link stays valid", async (role) => {
    const token = await invited(newStudent().email, role);
    const accept = (password: string) =>
      store.visitor().mutate("staff.accept", {
        token,
        account: { fullName: "Asha Verma", phone: "", ...twice(password) },
      });

    for (const password of weakFor("Asha Verma")) {
      const answer = await accept(password);
      expect([password, answer.status, issuePaths(answer)]).toEqual([password, 422, ["account.password"]]);
    }
    expect((await accept(GOOD.password)).status).toBe(200);
  });

  test("is refused when a student with such a password joins the staff", async () => {
    const { student } = await signedInStudent(store);
    const token = await invited(student.email);
    const accept = (input: object) => store.visitor().mutate("staff.accept", { token, ...input });

    expect((await accept({})).status).toBe(422);
    for (const password of weakFor(student.fullName))
      expect(issuePaths(await accept({ newPassword: twice(password) }))).toEqual(["newPassword.password"]);
    expect((await accept({ newPassword: GOOD })).status).toBe(200);

    expect((await logIn(student)).status).toBe(401);
    expect((await logIn({ ...student, ...GOOD })).body.data).toMatchObject({ role: "owner" });
  });

  test("is refused when staff change their password", async () => {
    const { visitor, person } = await signedInOwner(store, [shopId]);
    for (const password of weakFor(person.fullName)) {
      const change = { currentPassword: person.password, ...twice(password) };
      expect(issuePaths(await visitor.mutate("accounts.changePassword", change))).toEqual(["password"]);
    }
    expect((await logIn(person)).status).toBe(200);
  });

  test("is refused with a recovery link for staff, which stays valid", async () => {
    const { person } = await signedInOwner(store, [shopId]);
    await store.visitor().post("/api/v1/users/fpmail", { email: person.email });
    const token = await recoveryToken(person.email);
    const reset = (password: string) =>
      store.visitor().post("/api/v1/users/reset-password", { token, ...twice(password) });

    for (const password of weakFor(person.fullName))
      expect(issuePaths(await reset(password))).toEqual(["password"]);
    expect((await reset(GOOD.password)).status).toBe(200);
  });

  test("that staff already have does not log in, but sends a link to choose a new one", async () => {
    const { person, userId } = await signedInOwner(store, [shopId]);
    await givePassword(userId, "q");
    const guesser = store.visitor();

    const answer = await guesser.post("/api/v1/users/login", { email: person.email, password: "q" });

    expect([answer.status, answer.body.code]).toEqual([403, "PASSWORD_TOO_WEAK"]);
    expect(guesser.cookieHeader).toBe("");
    const token = await recoveryToken(person.email);
    await guesser.post("/api/v1/users/reset-password", { token, ...GOOD });
    expect((await logIn({ ...person, ...GOOD })).status).toBe(200);
  });

  test("is accepted for a student, as the specification says", async () => {
    const { visitor, student } = await signedInStudent(store);
    await visitor.mutate("accounts.changePassword", { currentPassword: student.password, ...twice("q") });
    expect((await logIn({ ...student, password: "q" })).status).toBe(200);
  });
});
