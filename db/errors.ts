/**
 * Of PostgreSQL, where transactions run side by side: it gave up one of two that blocked each other, or what a
 * transaction had read (that a name is free, that a shop is there) another has changed before it wrote. The same again
 * will do, or will see what the other did.
 */
const IN_THE_WAY = new Set(["40001", "40P01", "23505", "23503"]);

/** Of the network, and of PostgreSQL: going, coming up, no connection left, too slow. */
const AWAY = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
  ...["57P01", "57P02", "57P03", "57014", "53300"],
]);
/** The driver gives these no code. */
const AWAY_WORDS =
  /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not/;

export function isTransactionConflict(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error));
}

/** True when PostgreSQL did not answer, or not in time; whether a commit that was under way counts is not known. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    AWAY.has(code) || /^08\w{3}$/.test(code) || (error instanceof Error && AWAY_WORDS.test(error.message))
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
