import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WorkerPool } from "#server/lib/worker-pool.ts";
import { mailsTo } from "../factories/mails.ts";
import { changeStaff, invitationToken, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent, register, signedInStudent, signedUpStudent } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

describe("one of the most common passwords", () => {
  const TOO_COMMON = "Too many people use this password, so it is easy to guess. Please choose another";
  const common = { password: "Password1", confirmpassword: "Password1" };
  const refusedAt = (path: string) => ({ message: TOO_COMMON, issues: [{ path, message: TOO_COMMON }] });
  const issuesOf = ({ body }: ApiAnswer) => ({
    message: body.error.message,
    issues: body.error.data.issues,
  });

  test.each([
    "password",
    "123456",
    "Qwerty123",
    " letmein ",
    "Print Store",
    "PrintStore",
    "print-store",
    "printnow",
    "printshop",
  ])("is refused at sign-up: %s", async (password) => {
    const answer = await register(store.visitor(), { ...newStudent(), password });
    expect([answer.status, answer.body.code]).toEqual([422, "INVALID_INPUT"]);
    expect(answer.body).toMatchObject(refusedAt("password"));
  });

  test.each([
    ["one character", "a"],
    ["256 characters", "x".repeat(256)],
    ["several words", "correct horse battery"],
    ["in an Indian script", "नमस्ते"],
    ["mixed", "Blue-Kettle1"],
  ])("is recognised exactly, so that others are accepted: %s", async (_name, password) => {
    expect((await register(store.visitor(), { ...newStudent(), password })).status).toBe(200);
  });

  test("is refused with a recovery link, which stays valid", async () => {
    const { student } = await signedInStudent(store);
    await store.visitor().post("/api/v1/users/fpmail", { email: student.email });
    const mails = await mailsTo(store, student.email);
    const link = mails.find(({ kind }) => kind === "account-recovery")?.text ?? "";
    const token = /token=([\w-]+)/.exec(link)?.[1];
    const reset = (chosen: object) =>
      store.visitor().post("/api/v1/users/reset-password", { token, ...chosen });
    expect((await reset(common)).body).toMatchObject(refusedAt("password"));
    const better = { password: "a staple and a clip", confirmpassword: "a staple and a clip" };
    expect((await reset(better)).status).toBe(200);
  });

  test("is refused as a new password", async () => {
    const { visitor, student } = await signedInStudent(store);
    const answer = await visitor.mutate("accounts.changePassword", {
      currentPassword: student.password,
      ...common,
    });
    expect(issuesOf(answer)).toEqual(refusedAt("password"));
  });

  test("is refused for an invited person, whose link stays valid", async () => {
    const admin = await signedInAdmin(store);
    const { email, phone } = newStudent();
    const [shopId] = await shopIds(store);
    await admin.visitor.mutate("staff.invite", { email, role: "owner", shopIds: [shopId] });
    const token = await invitationToken(store, email);
    const accept = (chosen: object) =>
      store.visitor().mutate("staff.accept", { token, account: { fullName: "Ravi", phone, ...chosen } });
    const known = { password: "qwerty123456", confirmpassword: "qwerty123456" };
    const message =
      "This password is easy to guess: many people use it, or one like it with other digits and signs. A few words in a row are good";
    expect(issuesOf(await accept(known))).toEqual({
      message,
      issues: [{ path: "account.password", message }],
    });
    const better = { password: "a staple and a clip", confirmpassword: "a staple and a clip" };
    expect((await accept(better)).status).toBe(200);
  });
});

describe("an e-mail without an account", () => {
  test("costs a login one password hash, like an e-mail with an account", async () => {
    const { student } = await signedUpStudent(store);
    const hashing = vi.spyOn(WorkerPool.prototype, "run");
    onTestFinished(() => hashing.mockRestore());
    /** What a login has hashed, each as the algorithm with its version and costs. */
    async function hashedBy(email: string) {
      hashing.mockClear();
      await store.visitor().post("/api/v1/users/login", { email, password: "guess" });
      return hashing.mock.calls.map(([task]) => (task as { hash: string }).hash.split("$").slice(1, 4));
    }
    const known = await hashedBy(student.email);
    expect(known).toEqual([["argon2id", "v=19", "m=19456,t=2,p=1"]]);
    expect(await hashedBy("nobody@b.cc")).toEqual(known);
  });

  test.each([
    ["a code to log in", "generate-otp-for-login", ({ email }: { email: string }) => ({ email })],
    ["a recovery link", "fpmail", ({ email }) => ({ email })],
    ["trying a code by e-mail", "login-with-otp", ({ email }) => ({ email, verifyCode: "none" })],
    ["trying a code by phone", "login-with-otp", ({ phone }) => ({ phone, verifyCode: "none" })],
    ["verifying an account", "verify-account", ({ phone }) => ({ phone, verifyCode: "none" })],
    ["another code to verify it", "/api/trpc/accounts.resendVerification", ({ phone }) => ({ phone })],
  ] as [string, string, (person: { email: string; phone: string }) => object][])(
    "gets the same answer, after the same minimum time, for %s",
    async (_name, call, body) => {
      const { student } = await signedInStudent(store);
      await store.visitor().post("/api/v1/users/generate-otp-for-login", { email: student.email });
      const path = call.startsWith("/") ? call : `/api/v1/users/${call}`;
      const ask = async (person: { email: string; phone: string }) => {
        const startedAt = performance.now();
        const answer = await store.visitor().post(path, body(person));
        return { answer, ms: performance.now() - startedAt };
      };
      const known = await ask(student);
      const nobody = newStudent();
      const unknown = await ask(nobody);
      expect(unknown.answer.status).toBe(known.answer.status);
      expect(JSON.stringify(unknown.answer.body)).toBe(
        JSON.stringify(known.answer.body)
          .replaceAll(student.email, nobody.email)
          .replaceAll(student.phone, nobody.phone),
      );
      expect(Math.min(known.ms, unknown.ms)).toBeGreaterThan(145);
    },
  );
});

describe("a session", () => {
  const tokenOf = ({ headers }: ApiAnswer) =>
    /^session=([^;]+)/.exec(headers.getSetCookie()[0] ?? "")?.[1] ?? "";
  const userOf = async (token: string) => {
    const answer = await store.visitor().send("GET", "/api/v1/users/getuser", undefined, {
      Cookie: `session=${token}`,
    });
    return answer.status;
  };

  test("is new at every login, and ends the browser's previous one", async () => {
    const { visitor, student } = await signedInStudent(store);
    const first = tokenOf(await visitor.post("/api/v1/users/login", student));
    expect(await userOf(first)).toBe(200);
    const second = tokenOf(await visitor.post("/api/v1/users/login", student));
    expect(second).not.toBe(first);
    expect([await userOf(first), await userOf(second)]).toEqual([401, 200]);
  });

  test("planted in a browser by an attacker is useless after the login", async () => {
    const { student } = await signedInStudent(store);
    const planted = "a-token-that-an-attacker-knows-beforehand";
    const answer = await store
      .visitor()
      .post("/api/v1/users/login", student, { Cookie: `session=${planted}` });
    expect([tokenOf(answer) === planted, await userOf(planted)]).toEqual([false, 401]);
  });

  test("of an owner ends when they become an admin", async () => {
    const admin = await signedInAdmin(store);
    const owner = await signedInOwner(store, await shopIds(store));
    const answer = await changeStaff(admin.visitor, owner.userId, { role: "admin", shopIds: [] });
    expect(answer.status).toBe(200);
    expect((await owner.visitor.get("/api/v1/users/getuser")).status).toBe(401);
  });
});
