import { expect, test } from "vitest";
import {
  emailCodeMail,
  loginCodeMail,
  recoveryMail,
  verificationMail,
} from "#server/accounts/accounts.mails.ts";
import { contactMail } from "#server/contact/contact.service.ts";
import { composeMail } from "#server/mail/rendering.ts";
import { invitationMail } from "#server/staff/staff.mails.ts";

const TO = "asha@college.example";

type LoginFacts = Omit<Parameters<typeof loginCodeMail>[0], "neverVerified">;

test.each([
  ["verification", verificationMail],
  ["login", (facts: LoginFacts) => loginCodeMail({ ...facts, neverVerified: false })],
  ["login (never verified)", (facts: LoginFacts) => loginCodeMail({ ...facts, neverVerified: true })],
  ["new e-mail", emailCodeMail],
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

test.each([
  [1, "admin", "A, an admin"],
  [2, "owner", "A and B, a shop owner"],
  [6, "owner", "A, B, C, D, E and F, a shop owner"],
  [7, "owner", "A, B, C, D, E and 2 other shops, a shop owner"],
] as const)(
  "an invitation to %i shops by an %s names the shops, of many the first five, and who sent it",
  (count, role, told) => {
    const shops = ["A", "B", "C", "D", "E", "F", "G"].slice(0, count);
    const url = "https://print-store.example/admin/join?token=abc";
    const mail = invitationMail({
      to: TO,
      invitedBy: { name: "Tara Bose", role },
      role: "counter",
      shops,
      url,
    });
    const text = composeMail(mail.content).text.replaceAll(/\s+/g, " ");
    const [named, sender] = told.split(/, (?=an? )/);
    expect(text).toContain(`Tara Bose invites you to work at the counter of ${named}: to print orders`);
    expect(text).toContain(`Tara Bose, ${sender} at Print Store, entered this address.`);
    expect(text).toContain("within 7 days");
    expect(text).toContain(url);
    expect(mail.secret).toBe(true);
  },
);

test.each([
  ["owner", "to run A and B: its orders, prices, people and payments."],
  ["admin", "to run the whole store, as an admin."],
] as const)("an invitation of an %s says what they may do", (role, purpose) => {
  const invitedBy = { name: "Tara Bose", role: "admin" } as const;
  const shops = role === "admin" ? [] : ["A", "B"];
  const mail = invitationMail({ to: TO, invitedBy, role, shops, url: "https://print-store.example" });
  const text = composeMail(mail.content).text.replaceAll(/\s+/g, " ");
  expect(text).toContain(`Tara Bose invites you ${purpose}`);
});

test("a message to the store names its sender, whom a reply reaches", () => {
  const message = { fullName: "Mani Das", email: "mani@college.example", subject: "", message: "Hi" };
  const { content, replyTo, to } = contactMail(TO, message);
  const { text } = composeMail(content);
  expect([to, replyTo]).toEqual([TO, "mani@college.example"]);
  expect(text).toMatch(/Name:? +Mani Das/);
  expect(text).toMatch(/Email:? +mani@college\.example/);
});
