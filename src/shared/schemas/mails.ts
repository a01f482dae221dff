import { z } from "zod";
import { optionalText } from "./fields.ts";
import { pageCursor } from "./paging.ts";

/** The state of a mail. Without an SMTP server, `sent` mails are kept in the store. */
const MAIL_STATES = ["waiting", "sent", "failed"] as const;
export type MailState = (typeof MAIL_STATES)[number];

export const mailListInput = z.object({
  state: z.enum(MAIL_STATES).optional(),
  /** A part of the recipient's address. */
  search: optionalText(200),
  cursor: pageCursor,
});
export type MailListInput = z.output<typeof mailListInput>;

/** The kind of the last mail about an account; it holds the address of somebody who asked to be deleted. */
export const ACCOUNT_DELETED_MAIL = "account-deleted";
/** Tells an address that its account has another one now. */
export const EMAIL_LEFT_MAIL = "account-email-left";
/** Mails with a code or a link that works for half an hour at most. */
export const CODE_MAILS = [
  "account-verify",
  "account-login",
  "account-phone",
  "account-email",
  "account-recovery",
] as const;

/** Deleted after a day: those about codes and links that no longer work, and the last ones to an address without an account. */
export const SHORT_LIVED_MAILS = [
  ACCOUNT_DELETED_MAIL,
  EMAIL_LEFT_MAIL,
  ...CODE_MAILS,
  "account-codes-closed",
] as const;

/**
 * Mails to a shop or the store about the person to whom a reply goes, if any. They are not personal data of the reader, who may
 * have an account with the same address.
 */
export const WORK_MAILS = [
  "order-shop",
  "order-hold-reply",
  "reprint-reported",
  "shop-email",
  "shop-email-confirm",
  "contact",
] as const;
