import { expect, test } from "vitest";
import { loginCodeMail, recoveryMail, verificationMail } from "#server/accounts/accounts.mails.ts";
import { composeMail } from "#server/mail/mail.template.ts";

const TO = "asha@college.example";

test.each([
  ["verification", verificationMail],
  ["login", loginCodeMail],
])(
  "the %s mail holds its code in both parts, is secret, and keeps it out of the subject",
  (_name, compose) => {
    const mail = compose({ to: TO, fullName: "Asha Verma", code: "042137" });
    const { text, html } = composeMail(mail.content);
    expect(mail).toMatchObject({ to: TO, secret: true });
    expect(text).toMatch(/^ {4}042137$/m);
    expect(html).toContain(">042137<");
    expect(text).toContain("for 10 minutes");
    expect(mail.subject).not.toContain("042137");
  },
);

test("the recovery mail holds its link in both parts and is secret", () => {
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
])("an account named %j is greeted %j, so that a name carries no message", (fullName, greeting) => {
  const { content } = verificationMail({ to: TO, fullName, code: "042137" });
  expect(composeMail(content).text.split("\n")).toContain(greeting);
});
