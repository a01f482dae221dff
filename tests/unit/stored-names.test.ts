import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { BACKGROUND_HEADER } from "#shared/calls.ts";
import { ERROR_CODES } from "#shared/error-codes.ts";
import { LIVE_EVENT_KINDS } from "#shared/live-events.ts";
import { MAIL_CHOICES } from "#shared/mail-choices.ts";
import { BASES, OPTION_FIELDS } from "#shared/options.ts";
import { PAYMENT_NAMES } from "#shared/payment.ts";
import { REPRINT_STATES } from "#shared/reprints.ts";
import * as accounts from "#shared/schemas/accounts.ts";
import { SHORT_LIVED_MAILS } from "#shared/schemas/mails.ts";

// What is stored, or what programs of others read, keeps its name for ever.

test("names in the database and in answers stay", () => {
  expect(accounts.ROLES).toEqual(["customer", "counter", "owner", "admin"]);
  expect(accounts.STAFF_ROLES).toEqual(["counter", "owner", "admin"]);
  expect(BACKGROUND_HEADER).toBe("x-background");
  expect(LIVE_EVENT_KINDS).toEqual(["placed", "moved", "noted", "paid", "reprint", "files", "held"]);
  expect(MAIL_CHOICES).toEqual(["placed", "dispatched", "delivered"]);
  expect(REPRINT_STATES).toEqual(["reported", "accepted", "declined", "ordered"]);
  expect(BASES).toEqual(["page", "sheet", "copy", "order"]);
  expect(SHORT_LIVED_MAILS).toEqual([
    "account-deleted",
    "account-email-left",
    "account-verify",
    "account-login",
    "account-phone",
    "account-email",
    "account-recovery",
    "account-codes-closed",
  ]);
  expect(ERROR_CODES.join(" ")).toBe(
    "BAD_REQUEST INVALID_INPUT UNAUTHENTICATED FORBIDDEN ACCOUNT_NOT_VERIFIED CONFIRMATION_REQUIRED PASSWORD_TOO_WEAK SECOND_FACTOR_REQUIRED SECOND_FACTOR_SETUP_REQUIRED NOT_FOUND GONE CONFLICT PRICE_CHANGED TOO_LARGE NO_ROOM UNSUPPORTED_TYPE UNREADABLE_FILE PASSWORD_REQUIRED WRONG_PASSWORD INFECTED RATE_LIMITED STORAGE_FULL UNAVAILABLE INTERNAL",
  );
  expect(Object.values<string>(AUDIT_ACTIONS)).not.toContain("");
});

test("an order names its options in the fields of the contract", () => {
  expect(OPTION_FIELDS).toEqual({
    printedColours: { orderField: "printedColour", label: "Printed colour" },
    printingSides: { orderField: "printingSide", label: "Printing side" },
    paperTypes: { orderField: "paperType", label: "Paper type" },
    paperSizes: { orderField: "paperSize", label: "Paper size" },
    coverOptions: { orderField: "coverOption", label: "Cover" },
    bindingOptions: { orderField: "bindingOption", label: "Binding" },
  });
});

test("staff read how an order is paid in these words", () => {
  expect(PAYMENT_NAMES).toEqual({
    paid: "Paid",
    "partly paid": "Partly paid",
    "refund due": "Refund outstanding",
    refunded: "Refunded",
    upi: "Unpaid · UPI",
    "on delivery": "Pay on delivery",
    "on pickup": "Pay on pickup",
    unmarked: "Not marked as paid",
    "at the counter": "Unpaid",
    void: "Nothing to pay",
  });
});
