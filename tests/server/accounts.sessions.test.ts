import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "#server/lib/crypto.ts";
import { signedInStudent } from "../factories/students.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.stop());

test("sessions resolved in the same tick each belong to their own user, or to nobody", async () => {
  const students = await Promise.all(Array.from({ length: 3 }, () => signedInStudent(store)));
  const tokens = students.map(({ visitor }) => visitor.cookie("session"));
  const { sessions } = store.deps;

  const known = await Promise.all(
    ["nobody", ...tokens, ...tokens, "x"].map((token) => sessions.resolve(token)),
  );

  const emails = students.map(({ student }) => student.email);
  expect(known.map((session) => session?.user.email)).toEqual([undefined, ...emails, ...emails, undefined]);
});

test("an ended session is refused by the next request, even in a batch with others", async () => {
  const { visitor: stays } = await signedInStudent(store);
  const { visitor: goes } = await signedInStudent(store);
  const [stayed = "", gone = ""] = [stays, goes].map((visitor) => visitor.cookie("session"));
  const { sessions } = store.deps;

  const before = [sessions.resolve(stayed), sessions.resolve(gone)];
  const after = sessions
    .end(gone)
    .then(() =>
      Promise.all([sessions.resolve(stayed), sessions.resolve(gone), goes.get("/api/v1/users/getuser")]),
    );

  expect((await Promise.all(before))[0]).not.toBeNull();
  const [staying, going, answer] = await after;
  expect([staying === null, going, answer.status]).toEqual([false, null, 401]);
});

/** Lucia uses the machine's clock, so the test moves the end of the session instead of the time. */
describe("a student's session", () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;

  async function logIn() {
    const { visitor } = await signedInStudent(store);
    const { db } = store.deps;
    const id = sha256(/\bsession=(\w+)/.exec(visitor.cookieHeader)?.[1] ?? "");
    return {
      use: async () => (await visitor.get("/api/v1/users/getuser")).status,
      /** The remaining time in ms. */
      left: async () => {
        const session = await db
          .selectFrom("sessions")
          .select("expires_at")
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        return Date.parse(session.expires_at) - Date.now();
      },
      endIn: (ms: number) =>
        db
          .updateTable("sessions")
          .set({ expires_at: new Date(Date.now() + ms).toISOString() })
          .where("id", "=", id)
          .execute(),
    };
  }

  test("lasts 30 days from login", async () => {
    const left = await (await logIn()).left();
    expect(left).toBeLessThanOrEqual(30 * DAY_MS);
    expect(left).toBeGreaterThan(30 * DAY_MS - MINUTE_MS);
  });

  test("is useless after it has expired", async () => {
    const session = await logIn();
    await session.endIn(MINUTE_MS);
    expect(await session.use()).toBe(200);
    await session.endIn(-1);
    expect(await session.use()).toBe(401);
  });

  test("is extended to 30 days by use in its second half, not before", async () => {
    const session = await logIn();
    await session.endIn(15 * DAY_MS + MINUTE_MS);
    expect(await session.use()).toBe(200);
    expect(await session.left()).toBeLessThanOrEqual(15 * DAY_MS + MINUTE_MS);
    await session.endIn(15 * DAY_MS - MINUTE_MS);
    expect(await session.use()).toBe(200);
    expect(await session.left()).toBeGreaterThan(30 * DAY_MS - MINUTE_MS);
  });
});
