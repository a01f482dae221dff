import { expect, test } from "vitest";
import { loginCodeMail, recoveryMail, verificationMail } from "#server/accounts/accounts.mails.ts";
import { composeMail } from "#server/mail/rendering.ts";

const TO = "asha@college.example";

type LoginFacts = Omit<Parameters<typeof loginCodeMail>[0], "neverVerified">;

test.each([
  ["verification", verificationMail],
  ["login", (facts: LoginFacts) => loginCodeMail({ ...facts, neverVerified: false })],
  ["login (never verified)", (facts: LoginFacts) => loginCodeMail({ ...facts, neverVerified: true })],
])("the %s mail is secret and shows its code in both parts, but not in the subject", (_name, compose) => {
  const mail = compose({ to: TO, fullName: "Asha Verma", code: "042137" });
  const { text, html } = composeMail(mail.content);
  expect(mail).toMatchObject({ to: TO, secret: true });
  expect(text).toMatch(/^ {4}042137$/m);
  expect(html).toContain(">042137<");
  expect(text).toContain("for 10 minutes");
  expect(mail.subject).not.toContain("042137");
});

test("the login mail of an unverified account greets nobody by name and says which sign-up data will be removed", () => {
  const facts = { to: TO, fullName: "Asha Verma", code: "042137" };
  const textOf = (neverVerified: boolean) =>
    composeMail(loginCodeMail({ ...facts, neverVerified }).content).text.replaceAll(/\s+/g, " ");
  const forgotten = "the password, name and mobile number from that sign-up are removed";
  expect([textOf(true).includes(forgotten), textOf(true).includes("Asha")]).toEqual([true, false]);
  expect([textOf(false).includes(forgotten), textOf(false).includes("Asha")]).toEqual([false, true]);
});

test("the recovery mail is secret and shows its link in both parts", () => {
  const url = "https://print-store.example/reset-password?token=abc_-123";
  const { secret, content } = recoveryMail({ to: TO, fullName: "Asha Verma", url });
  const { text, html } = composeMail(content);
  expect(secret).toBe(true);
  expect(text).toContain(`${url}\n`);
  expect(html).toContain(`href="${url}"`);
  expect(text).toContain("for 30 minutes");
});

test.each([
  ["Asha Verma", "Hello Asha Verma,"],
  ["Dr. A. P. J. D'Souza-Rao", "Hello Dr. A. P. J. D'Souza-Rao,"],
  ["आशा वर्मा", "Hello आशा वर्मा,"],
  ["Win a prize at www.evil.example", "Hello,"],
  ["https://evil.example", "Hello,"],
  ["Asha\r\nCall 99999 now", "Hello,"],
  ["x".repeat(61), "Hello,"],
])("a person named %j is greeted with %j, so that a name cannot carry a message", (fullName, greeting) => {
  const { content } = verificationMail({ to: TO, fullName, code: "042137" });
  expect(composeMail(content).text.split("\n")).toContain(greeting);
});
