/**
 * PostgreSQL's codes for a serialization failure, a deadlock, and a unique or foreign key that another transaction broke
 * between this one's read and its write. Running the transaction again succeeds, or sees what the other one wrote.
 */
const CONFLICTS = new Set(["40001", "40P01", "23505", "23503"]);

/** Network errors, and PostgreSQL's codes for shutting down, starting up, too many connections and a statement timeout. */
const UNAVAILABLE = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
  ...["57P01", "57P02", "57P03", "57014", "53300"],
]);
/** Errors of the driver `pg` that have no code. */
const UNAVAILABLE_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not/;

/** Whether the transaction can be run again because another one came in between. */
export function isTransactionConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/**
 * Whether PostgreSQL did not answer, or not in time, or SQLite's file could not be written: another process kept its lock, or
 * the disk failed. A commit that was under way may or may not have been made.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    UNAVAILABLE.has(code) ||
    /^(08\w{3}|SQLITE_(BUSY|IOERR)(_\w+)?)$/.test(code) ||
    (error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message))
  );
}

/** Whether PostgreSQL refused a text with a NUL, such as an id in an address. It holds none, so nothing is found by it. */
export function hasNul(error: unknown): boolean {
  return codeOf(error) === "22021";
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
