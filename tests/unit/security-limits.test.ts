import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  BODY_MEMORY,
  bodyLimitOf,
  CLIENT_TIMEOUTS,
  MAX_CONCURRENT_UPLOADS,
  MAX_CONNECTIONS,
  MAX_DRAINS,
  MAX_STREAMS,
  MIN_BYTES_PER_SECOND,
  STREAM_BYTES,
  UNREAD_MEMORY,
} from "#server/http/limits.ts";
import { LIMITS, type LimitName } from "#server/http/rate-limit.ts";
import { MAX_BATCH } from "#shared/calls.ts";
import { PERMISSIONS } from "#shared/permissions.ts";
import { MAX_PHOTO_BYTES } from "#shared/photos.ts";
import {
  CONFIRMATION_MINUTES,
  SESSION_DAYS,
  SHARED_SESSION_IDLE_MINUTES,
  STAFF_SESSION_DAYS,
  STAFF_SESSION_IDLE_HOURS,
} from "#shared/schemas/accounts.ts";
import { PENDING_LOGIN_MINUTES, RECOVERY_CODES } from "#shared/schemas/second-factors.ts";
import { CODE_LENGTH, VISIT_BYTES, VISIT_HOURS } from "#shared/visits.ts";

const page = readFileSync("docs/security.md", "utf8");
const section = /^## Limits$(.*?)^## /ms.exec(page)?.[1] ?? "";

/** The limits that each cell of a row must name. */
const ROWS: Record<string, LimitName[][]> = {
  "wrong passwords": [
    ["loginPair", "loginPairDay"],
    ["loginDevice", "loginDeviceDay"],
    ["loginAccount"],
    ["loginAddress"],
  ],
  "codes requested": [
    ["otpSendPair"],
    ["otpSendDevice", "otpSendDeviceDay"],
    ["codeMailAccount", "codeMailAccountLate"],
    ["otpSendAddress", "codeMailAddress"],
  ],
  "wrong codes": [["otpTryPair"], ["otpTryDevice"], ["codeTryAccount"], ["otpTryAddress"]],
  "recovery links requested": [
    ["recoveryPair"],
    ["recoveryDevice"],
    ["linkMailAccount", "linkMailAccountLate"],
    ["recoveryAddress", "linkMailAddress"],
  ],
  "wrong codes of a second factor": [["secondFactorPair"], [], ["secondFactorAccount"], []],
  "registrations of one e-mail": [["registerPair"], [], ["registerAccount"], ["registerAddress"]],
  "the current password, asked again": [["passwordTrySession", "passwordTrySessionDay"], []],
  "mails with codes and links, requested from known devices": [["deviceMailAccount"], []],
  "passkeys tried": [[], ["passkeyAddress"]],
  "messages to the store": [["contactAccount"], ["contactPair", "contactAddress"]],
  uploads: [["uploadAccount"], ["uploadAddress"]],
  "wrong passwords of locked PDFs": [["filePasswordAccount"], []],
  orders: [["orderAccount"], []],
  "orders that a clerk enters": [["orderStaff"], []],
  "orders that a clerk puts on hold or changes to another option": [["holdStaff"], []],
  "orders of a student that one shop puts on hold or changes to another option": [["holdStudent"], []],
  "reports of printing errors": [["reportAccount"], []],
  "ratings given or changed": [["ratingAccount"], []],
  "new names of an account": [["renameAccount"], []],
  "visits opened": [[], ["visitAddress"], ["visitCode"], ["visitShop"]],
  "wrong codes of the day": [[], ["visitWrongAddress"], [], ["visitWrongShop"]],
  "files of visitors": [["uploadVisit"], ["uploadAddress"], [], []],
  "orders of visitors": [["orderVisit"], ["orderVisitAddress"], ["orderVisitCode"], []],
  receipts: [["receiptAccount"], []],
  "downloads of one's data": [["downloadAccount"], []],
  "invitations sent by an owner": [["invitingOwner"], []],
  "invitations sent to one e-mail": [["invitingRecipient"], []],
  "changes of shops, their prices, stock, times and counters by one of the staff": [["shopChangeStaff"], []],
  "new names, places or emails of one shop by its owners, and its links to confirm an email that are sent again":
    [["shopMove"], []],
  "new UPI IDs of one shop": [["upiChangeShop"], []],
};

