import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKeyring } from "#server/lib/crypto.ts";
import {
  createLog,
  logSecurity,
  SECURITY_EVENTS,
  type SecurityEvent,
  withoutPersonalData,
  writeTo,
} from "#server/lib/log.ts";
import { createMetrics, workerFailures } from "#server/lib/metrics.ts";
import { tempFolder } from "../setup/temporary.ts";

/** The line that this call writes, parsed; undefined for none. */
function lineOf(write: (log: ReturnType<typeof createLog>) => void, level = "info") {
  let written = "";
  write(createLog(level, { write: (text) => (written += text) }));
  return written ? JSON.parse(written) : undefined;
}

test("input cannot start a new log line or add a field to one", () => {
  let written = "";
  const log = createLog("info", { write: (text) => (written += text) });
  const forged = 'kept\r\n{"level":10,"msg":"nothing happened"}\u2028","level":10,"x":"';
  log.error({ err: new Error(forged), file: forged }, forged);
  const lines = written.split(/[\r\n]+/).filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, msg: forged, file: forged });
});

test("a log on a full disk stops nobody, and is written again once there is space", async () => {
  const full = openSync("/dev/full", "w");
  const log = createLog("info", writeTo(full));
  log.info("lost");
  closeSync(full);
  const path = join(await tempFolder(), "log");
  // Opened in its place.
  expect(openSync(path, "w")).toBe(full);
  log.info("x".repeat(100_000));
  log.info("last");
  closeSync(full);

  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["x".repeat(100_000), "last"]);
});

test.each(["password", "otp", "token", "apiKey", "secret", "email", "phone", "to", "address", "cookie"])(
  "a field called %s is hidden, also within another",
  (field) => {
    const line = lineOf((log) =>
      log.info({ [field]: "asha", mail: { [field]: "asha", kind: "contact" } }, "sent"),
    );
    expect(line).toMatchObject({ [field]: "[hidden]", mail: { [field]: "[hidden]", kind: "contact" } });
  },
);

test.each([
  ["an e-mail address", "550 <asha.verma+notes@mail.college.example>: unknown", "550 <[hidden]>: unknown"],
  ["an address in a list", "to=asha@college.example,ravi@college.example;", "to=[hidden],[hidden];"],
  ["a code", "Key (code)=(042137) exists", "Key (code)=([hidden]) exists"],
  ["a phone number", "no account of 9876543210", "no account of [hidden]"],
  ["a token", `session ${"aZ09_-xy".repeat(4)} is gone`, "session [hidden] is gone"],
  [
    "nothing else",
    "5 of 12345 rows at 127.0.0.1, 12345678 bytes",
    "5 of 12345 rows at 127.0.0.1, 12345678 bytes",
  ],
])("of a text from elsewhere %s is hidden", (_what, text, shown) => {
  expect(withoutPersonalData(text)).toBe(shown);
});

test("a long text without spaces is looked through as fast as one with spaces", () => {
  const [word, words] = ["a.".repeat(20_000), "a ".repeat(20_000)];
  const took = (text: string) => {
    const start = performance.now();
    expect(withoutPersonalData(text)).toBe(text);
    return performance.now() - start;
  };
  const least = Math.min(took(words), took(words), took(words));
  // Looked at from each of its letters, it takes ten thousand times as long.
  expect(took(word)).toBeLessThan(200 * least);
});

test("of an error its type, code, stack and causes are logged, without personal data and what libraries attach", () => {
  const cause = Object.assign(new TypeError("asha@college.example"), { rows: ["Asha"] });
  const err = Object.assign(new Error("no 9876543210", { cause }), { code: "EENVELOPE", rejected: ["Asha"] });
  const line = lineOf((log) => log.error({ err }, "failed"));
  expect(line.err).toEqual({
    type: "Error",
    code: "EENVELOPE",
    message: "no [hidden]",
    stack: expect.stringMatching(/^Error: no \[hidden\]\n +at /),
    cause: {
      type: "TypeError",
      message: "[hidden]",
      stack: expect.stringMatching(/^TypeError: \[hidden\]\n/),
    },
  });
  expect(lineOf((log) => log.error({ err: "asha@college.example" })).err).toEqual({
    type: "string",
    message: "[hidden]",
  });
  const bare = Object.assign(new Error("bare"), { stack: undefined });
  expect(lineOf((log) => log.error({ err: bare })).err).toEqual({ type: "Error", message: "bare" });
});

test("below its level nothing is logged", () => {
  expect(lineOf((log) => log.info("hello"), "warn")).toBeUndefined();
  expect(lineOf((log) => log.warn("hello"), "warn")).toMatchObject({ level: 40, msg: "hello" });
});

test("a security event names account and address by pseudonyms, and failures are warnings", () => {
  const keyring = createKeyring("a secret of this test, long enough");
  const event = (
    name: "auth.login.failed" | "auth.login.succeeded",
    who: { email: string } | { phone: string },
  ) =>
    lineOf((log) =>
      logSecurity({ log, keyring, address: "203.0.113.7", requestId: "r1" }, name, who, { by: "code" }),
    );
  const [email, phone] = ["asha@college.example", "9876543210"];
  const ref = (text: string) => keyring.mac("log", text).slice(0, 16);
  const addressRef = ref("203.0.113.7");
  const facts = { addressRef, requestId: "r1", by: "code", msg: "security" };
  expect(event("auth.login.failed", { email })).toMatchObject({
    level: 40,
    accountRef: ref(email),
    ...facts,
  });
  expect(event("auth.login.succeeded", { phone })).toMatchObject({
    level: 30,
    accountRef: ref(phone),
    ...facts,
  });
});

test("security events that may be an attack are warnings, the others are not", () => {
  const keyring = createKeyring("a secret of this test, long enough");
  const caller = { keyring, address: "203.0.113.7", requestId: "r1" };
  const levelOf = (event: SecurityEvent) =>
    lineOf((log) => logSecurity({ log, ...caller }, event, { email: "asha@college.example" })).level;
  expect(SECURITY_EVENTS.filter((event) => levelOf(event) === 40)).toEqual([
    "auth.login.failed",
    "auth.limit.reached",
    "auth.code.failed",
    "auth.code.closed",
    "auth.password.failed",
  ]);
});

test("requests and procedures are measured in seconds", async () => {
  const metrics = createMetrics();
  metrics.observeRequest({ method: "GET", route: "/shops", status: 200 }, 1500);
  metrics.observeProcedure({ procedure: "shops.list", ok: "true" }, 250);
  const text = await metrics.text();
  expect(text).toContain('http_request_duration_seconds_sum{method="GET",route="/shops",status="200"} 1.5\n');
  expect(text).toContain('procedure_duration_seconds_sum{procedure="shops.list",ok="true"} 0.25\n');
});

test("a gauge that cannot be read hides no other metric", async () => {
  const metrics = createMetrics();
  metrics.addGauge("outbox_waiting", "Mails that wait", () => Promise.reject(new Error("no database")));
  metrics.observeRequest({ method: "GET", route: "/shops", status: 503 }, 10);
  const text = await metrics.text();
  expect(text).toMatch(/^outbox_waiting nan$/im);
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/shops",status="503"} 1\n');
});

test("failures of workers are counted by worker", async () => {
  const metrics = createMetrics();
  const counted = async () =>
    /^worker_failures_total\{worker="pdf"\} (\d+)$/m.exec(await metrics.text())?.[1];
  workerFailures.publish("pdf");
  workerFailures.publish("pdf");
  expect(await counted()).toBe("2");
});
