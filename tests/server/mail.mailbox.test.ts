import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { type Mail, queueMail, queueMails } from "#server/mail/mail.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import { mailSaying } from "../factories/mails.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { freePort } from "../setup/free-port.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const ADMIN = { email: "boss@print-store.example", password: "a long password" };

const store = testStore({
  HOST: "0.0.0.0",
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  SEED_DEMO: "false",
});

describe("the mailbox", () => {
  test("lists the mails, newest first, and shows both parts of one", async () => {
    const visitor = store.visitor();
    const [older, newer] = [newStudent(), newStudent()];
    await register(visitor, older);
    store.clock.advance({ seconds: 1 });
    await register(visitor, newer);
    const code = await newestCode(store, newer.email);

    const list = await ask("/mailbox");
    expect(list.status).toBe(200);
    expect(list.body.indexOf(newer.email)).toBeGreaterThan(0);
    expect(list.body.indexOf(newer.email)).toBeLessThan(list.body.indexOf(older.email));
    expect(list.body).toContain("Verify your Print Store account");
    const refresh = '<meta http-equiv="refresh" content="5">';
    expect(list.body).toContain(refresh);
    const sentAt = store.clock.now().toISOString();
    expect(list.body).toContain(`<time datetime="${sentAt}">${indianTime(sentAt)}</time>`);

    const [href] = /\/mailbox\/[\w-]+/.exec(list.body) ?? [];
    const page = await ask(href ?? "");
    expect(page.status).toBe(200);
    expect(page.body).toContain(newer.email);
    expect(page.body).not.toContain(refresh);
    expect(page.body).toMatch(new RegExp(`srcdoc="[^"]*&gt;${code}&lt;[^"]*"`));
    expect(page.body).toMatch(new RegExp(`<pre>[^<]*\n {4}${code}\n[^<]*</pre>`));
  });

  test("returns the same as JSON", async () => {
    const student = newStudent();
    await register(store.visitor(), student);

    const { body, headers } = await ask("/mailbox.json");

    expect(headers["content-type"]).toContain("json");
    const mail = JSON.parse(body).mails.find((one: { to: string }) => one.to === student.email);
    expect(mail).toMatchObject({ kind: "account-verify", subject: "Verify your Print Store account" });
    expect(mail.text).toContain(await newestCode(store, student.email));
  });

  test("shows the QR codes of a mail", async () => {
    store.clock.advance({ seconds: 1 });
    const blocks = [{ kind: "qr" as const, label: "Pay ₹44.00 by UPI", url: "upi://pay?pa=a@b&am=44.00" }];
    const content = { title: "Your order", blocks, footer: "You ordered." };
    await queue({ to: "asha@college.example", subject: "Your order", content });

    const [{ id, html, qrCodes }] = JSON.parse((await ask("/mailbox.json")).body).mails;
    expect(html).toContain(`src="cid:${qrCodes[0].cid}"`);
    const { body, headers } = await ask(`/mailbox/${id}`);
    expect(body).toContain("src=&quot;data:image/png;base64,");
    expect(body).not.toContain("cid:");
    expect(headers["content-security-policy"]).toContain("img-src data:;");
  });

  test("shows names and subjects literally, and the mail's HTML only inside a sandbox", async () => {
    const attack = `"><script>alert(1)</script>`;
    store.clock.advance({ seconds: 1 });
    await queue({ subject: attack, content: mailSaying(attack), to: `${attack}@x.example` });
    store.clock.advance({ seconds: 1 });

    const list = await ask("/mailbox");
    const id = JSON.parse((await ask("/mailbox.json")).body).mails[0].id;
    const page = await ask(`/mailbox/${id}`);

    for (const { body, headers } of [list, page]) {
      expect(body).not.toContain("<script");
      expect(body).toContain("&quot;&gt;&lt;script&gt;");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["cache-control"]).toBe("no-store");
    }
    expect(page.body).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  });

  test.each(["localhost", "localhost:3000", "127.0.0.1", "127.8.8.8:80", "[::1]:3000"])(
    "opens for requests from this machine to %s",
    async (host) => {
      expect((await ask("/mailbox", { Host: host })).status).toBe(200);
    },
  );

  test("shows whom a reply goes to", async () => {
    const content = mailSaying("Are you open?");
    const replyTo = "meera@college.example";
    const id = await queue({ to: "asha@college.example", subject: "Question", content, replyTo });
    expect((await ask(`/mailbox/${id}`)).body).toContain(`<th scope="row">Reply to</th><td>${replyTo}</td>`);
  });

  test("shows the newest 200", async () => {
    const content = mailSaying("Hello");
    const mail = { kind: "contact" as const, to: "crowd@college.example", subject: "Hello", content };
    await transact(store.deps.db, (trx) => queueMails(trx, store.clock, Array(210).fill(mail)));
    expect(JSON.parse((await ask("/mailbox.json")).body).mails).toHaveLength(200);
  });

  test("does not find an unknown mail", async () => {
    expect((await ask("/mailbox/no-such-mail")).status).toBe(404);
  });
});

