import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BACKGROUND_HEADER } from "#shared/calls.ts";
import { DAY_MS } from "#shared/durations.ts";
import { uploadPages } from "../factories/orders.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { newestCode, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

test("sessions resolved in the same tick each belong to their own user, or to nobody", async () => {
  const students = await Promise.all(Array.from({ length: 3 }, () => signedInStudent(store)));
  const tokens = students.map(({ visitor }) => visitor.cookie("session"));
  const { sessions } = store.deps;

  const nobodies = Array.from({ length: 15 }, (_, index) => `nobody ${index}`);
  const known = await Promise.all(
    [...tokens, ...nobodies, ...tokens, "x"].map((token) => sessions.resolve(token, true)),
  );

  const emails = students.map(({ student }) => student.email);
  const nothing = nobodies.map(() => undefined);
  expect(known.map((session) => session?.user.email)).toEqual([...emails, ...nothing, ...emails, undefined]);
  const later = await Promise.all([...nobodies, ...tokens].map((token) => sessions.resolve(token, true)));
  expect(later.map((session) => session?.user.email)).toEqual([...nothing, ...emails]);
});

test("an ended session is refused by the next request, even in a batch with others", async () => {
  const { visitor: stays } = await signedInStudent(store);
  const { visitor: goes } = await signedInStudent(store);
  const [stayed = "", gone = ""] = [stays, goes].map((visitor) => visitor.cookie("session"));
  const { sessions } = store.deps;

  const before = [sessions.resolve(stayed, true), sessions.resolve(gone, true)];
  const after = sessions
    .end(gone)
    .then(() =>
      Promise.all([
        sessions.resolve(stayed, true),
        sessions.resolve(gone, true),
        goes.get("/api/v1/users/getuser"),
      ]),
    );

  expect((await Promise.all(before))[0]).toMatchObject({ user: expect.anything() });
  const [staying, going, answer] = await after;
  expect([staying === null, going, answer.status]).toEqual([false, null, 401]);
});

/** Lucia reads the machine's clock, so it is moved together with the store's. */
describe("a student's session", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    store.clock.set(new Date());
  });
  afterEach(() => {
    vi.useRealTimers();
    store.clock.set(new Date());
  });

  function pass(days: number, ms: number): void {
    store.clock.advance({ days, ms });
    vi.setSystemTime(store.clock.now());
  }

  /** A session, the status of a request with it, and the days until its cookie expires, if the response sets it. */
  async function logIn() {
    const { visitor } = await signedInStudent(store);
    return async () => {
      const { status, headers } = await visitor.get("/api/v1/users/getuser");
      const expires = /^session=\w+;.*Expires=([^;]+)/im.exec(headers.getSetCookie().join("\n"))?.[1];
      const days = expires && Math.ceil((Date.parse(expires) - Date.now()) / DAY_MS);
      return days ? [status, days] : [status];
    };
  }

  test("lasts 30 days from login", async () => {
    const [used, unused] = [await logIn(), await logIn()];
    pass(30, -1);
    expect(await used()).toEqual([200, 30]);
    pass(0, 1);
    expect(await unused()).toEqual([401]);
    expect(await used()).toEqual([200]);
  });

  test("is deleted from the database once it has expired, not before", async () => {
    const { sessions, db } = store.deps;
    const stored = () => db.selectFrom("sessions").select("id").where("user_id", "=", userId).execute();
    const { visitor, student } = await signedInStudent(store);
    const { _id: userId } = (await visitor.get("/api/v1/users/getuser")).body.data;
    pass(0, 1);
    await visitorAs(store, student);
    pass(30, -2);
    await sessions.deleteExpired();
    expect(await stored()).toHaveLength(2);
    pass(0, 1);
    await sessions.deleteExpired();
    expect(await stored()).toHaveLength(1);
  });

  test("is extended to 30 days by use in its second half, not before", async () => {
    const [early, late, later] = [await logIn(), await logIn(), await logIn()];
    pass(15, -1);
    expect(await early()).toEqual([200]);
    pass(0, 1);
    expect(await late()).toEqual([200, 30]);
    expect(await later()).toEqual([200, 30]);
    pass(15, 0);
    expect(await early()).toEqual([401]);
    pass(15, -1);
    expect(await later()).toEqual([200, 30]);
    pass(0, 1);
    expect(await late()).toEqual([401]);
    expect(await later()).toEqual([200]);
  });

  test("is useless after it has expired", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { pathname } = new URL(await uploadPages(visitor, 1), store.url);
    pass(30, 0);
    const answers = [
      await visitor.get("/api/v1/users/getuser"),
      await visitor.query("orders.mine", {}),
      await visitor.mutate("accounts.rename", { fullName: "Somebody Else" }),
      await visitor.get(pathname),
      await visitor.get("/my-data"),
      await visitor.upload(new Uint8Array(plainPdf(1))),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404, 401, 401]);
    const { body } = await visitor.post("/api/v1/users/login", student);
    expect(body.data.fullName).toBe(student.fullName);
  });
});

