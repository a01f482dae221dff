import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { checkPassword, hashChosenPassword, hashPassword } from "#server/accounts/passwords.ts";

test("a password is stored as argon2id with the required cost, and each hash is different", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await verify(one, "correct horse")).toBe(true);
});

test("students cannot choose the 3,000 most common passwords, and can choose the next one", async () => {
  const list = dictionary["passwords-common"];
  for (const common of [list[0], list[2999]])
    await expect(hashChosenPassword(common ?? "")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await hashChosenPassword(list[3000] ?? "")).toContain("$argon2id$");
});

test("verifies hashes made by another argon2 library", async () => {
  const foreign = await hash("correct horse", { memoryCost: 8 * 1024, timeCost: 3, parallelism: 1 });
  expect(await checkPassword(foreign, "correct horse")).toBe(true);
  expect(await checkPassword(foreign, "correct horsf")).toBe(false);
});

test("verifies many passwords at once, each with its own result", async () => {
  const passwords = Array.from({ length: 6 }, (_, index) => `password ${index}`);
  const hashes = await Promise.all(passwords.map((password) => hashPassword(password)));
  const pairs = hashes.flatMap((hash) => passwords.map((password) => ({ hash, password })));

  const answers = await Promise.all(pairs.map(({ hash, password }) => checkPassword(hash, password)));

  const right = pairs.map(({ hash, password }) => hashes.indexOf(hash) === passwords.indexOf(password));
  expect(answers).toEqual(right);
});

test("a password is the same from every keyboard, whether it sends a letter whole or as letter and mark", async () => {
  // The Hindi ड़ and é: NFC knows the first only in two parts, and the second as one letter.
  const ways = ["\u095c \u00e9", "\u0921\u093c \u00e9", "\u095c e\u0301"];
  for (const chosen of ways) {
    const stored = await hashPassword(chosen);
    for (const typed of ways) expect(await checkPassword(stored, typed)).toBe(true);
  }
});

test("verifies nothing without a stored hash", async () => {
  for (const password of ["", "a password that opens no account"]) {
    expect(await checkPassword(undefined, password)).toBe(false);
  }
});

test("reports an unreadable hash as an error, and verifies the next password", async () => {
  const good = await hashPassword("correct horse");
  const broken = checkPassword("$argon2id$v=19$nonsense", "correct horse");
  const others = Promise.all(Array.from({ length: 4 }, () => checkPassword(good, "correct horse")));
  await expect(broken).rejects.toMatchObject({ code: "UNAVAILABLE", message: /cannot be checked just now/ });
  expect(await others).toEqual([true, true, true, true]);
  expect(await checkPassword(good, "correct horse")).toBe(true);
});
