import pino, { type DestinationStream, type Logger } from "pino";
import type { Context, Deps } from "../context.ts";

/** Fields that no line shows, whatever is logged. */
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

/** What people may be found by inside of a text that something else made: e-mail addresses, phones, codes, tokens. */
const PERSONAL = /[^\s<>"'=:,;()]+@[^\s<>"',;()]+|\b\d{6}\b|\b\d{10}\b|\b[\w-]{32,}\b/g;

/** The log: JSON lines to stderr, in which errors keep their type, code and stack, but nobody's data. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]);
  return pino(
    { level, redact: { paths, censor: "[hidden]" }, serializers: { err: describeError } },
    destination,
  );
}

/** A text without what names or admits a person. */
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

/** Only what every error has: others put recipients, rows or whole requests beside it. */
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

/** What of logins and rights the log tells, so that a monitor can count on the names. */
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

/** Whose account it is about: by what was typed, where there is none. */
export type Subject = { email: string } | { phone: string };

const WARNINGS: readonly SecurityEvent[] = [
  "auth.login.failed",
  "auth.limit.reached",
  "auth.code.failed",
  "auth.code.closed",
  "auth.password.failed",
];

/** A line that names account and address by stable pseudonyms under the store's secret, never by themselves. */
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

/** What the log calls an e-mail, a phone or an address; only who has the store's secret can tell it from the text. */
export function pseudonym(keyring: Deps["keyring"], text: string): string {
  return keyring.mac("log", text).slice(0, 16);
}
