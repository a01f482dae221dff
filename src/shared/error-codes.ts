/** All error codes that a caller can get; the server maps each to its statuses. */
export const ERROR_CODES = [
  "BAD_REQUEST",
  "INVALID_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "ACCOUNT_NOT_VERIFIED",
  "CONFIRMATION_REQUIRED",
  "PASSWORD_TOO_WEAK",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_SETUP_REQUIRED",
  "NOT_FOUND",
  "GONE",
  "CONFLICT",
  "PRICE_CHANGED",
  "TOO_LARGE",
  "NO_ROOM",
  "UNSUPPORTED_TYPE",
  "UNREADABLE_FILE",
  "PASSWORD_REQUIRED",
  "WRONG_PASSWORD",
  "INFECTED",
  "RATE_LIMITED",
  "STORAGE_FULL",
  "UNAVAILABLE",
  "INTERNAL",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An invalid field; `path` is dotted, as in `orderData.noOfPages`. */
export interface FieldIssue {
  path: string;
  message: string;
}
