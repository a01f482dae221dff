import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS, type LimitName } from "#server/http/rate-limit.ts";

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
    ["codeMailAddress"],
  ],
  "wrong codes": [["otpTryPair"], ["otpTryDevice"], ["codeTryAccount"], []],
  "recovery links requested": [
    ["recoveryPair"],
    ["recoveryDevice"],
    ["linkMailAccount", "linkMailAccountLate"],
    ["linkMailAddress"],
  ],
  "wrong codes of a second factor": [["secondFactorPair"], [], ["secondFactorAccount"], []],
  "registrations of one e-mail": [["registerPair"], [], ["registerAccount"], ["registerAddress"]],
  "the current password, asked again": [["passwordTrySession", "passwordTrySessionDay"], []],
  "passkeys tried": [[], ["passkeyAddress"]],
  "messages to the store": [["contactAccount"], ["contactAddress"]],
  uploads: [["uploadAccount"], ["uploadAddress"]],
  orders: [["orderAccount"], []],
  "reports of printing errors": [["reportAccount"], []],
  receipts: [["receiptAccount"], []],
  "downloads of one's data": [["downloadAccount"], []],
  "invitations sent by an owner": [["invitingOwner"], []],
  "invitations sent to one e-mail": [["invitingRecipient"], []],
  "new names or places of one shop": [["shopRename"], []],
  "new payment addresses of one shop": [["upiChangeShop"], []],
};

/** A limit as the page writes it, for example 3,000 an hour. */
function inWords({ points, duration }: { points: number; duration: number }): string {
  const times = points === 1 ? "one" : points.toLocaleString("en-US");
  if (duration === 24 * 60 * 60) return `${times} a day`;
  return duration === 60 * 60 ? `${times} an hour` : `${times} in ${duration / 60} minutes`;
}

test("docs/security.md names every limit", () => {
  const told = Object.values(ROWS).flat(2);
  expect(told.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});

test.each(Object.entries(ROWS))("docs/security.md gives the right limits for %s", (what, expected) => {
  const row = section.split("\n").find((line) => line.startsWith(`| ${what} |`)) ?? "";
  const cells = row.split(" | ").slice(1);
  const told = cells.map((cell) => cell.match(/(one|[\d,]+) (an hour|a day|in \d+ minutes)/g) ?? []);
  expect(told).toEqual(expected.map((names) => names.map((name) => inWords(LIMITS[name]))));
});