/** A limit as the page writes it, for example 3,000 an hour. */
function inWords({ points, duration }: { points: number; duration: number }): string {
  const times = points === 1 ? "one" : points.toLocaleString("en-US");
  if (duration === 24 * 60 * 60) return `${times} a day`;
  return duration === 60 * 60 ? `${times} an hour` : `${times} in ${duration / 60} minutes`;
}

test("docs/security.md names every limit", () => {
  const told = Object.values(ROWS).flat(2);
  expect([...new Set(told)].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});

test("docs/security.md gives exactly the right limits", () => {
  const told = section.split("\n").flatMap((line) => {
    const [what = "", ...cells] = line.slice(2).split(" | ");
    const limits = cells.map((cell) => cell.match(/(one|[\d,]+) (an hour|a day|in \d+ minutes)/g) ?? []);
    return limits.flat().length > 0 ? [[what, limits]] : [];
  });
  const right = Object.entries(ROWS).map(([what, cells]) => [
    what,
    cells.map((names) => names.map((name) => inWords(LIMITS[name]))),
  ]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(right));
});

test("docs/security.md gives the right times and sizes for sessions and visits", () => {
  const words = page.replaceAll(/\s+/g, " ");
  const WORDS: Record<number, string> = { 2: "two", 10: "ten", 20: "twenty" };
  const size = (bytes: number) => (bytes < 1024 ** 3 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024 ** 3} GB`);
  for (const sentence of [
    `Students: ${SESSION_DAYS} days from the login`,
    `${SHARED_SESSION_IDLE_MINUTES} minutes without use, or with the browser`,
    `Staff: ${STAFF_SESSION_IDLE_HOURS} hours without use, and ${STAFF_SESSION_DAYS} days after the login`,
    `must have authenticated within ${WORDS[CONFIRMATION_MINUTES]} minutes`,
    `in the same browser within ${WORDS[PENDING_LOGIN_MINUTES]} minutes`,
    `| A lost second factor | T${WORDS[RECOVERY_CODES]?.slice(1)} recovery codes`,
    `has at most ${WORDS[MAX_BATCH]} calls`,
    `opens visits of ${WORDS[VISIT_HOURS]} hours`,
    // Each character of the code has six bits.
    `HMAC of shop, Indian day and version: ${6 * CODE_LENGTH} bits`,
    `| bytes held | ${Object.values(VISIT_BYTES).map(size).join(" | ")} |`,
  ])
    expect(words).toContain(sentence);
});

test("docs/security.md gives the right times, sizes and numbers for connections", () => {
  const words = page.replaceAll(/\s+/g, " ");
  const KB = 1024;
  const MB = 1024 * KB;
  const figure = (number: number) => number.toLocaleString("en-US");
  const { headers, request, pause } = CLIENT_TIMEOUTS;
  const bytesOf = (procedure: string) => bodyLimitOf([procedure], "application/json").bytes;
  const limits = Object.keys(PERMISSIONS).map(bytesOf);
  for (const sentence of [
    `Headers must be complete in ${headers / 1000} seconds, a request in ${request / 60_000} minutes`,
    `8 kB in every ${pause / 1000} seconds (${MIN_BYTES_PER_SECOND} bytes a second`,
    `of ${MAX_DRAINS.address} such requests from one address, or ${MAX_DRAINS.all} in all`,
    `${bytesOf("accounts.login") / KB} kB for a login, at most ${Math.max(...limits) / MB} MB`,
    `${BODY_MEMORY.address / MB} MB for one address and ${BODY_MEMORY.all / MB} MB in all, with ${BODY_MEMORY.each / KB} kB for each request`,
    `may use ${UNREAD_MEMORY.address / MB} MB for one address and ${UNREAD_MEMORY.all / MB} MB in all, beside`,
    `an address ${MAX_CONCURRENT_UPLOADS.address}, and all together ${figure(MAX_CONCURRENT_UPLOADS.all)}`,
    `twelve live streams, an account ${MAX_STREAMS.account} and a server ${figure(MAX_STREAMS.all)}, at ${STREAM_BYTES / KB} kB each`,
    `A server accepts at most ${figure(MAX_CONNECTIONS)} connections`,
    `up to ${MAX_PHOTO_BYTES / MB} MB, which are re-encoded`,
  ])
    expect(words).toContain(sentence);
});
