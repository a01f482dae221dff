import { expect, test } from "vitest";
import { ADDRESS, orderFor } from "../factories/orders.ts";
import { newStudent, register } from "../factories/students.ts";
import { startServerProcess } from "../setup/server-process.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";

test("log lines tell of requests, mails and failures by id, and hold nobody's data, codes or secrets", async () => {
  const student = newStudent();
  const stranger = newStudent();
  const inbox = await SmtpInbox.start({ recipient: (to) => (to === stranger.email ? 550 : undefined) });
  const server = await startServerProcess({ SMTP_URL: inbox.url, LOG_LEVEL: "debug" });
  const visitor = server.visitor();
  const codeOf = async (mail: number) => {
    await expect.poll(() => inbox.to(student.email).length, { timeout: 10_000 }).toBeGreaterThan(mail);
    return /\b\d{6}\b/.exec(inbox.to(student.email)[mail]?.text ?? "")?.[0] ?? "no code";
  };

  await register(visitor, student);
  await register(visitor, stranger);
  const verifyCode = await codeOf(0);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  await visitor.post("/api/v1/users/login", { email: student.email, password: "not the password" });
  await visitor.post("/api/v1/users/login", student);
  await visitor.get("/api/v1/users/getuser");
  const order = { ...(await orderFor(visitor, { shopId: "red-soil-prints" })), address: ADDRESS };
  const placed = await visitor.post("/api/v1/prints/printorder", order);
  await expect.poll(() => server.lines.some((line) => line.includes('"mail given up"'))).toBe(true);

  const log = server.lines.join("\n");
  const lines = server.lines.map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === "request");
  const session = visitor.cookieHeader.split("=")[1] ?? "";
  await inbox.close();

  expect(placed.status).toBe(200);
  expect(requests).toContainEqual(
    expect.objectContaining({ method: "POST", route: "/api/v1/users/login", status: 401, level: 30 }),
  );
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length);
  expect(session.length).toBeGreaterThan(20);
  const secrets = [student, stranger].flatMap(({ email, phone, password, fullName }) => [
    email,
    phone,
    password,
    fullName,
  ]);
  for (const secret of [
    ...secrets,
    verifyCode,
    session,
    ADDRESS.roadNo,
    ADDRESS.flatno,
    "not the password",
  ]) {
    expect(log).not.toContain(secret);
  }
});
