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
});

test("the log of what staff did has each action, by these names", () => {
  expect(AUDIT_ACTIONS).toEqual({
    "staff.invite": "Invited to the staff",
    "staff.reinvite": "Sent the invitation again",
    "staff.withdraw": "Withdrew the invitation",
    "staff.accept": "Accepted the invitation",
    "staff.change": "Changed role or shops",
    "staff.remove": "Removed from the staff",
    "staff.makeAdmin": "Created an admin on the server",
    "staff.setPassword": "Set an admin's password on the server",
    "staff.secondFactorReset": "Reset a second factor",
    "staff.secondFactorRule": "Changed who needs a second factor",
    "factor.add": "Added a second factor",
    "factor.remove": "Removed a second factor",
    "factor.recoveryCodes": "Created new recovery codes",
    "factor.recoveryCodeUsed": "Used a recovery code",
    "shop.create": "Created a shop",
    "shop.change": "Changed a shop",
    "shop.confirmEmail": "Confirmed the email of a shop",
    "shop.undoPayment": "Undid a change of the UPI ID",
    "shop.open": "Opened a shop",
    "shop.close": "Closed a shop",
    "shop.tax": "Changed the GST settings of a shop",
    "shop.schedule": "Changed holidays or speed of a shop",
    "shop.closeEarly": "Closed early for the day, or reopened",
    "shop.hide": "Hid a shop",
    "shop.show": "Made a shop visible",
    "shop.delete": "Deleted a shop",
    "counter.newCode": "Renewed the counter's code",
    "counter.on": "Opened the counter for visitors",
    "counter.off": "Closed the counter for visitors",
    "stock.out": "Marked an option as out of stock",
    "stock.back": "Marked an option as back in stock",
    "prices.change": "Changed a price list",
    "seed.apply": "Imported shops from a file",
    "contact.mark": "Changed the status of a contact message",
    "order.walkIn": "Entered an order at the counter",
    "order.move": "Changed the status of an order",
    "order.cancel": "Cancelled an order",
    "order.wrongCode": "Entered a wrong pickup code",
    "order.payment": "Took a payment",
    "order.refund": "Refunded a payment",
    "order.reversal": "Reversed a payment",
    "order.hold": "Put an order on hold",
    "order.release": "Released an order on hold",
    "order.substitute": "Changed an order to another option, because one had run out",
    "book.close": "Closed a day",
    "order.note": "Added a note to an order",
    "reprint.accept": "Accepted a reprint",
    "reprint.decline": "Declined a reprint",
    "mail.resend": "Sent an email again",
  });
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