/** Not Lucia's clock but the store's decides. */
describe("a session on a shared computer", () => {
  const HOUR = 60 * 60;
  const ask = async (visitor: ApiClient) => (await visitor.get("/api/v1/users/getuser")).status;
  const sessionCookie = (headers: Headers) =>
    headers.getSetCookie().find((cookie) => cookie.startsWith("session="));

  /** Logs in by password with the box ticked. */
  async function logInShared() {
    const { student } = await signedInStudent(store);
    const visitor = store.visitor();
    const login = await visitor.post("/api/v1/users/login", { ...student, isSharedComputer: true });
    expect(login.status).toBe(200);
    return { visitor, student };
  }

  test("ends with the browser, and the computer does not stay a known one", async () => {
    const { student } = await signedInStudent(store);
    const visitor = await visitorAs(store, student);
    expect(visitor.cookie("device")).not.toBe("");
    const { headers } = await visitor.post("/api/v1/users/login", { ...student, isSharedComputer: true });
    expect(sessionCookie(headers)).toMatch(/^session=\w{20,}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(visitor.cookie("device")).toBe("");
  });

  test("ends an hour after its last use, whichever way it was opened", async () => {
    const [byPassword, unused] = [await logInShared(), await logInShared()];
    const { visitor: left } = await logInShared();
    const byCode = store.visitor();
    const { email } = byPassword.student;
    await byCode.post("/api/v1/users/generate-otp-for-login", { email });
    const verifyCode = await newestCode(store, email);
    const { headers } = await byCode.post("/api/v1/users/login-with-otp", {
      email,
      verifyCode,
      isSharedComputer: true,
    });
    expect(sessionCookie(headers)).not.toContain("Expires");
    store.clock.advance({ seconds: HOUR - 1 });
    expect(await Promise.all([ask(byPassword.visitor), ask(byCode)])).toEqual([200, 200]);
    // A page that is open asks by itself.
    const byItself = await left.send("GET", "/api/v1/users/getuser", undefined, { [BACKGROUND_HEADER]: "1" });
    expect(byItself.status).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect(await Promise.all([ask(unused.visitor), ask(left)])).toEqual([401, 401]);
    const again = await byPassword.visitor.get("/api/v1/users/getuser");
    expect([again.status, sessionCookie(again.headers)]).toEqual([200, undefined]);
    store.clock.advance({ seconds: HOUR });
    expect(await Promise.all([ask(byPassword.visitor), ask(byCode)])).toEqual([401, 401]);
  });

  test("stays one after a change of the password, and others do not become one", async () => {
    const shared = await logInShared();
    const own = await signedInStudent(store);
    const cookies: (string | undefined)[] = [];
    for (const { visitor, student } of [shared, own]) {
      const password = "another horse battery";
      const { headers } = await visitor.mutate("accounts.changePassword", {
        currentPassword: student.password,
        password,
        confirmpassword: password,
      });
      cookies.push(sessionCookie(headers));
    }
    expect(cookies.map((cookie) => cookie?.includes("Expires"))).toEqual([false, true]);
    store.clock.advance({ seconds: HOUR });
    expect(await Promise.all([ask(shared.visitor), ask(own.visitor)])).toEqual([401, 200]);
  });

  test("is deleted from the database once it has ended, not before", async () => {
    const { sessions, db } = store.deps;
    const { visitor } = await logInShared();
    const { _id } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const stored = () =>
      db.selectFrom("sessions").select("shared").where("user_id", "=", _id).orderBy("shared").execute();
    store.clock.advance({ seconds: HOUR - 1 });
    await sessions.deleteExpired();
    expect(await stored()).toEqual([{ shared: 0 }, { shared: 1 }]);
    store.clock.advance({ seconds: 1 });
    await sessions.deleteExpired();
    expect(await stored()).toEqual([{ shared: 0 }]);
  });
});
