import { expect, test } from "vitest";
import { newStudent, signedInStudent } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const REQUESTS = 80;

const store = testStore();

test("a login and a sign-up do not wait for earlier ones from another address", async () => {
  const { student } = await signedInStudent(store);
  const { email, password } = student;
  const ask = (path: string, body: object, address: string): Promise<ApiAnswer> =>
    store.visitor().post(`/api/v1/users/${path}`, body, { "X-Forwarded-For": address });
  const signUp = (address: string) => {
    const { password, ...person } = newStudent();
    return ask("register", { ...person, password, confirmpassword: password }, address);
  };
  const crowd = "203.0.113.60";
  let answered = 0;
  const send = async (index: number): Promise<number> => {
    const guess = { email: `guess-${index}@b.cc`, password: "a guess" };
    const { status } = await (index % 2 === 0 ? ask("login", guess, crowd) : signUp(crowd));
    answered++;
    return status;
  };
  const [first, ...others] = Array.from({ length: REQUESTS }, (_, index) => send(index));
  await first;
  const elsewhere = "203.0.113.61";
  const own = await Promise.all([ask("login", { email, password }, elsewhere), signUp(elsewhere)]);
  expect(own.map(({ status }) => status)).toEqual([200, 200]);
  expect(answered).toBeLessThan(REQUESTS / 4);
  const expected = Array.from({ length: REQUESTS }, (_, index) => (index % 2 === 0 ? 401 : 200));
  expect(await Promise.all([first, ...others])).toEqual(expected);
});
