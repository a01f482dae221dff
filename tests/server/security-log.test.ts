import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createKeyring } from "#server/lib/crypto.ts";
import { pseudonym, SECURITY_EVENTS } from "#server/lib/log.ts";
import { logIn, newStudent, register, type Student } from "../factories/students.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { startServerProcess } from "../setup/temporary.ts";

const SECRET = "the secret of the store whose log this is";
const run = promisify(execFile);

/** The pseudonym that the operator's command prints for this e-mail or address. */
async function nameInLog(text: string): Promise<string> {
  const script = join(import.meta.dirname, "../../scripts/pseudonym.ts");
  const { stdout } = await run(process.execPath, [script, text], { env: { ...BARE_ENVIRONMENT, SECRET } });
  return stdout.trim();
}

const ref = (text: string) => pseudonym(createKeyring(SECRET), text);

test("the operator's command finds an e-mail and a phone number however they are written, and takes one argument", async () => {
  expect(await nameInLog("Asha@College.example")).toBe(ref("asha@college.example"));
  expect(await nameInLog("+91 98765 43210")).toBe(ref("9876543210"));
  expect(await nameInLog("9876543210")).toBe(ref("9876543210"));
  const script = join(import.meta.dirname, "../../scripts/pseudonym.ts");
  const env = { ...BARE_ENVIRONMENT, SECRET };
  const usage = "Usage: npm run pseudonym -- EMAIL, PHONE or ADDRESS\n";
  for (const args of [["98765", "43210"], ["--unknown"], []]) {
    const refusal = await run(process.execPath, [script, ...args], { env }).catch((error) => error);
    expect(refusal).toMatchObject({ code: 1, stdout: "", stderr: usage });
  }
  expect(await run(process.execPath, [script, "--help"], { env })).toEqual({ stdout: usage, stderr: "" });
});

test("failed logins, lockouts, wrong codes and new passwords are logged per account, under a pseudonym", async () => {
  const [asha, ravi] = [newStudent(), newStudent()];
  const inbox = await SmtpInbox.start();
  const server = await startServerProcess({
    SMTP_URL: inbox.url,
    SECRET,
    RATE_LIMIT_SCALE: "1",
    LOG_LEVEL: "info",
  });
  const visitor = server.visitor();
  const post = (path: string, body: object) =>
    server.visitor().post(`/api/v1/users/${path}`, body, { "X-Forwarded-For": "203.0.113.7" });
  const codeTo = async ({ email }: Student, mail: number) => {
    await expect.poll(() => inbox.to(email).length).toBeGreaterThan(mail);
    return /\b\d{6}\b/.exec(inbox.to(email)[mail]?.text ?? "")?.[0] ?? "no code";
  };

  await register(visitor, asha);
  const first = await codeTo(asha, 0);
  const wrong = String((Number(first) + 1) % 1_000_000).padStart(6, "0");
  await post("verify-account", { verifyCode: wrong, phone: asha.phone });
  await post("verify-account", { verifyCode: first, phone: asha.phone });
  for (let guesses = 0; guesses < 11; guesses++) {
    await post("login", { email: asha.email, password: "not the password" });
  }
  await post("login", { email: ravi.email, password: "not the password" });
  await post("login-with-otp", { phone: asha.phone, verifyCode: "000000" });
  await logIn(visitor, asha);
  const change = {
    currentPassword: asha.password,
    password: "a new password",
    confirmpassword: "a new password",
  };
  await visitor.mutate("accounts.changePassword", { ...change, currentPassword: "not the password" });
  await visitor.mutate("accounts.changePassword", change);
  // Stops the server first: it keeps a connection to the inbox, and its last log lines come when it stops.
  await server.stop();
  await inbox.close();

  const lines = server.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "security");
  const ashas = await nameInLog(asha.email);
  const told = lines.filter(({ accountRef }) => accountRef === ashas);
  const countOf = (event: string) => told.filter((line) => line.event === event).length;
  const counted = Object.fromEntries(SECURITY_EVENTS.map((event) => [event, countOf(event)]));
  expect(counted).toMatchObject({
    "auth.signup.verified": 1,
    "auth.login.failed": 10,
    "auth.limit.reached": 1,
    "auth.code.failed": 2,
    "auth.login.succeeded": 2,
    "auth.password.failed": 1,
    "auth.password.changed": 1,
  });
  expect(told.find(({ event }) => event === "auth.limit.reached")).toMatchObject({
    limit: "loginPair",
    level: 40,
  });
  const attacker = ref("203.0.113.7");
  const failures = lines.filter(({ event }) => event === "auth.login.failed");
  expect(failures.map(({ addressRef }) => addressRef)).toEqual(Array(12).fill(attacker));
  expect(new Set(failures.map(({ accountRef }) => accountRef))).toEqual(
    new Set([ashas, ref(ravi.email), ref(asha.phone)]),
  );
  expect(lines.every(({ requestId }) => typeof requestId === "string" && requestId.length > 10)).toBe(true);
  expect(lines.every(({ event }) => SECURITY_EVENTS.includes(event))).toBe(true);

  const log = server.lines.join("\n");
  const own = [asha, ravi].flatMap(({ email, phone, password }) => [email, phone, password]);
  for (const secret of [...own, first, wrong, "not the password", "a new password", "203.0.113.7", SECRET]) {
    expect(log).not.toContain(secret);
  }
});
