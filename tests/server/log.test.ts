import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { ADDRESS, orderFor } from "../factories/orders.ts";
import { logIn, newStudent, register } from "../factories/students.ts";
import { SmtpInbox } from "../setup/smtp-inbox.ts";
import { startServerProcess, tempFolder } from "../setup/temporary.ts";
import { databaseUrlFor } from "../setup/test-database.ts";

test("log lines name requests, mails and failures by id, and contain no personal data, codes or secrets", async () => {
  const student = newStudent();
  const stranger = newStudent();
  const inbox = await SmtpInbox.start({ recipient: (to) => (to === stranger.email ? 550 : undefined) });
  const server = await startServerProcess({ SMTP_URL: inbox.url, LOG_LEVEL: "debug" });
  const visitor = server.visitor();
  const codeOf = async (mail: number) => {
    await expect.poll(() => inbox.to(student.email).length).toBeGreaterThan(mail);
    return /\b\d{6}\b/.exec(inbox.to(student.email)[mail]?.text ?? "")?.[0] ?? "no code";
  };

  await register(visitor, student);
  await register(visitor, stranger);
  const verifyCode = await codeOf(0);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  await visitor.post("/api/v1/users/login", { email: student.email, password: "not the password" });
  await logIn(visitor, student);
  await visitor.get("/api/v1/users/getuser");
  const found = await visitor.get("/api/v1/prints/shopslocation?search=Red%20Soil%20of%20Asha");
  const order = { ...(await orderFor(visitor, { shopId: "red-soil-prints" })), address: ADDRESS };
  const placed = await visitor.post("/api/v1/prints/printorder", order);
  await expect.poll(() => server.lines.some((line) => line.includes('"mail given up"'))).toBe(true);

  const log = server.lines.join("\n");
  const lines = server.lines.map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === "request");
  const session = visitor.cookie("session");
  await inbox.close();

  expect([placed.status, found.status]).toEqual([200, 200]);
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
    "Soil",
    "not the password",
  ]) {
    expect(log).not.toContain(secret);
  }
});

test("refused and failed requests are logged with their status, but without their URL", async () => {
  const DATABASE_URL = await databaseUrlFor(await tempFolder());
  const server = await startServerProcess({ DATABASE_URL, LOG_LEVEL: "debug" });
  const { db, close } = await openDatabase(DATABASE_URL);
  onTestFinished(close);
  const guest = server.visitor();
  const message = { fullName: "A", email: "asha@college.example", message: "Turret 9" };

  await guest.get("/files/0f5c-1?exp=1&sig=a-signature-of-somebody");
  await guest.get("/reset-password?token=a-token-of-somebody");
  await guest.get("/api/v1/nothing/asha@college.example");
  await guest.query("orders.mine", { search: "Turret 9" });
  await guest.query("board.page", { search: "Turret 9" });
  await guest.send("POST", "/api/v1/users/login", "{", { "Content-Type": "application/json" });
  await guest.post("/api/v1/users/contactus", { ...message, email: "nobody" });
  await guest.post("/api/v1/users/contactus", message, { Origin: "https://evil.example" });
  await db.schema.dropTable("contact_messages").execute();
  await guest.post("/api/v1/users/contactus", message);
  await expect.poll(() => server.lines.filter((line) => line.includes('"status":500')).length).toBe(1);

  const lines = server.lines.map((line) => JSON.parse(line));
  const told = lines
    .filter(({ msg }) => msg === "request")
    .map(({ level, method, route, status }) => `${level} ${method} ${route} ${status}`);
  expect(told).toEqual([
    "30 GET /files/:id 404",
    "20 GET /* 200",
    "30 GET /api/* 404",
    "30 GET /api/trpc/* 401",
    "30 GET /api/trpc/* 401",
    "30 POST /api/v1/users/login 400",
    "30 POST /api/v1/users/contactus 422",
    "30 POST /api/* 403",
    "30 POST /api/v1/users/contactus 500",
  ]);
  const failure = lines.find(({ level }) => level === 50);
  expect(failure).toMatchObject({ err: { stack: expect.any(String) }, requestId: lines.at(-1)?.requestId });
  const log = server.lines.join("\n");
  for (const mark of ["a-signature-of", "a-token-of", "asha@college", "Turret", "0f5c-1"]) {
    expect(log).not.toContain(mark);
  }
});
