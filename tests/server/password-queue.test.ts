import { expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const GUESSES = 80;
const LOGIN = "/api/v1/users/login";

const store = testStore();

test("a login does not wait for earlier guesses from another address", async () => {
  const { student } = await signedInStudent(store);
  const { email, password } = student;
  let guessesAnswered = 0;
  const guess = async (name: string): Promise<ApiAnswer> => {
    const login = { email: `${name}@b.cc`, password: "a guess" };
    const answer = await store.visitor().post(LOGIN, login, { "X-Forwarded-For": "203.0.113.60" });
    guessesAnswered++;
    return answer;
  };
  const first = guess("first");
  const guesses = Array.from({ length: GUESSES }, (_, index) => guess(`guess-${index}`));
  await first;
  const from = { "X-Forwarded-For": "203.0.113.61" };
  expect((await store.visitor().post(LOGIN, { email, password }, from)).status).toBe(200);
  expect(guessesAnswered).toBeLessThan(GUESSES / 4);
  expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(GUESSES).fill(401));
});
