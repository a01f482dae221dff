import { afterAll, beforeAll, expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.stop());

test("of people who come in the same moment each is known as themselves, and whoever is not as nobody", async () => {
  const students = await Promise.all(Array.from({ length: 3 }, () => signedInStudent(store)));
  const tokens = students.map(({ visitor }) => visitor.cookieHeader.split("=")[1] ?? "");
  const { sessions } = store.deps;

  const known = await Promise.all(
    ["nobody", ...tokens, ...tokens, "x"].map((token) => sessions.resolve(token)),
  );

  const emails = students.map(({ student }) => student.email);
  expect(known.map((session) => session?.user.email)).toEqual([undefined, ...emails, ...emails, undefined]);
});

test("a session that has ended is refused by the very next request, whoever else asks with it", async () => {
  const { visitor: stays } = await signedInStudent(store);
  const { visitor: goes } = await signedInStudent(store);
  const [stayed = "", gone = ""] = [stays, goes].map(({ cookieHeader }) => cookieHeader.split("=")[1]);
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
