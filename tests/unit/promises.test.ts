import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { MAX_BATCH } from "#shared/batch.ts";
import { ERROR_CODES } from "#shared/error-codes.ts";
import { LIVE_PING_MS, ORDER_EVENT_KINDS } from "#shared/live-events.ts";
import { MAIL_CHOICES } from "#shared/mail-choices.ts";
import { BASES, OPTION_FIELDS } from "#shared/options.ts";
import { PAYMENT_NAMES } from "#shared/payment.ts";
import { PHOTO_WIDTH, SMALL_PHOTO_WIDTH } from "#shared/photos.ts";
import { REPRINT_STATES } from "#shared/reprints.ts";
import * as accounts from "#shared/schemas/accounts.ts";
import { MAX_ADDRESSES } from "#shared/schemas/addresses.ts";
import { ACCOUNT_DELETED_MAIL } from "#shared/schemas/mails.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { MAX_PASSKEYS, PENDING_LOGIN_MINUTES, RECOVERY_CODES } from "#shared/schemas/second-factors.ts";
import { SHOPS_PER_PAGE } from "#shared/schemas/shops.ts";
import { INVITATION_DAYS } from "#shared/schemas/staff.ts";

// Most tests read these from the code, and so would not see a change. They are written out here once.

test("sessions, codes and invitations last as long as people are told", () => {
  expect({
    sessionDays: accounts.SESSION_DAYS,
    staffIdleHours: accounts.STAFF_SESSION_IDLE_HOURS,
    staffSessionDays: accounts.STAFF_SESSION_DAYS,
    confirmationMinutes: accounts.CONFIRMATION_MINUTES,
    pendingLoginMinutes: PENDING_LOGIN_MINUTES,
    invitationDays: INVITATION_DAYS,
  }).toEqual({
    sessionDays: 30,
    staffIdleHours: 12,
    staffSessionDays: 7,
    confirmationMinutes: 10,
    pendingLoginMinutes: 10,
    invitationDays: 7,
  });
});

test("lists, pages and belongings have these sizes", () => {
  expect({ MAX_ADDRESSES, MAX_PASSKEYS, RECOVERY_CODES, MAX_BATCH, LIST_ROWS, SHOPS_PER_PAGE }).toEqual({
    MAX_ADDRESSES: 10,
    MAX_PASSKEYS: 10,
    RECOVERY_CODES: 10,
    MAX_BATCH: 20,
    LIST_ROWS: 25,
    SHOPS_PER_PAGE: 60,
  });
  expect([SMALL_PHOTO_WIDTH, PHOTO_WIDTH]).toEqual([480, 960]);
});

test("live streams are pinged more often than the minute after which proxies cut them", () => {
  expect(LIVE_PING_MS).toBe(10_000);
});

// What is stored, or what programs of others read, keeps its name for ever.

test("names in the database and in answers stay", () => {
  expect(accounts.ROLES).toEqual(["customer", "counter", "owner", "admin"]);
  expect(accounts.STAFF_ROLES).toEqual(["counter", "owner", "admin"]);
  expect(accounts.BACKGROUND_HEADER).toBe("x-background");
  expect(ORDER_EVENT_KINDS).toEqual(["placed", "moved", "noted", "paid", "reprint", "files"]);
  expect(MAIL_CHOICES).toEqual(["placed", "dispatched", "delivered"]);
  expect(REPRINT_STATES).toEqual(["reported", "accepted", "declined", "ordered"]);
  expect(BASES).toEqual(["page", "sheet", "copy", "order"]);
  expect(ACCOUNT_DELETED_MAIL).toBe("account-deleted");
  expect(ERROR_CODES.join(" ")).toBe(
    "BAD_REQUEST INVALID_INPUT UNAUTHENTICATED FORBIDDEN ACCOUNT_NOT_VERIFIED CONFIRMATION_REQUIRED PASSWORD_TOO_WEAK SECOND_FACTOR_REQUIRED SECOND_FACTOR_SETUP_REQUIRED NOT_FOUND GONE CONFLICT PRICE_CHANGED TOO_LARGE NO_ROOM UNSUPPORTED_TYPE UNREADABLE_FILE INFECTED RATE_LIMITED STORAGE_FULL UNAVAILABLE INTERNAL",
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
    upi: "Unpaid · UPI",
    "on delivery": "Pay on delivery",
    "on pickup": "Pay on pickup",
    void: "Nothing to pay",
  });
});
