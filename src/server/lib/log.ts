import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Context, Deps } from "../context.ts";

/** Fields whose values are removed from every log line, at the top level and one level below. */
const SECRET_FIELDS = [
  "password",
  "otp",
  "token",
  "apiKey",
  "secret",
  "email",
  "phone",
  "to",
  "address",
  "cookie",
];

/** E-mail addresses, six-digit codes, phone numbers and tokens within texts from elsewhere, such as error messages. */
const PERSONAL =
  // An address is looked for from the beginning of a word only: from each of its letters takes seconds for a long one.
  /(?<![^\s<>"'=:,;()])[^\s<>"'=:,;()]+@[^\s<>"',;()]+|\b\d{6}\b|\b\d{10}\b|\b[\w-]{32,}\b/g;

/** How long to wait for a reader of a pipe that is full. */
const FULL_PIPE_MS = 50;

/**
 * Writes lines to a file descriptor, and loses those that cannot be written, as on a full disk: pino's own destination
 * throws that error at whoever logs, which leaves requests without an answer.
 */
export function writeTo(fd: number): DestinationStream {
  return {
    write(line) {
      let rest: Uint8Array = Buffer.from(line);
      while (rest.length > 0) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
        }
      }
    },
  };
}

/** Writes JSON lines to stderr. Errors keep their type, code and stack, but no personal data. */
export function createLog(level: string, destination: DestinationStream = writeTo(2)): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]);
  return pino(
    { level, redact: { paths, censor: "[hidden]" }, serializers: { err: describeError } },
    destination,
  );
}

/** Replaces e-mail addresses, phone numbers, codes and tokens by `[hidden]`. */
export function withoutPersonalData(text: string): string {
  return text.replace(PERSONAL, "[hidden]");
}

interface ErrorFacts {
  type: string;
  code?: unknown;
  message: string;
  stack?: string;
  cause?: ErrorFacts;
}

/** Only the standard properties: libraries attach recipients, rows or whole requests to their errors. */
function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutPersonalData(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: withoutPersonalData(error.message),
    ...(code !== undefined && { code }),
    ...(error.stack && { stack: withoutPersonalData(error.stack) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Security events in the log. Monitoring depends on these names, so they must not change. */
export const SECURITY_EVENTS = [
  "auth.login.succeeded",
  "auth.login.failed",
  "auth.limit.reached",
  "auth.code.failed",
  "auth.code.closed",
  "auth.signup.verified",
  "auth.password.failed",
  "auth.password.changed",
  "auth.password.reset",
  "auth.phone.changed",
  "auth.email.changed",
  "auth.account.deleted",
  "auth.factor.add",
  "auth.factor.remove",
  "auth.factor.recoveryCodes",
  "auth.factor.recoveryCodeUsed",
  "staff.role.changed",
  "staff.factor.reset",
  "staff.factor.rule",
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

/** The account by its e-mail or phone, or by what was typed if there is no such account. */
export type Subject = { email: string } | { phone: string };

const WARNINGS: readonly SecurityEvent[] = [
  "auth.login.failed",
  "auth.limit.reached",
  "auth.code.failed",
  "auth.code.closed",
  "auth.password.failed",
];

/** Logs a security event. Account and address appear only as stable pseudonyms, keyed by the store's secret. */
export function logSecurity(
  { log, keyring, address, requestId }: Pick<Context, "log" | "keyring" | "address" | "requestId">,
  event: SecurityEvent,
  subject: Subject,
  facts: Record<string, string | undefined> = {},
): void {
  const level = WARNINGS.includes(event) ? "warn" : "info";
  const accountRef = pseudonym(keyring, "email" in subject ? subject.email : subject.phone);
  const addressRef = pseudonym(keyring, address);
  log[level]({ event, accountRef, addressRef, requestId, ...facts }, "security");
}

/** Stable pseudonym of an e-mail, phone or address. Without the store's secret nobody can link it to the text. */
export function pseudonym(keyring: Deps["keyring"], text: string): string {
  return keyring.mac("log", text).slice(0, 16);
}