describe("the mailbox is hidden from", () => {
  test.each([
    ["X-Forwarded-For", "203.0.113.7"],
    ["X-Forwarded-Host", "localhost"],
    ["X-Forwarded-Proto", "https"],
    ["Forwarded", "for=203.0.113.7"],
    ["X-Real-IP", "203.0.113.7"],
    ["Via", "1.1 proxy"],
  ])("a request through a proxy (%s)", async (name, value) => {
    for (const path of ["/mailbox", "/mailbox.json", "/mailbox/some-mail"]) {
      expect((await ask(path, { [name]: value })).status).toBe(404);
    }
  });

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.5"])(
    "a request for the host %j",
    async (host) => {
      expect((await ask("/mailbox", { Host: host })).status).toBe(404);
    },
  );

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;
  test.skipIf(!outside)("a network client that claims to ask for localhost", async () => {
    expect((await ask("/mailbox", { Host: "localhost" }, outside)).status).toBe(404);
  });

  test("a logged-in student behind a proxy", async () => {
    const { visitor } = await signedInStudent(store);
    const answer = await ask("/mailbox", { Cookie: visitor.cookieHeader, "X-Forwarded-For": "203.0.113.7" });
    expect(answer.status).toBe(404);
  });
});

test("an admin can read the mailbox from anywhere", async () => {
  const visitor = store.visitor();
  const login = await visitor.post("/api/v1/users/login", ADMIN);
  expect(login.status).toBe(200);
  const answer = await ask("/mailbox", { Cookie: visitor.cookieHeader, "X-Forwarded-For": "203.0.113.7" });
  expect(answer.status).toBe(200);
});

test("a store with a public name hides the mailbox from guests, even on this machine", async () => {
  const port = String(await freePort());
  await tempStore({
    PUBLIC_URL: "https://print.example",
    PORT: port,
    SEED_DEMO: "false",
  });
  expect((await ask("/mailbox", {}, "127.0.0.1", port)).status).toBe(404);
});

test("a store in production shows the mailbox to admins only, even to requests from this machine", async () => {
  const store = await tempStore({ NODE_ENV: "production" });
  const { port } = new URL(store.url);
  const { visitor } = await signedInAdmin(store);
  const student = await signedInStudent(store);
  for (const path of ["/mailbox", "/mailbox.json", "/mailbox/some-mail"]) {
    expect((await ask(path, {}, "127.0.0.1", port)).status).toBe(404);
    expect((await ask(path, { Cookie: student.visitor.cookieHeader }, "127.0.0.1", port)).status).toBe(404);
  }
  const answer = await ask("/mailbox.json", { Cookie: visitor.cookieHeader }, "127.0.0.1", port);
  expect(answer.status).toBe(200);
});

test("a store with SMTP has no mailbox", async () => {
  const withSmtp = await tempStore({ SMTP_URL: "smtp://127.0.0.1:1", SEED_DEMO: "false" });
  expect((await ask("/mailbox.json", {}, "127.0.0.1", new URL(withSmtp.url).port)).status).toBe(404);
});

function queue(mail: Pick<Mail, "to" | "subject" | "content" | "replyTo">): Promise<string> {
  return transact(store.deps.db, (trx) => queueMail(trx, store.clock, { kind: "contact", ...mail }));
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A raw request with any Host header; fetch would set its own. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  hostname = "127.0.0.1",
  port = new URL(store.url).port,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path, headers }, async (res) => {
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: await text(res) });
    });
    req.on("error", reject).end();
  });
}
