import pino, { type DestinationStream, type Logger } from "pino";

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
