import { hash, verify } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { checkPassword, hashPassword } from "#server/accounts/passwords.ts";

test("a password is kept as argon2id of the right cost, and no two hashes of it are the same", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await verify(one, "correct horse")).toBe(true);
});

test("hashes from elsewhere are checked as well", async () => {
  const foreign = await hash("correct horse", { memoryCost: 8 * 1024, timeCost: 3, parallelism: 1 });
  expect(await checkPassword(foreign, "correct horse")).toBe(true);
  expect(await checkPassword(foreign, "correct horsf")).toBe(false);
});

test("of many passwords that are checked at once each gets its own answer", async () => {
  const passwords = Array.from({ length: 6 }, (_, index) => `password ${index}`);
  const hashes = await Promise.all(passwords.map((password) => hashPassword(password)));
  const pairs = hashes.flatMap((hash) => passwords.map((password) => ({ hash, password })));

  const answers = await Promise.all(pairs.map(({ hash, password }) => checkPassword(hash, password)));

  const right = pairs.map(({ hash, password }) => hashes.indexOf(hash) === passwords.indexOf(password));
  expect(answers).toEqual(right);
});

test("no password is nobody's", async () => {
  for (const password of ["", "a password that opens no account"]) {
    expect(await checkPassword(undefined, password)).toBe(false);
  }
});

test("a hash that cannot be read is an error that says so, and the next password is checked again", async () => {
  const good = await hashPassword("correct horse");
  const broken = checkPassword("$argon2id$v=19$nonsense", "correct horse");
  const others = Promise.all(Array.from({ length: 4 }, () => checkPassword(good, "correct horse")));
  await expect(broken).rejects.toMatchObject({ code: "UNAVAILABLE", message: /cannot be checked just now/ });
  expect(await others).toEqual([true, true, true, true]);
  expect(await checkPassword(good, "correct horse")).toBe(true);
});
