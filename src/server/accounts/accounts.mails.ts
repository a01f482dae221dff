import { CODE_MINUTES, LINK_MINUTES } from "#shared/schemas/accounts.ts";
import { EMAIL_LEFT_MAIL } from "#shared/schemas/mails.ts";
import { type MailBlock, paragraph } from "../mail/blocks.ts";
import { type Mail, plainMail } from "../mail/mail.service.ts";

interface CodeMailData {
  to: string;
  fullName: string;
  code: string;
}

/** Sends the code that verifies a new account. */
export function verificationMail({ to, fullName, code }: CodeMailData): Mail {
  return plainMail({
    kind: "account-verify",
    to,
    secret: true,
    subject: "Verify your Print Store account",
    blocks: [greeting(fullName), paragraph("Enter this code to verify your account:"), ...codeBlocks(code)],
    footer:
      "Someone signed up at Print Store with this address. If it was not you, please ignore this email.",
  });
}

/** Sends a login code. For an account that was `neverVerified` the mail says that its sign-up data is removed. */
export function loginCodeMail({
  to,
  fullName,
  code,
  neverVerified,
}: CodeMailData & { neverVerified: boolean }): Mail {
  return plainMail({
    kind: "account-login",
    to,
    secret: true,
    subject: "Your Print Store login code",
    blocks: [
      ...(neverVerified ? [] : [greeting(fullName)]),
      paragraph("Enter this code to log in:"),
      ...codeBlocks(code),
      ...(neverVerified ? [SIGNUP_DISCARDED] : []),
      paragraph("Print Store will never ask you for this code. Please do not share it."),
    ],
    footer: "Someone asked to log in with this address. If it was not you, please ignore this email.",
  });
}

const SIGNUP_DISCARDED: MailBlock = paragraph(
  "The sign-up with this address was never verified. If you log in with this code, the password, name and mobile number from that sign-up are removed, in case someone else entered them.",
);

/** Sent instead of a code after too many wrong ones were entered. */
export function codesBlockedMail({ to, fullName, url }: { to: string; fullName: string; url: string }): Mail {
  return plainMail({
    kind: "account-codes-closed",
    to,
    subject: "Codes for your Print Store account are paused",
    blocks: [
      greeting(fullName),
      paragraph(
        "Too many wrong codes were entered for your account today. To protect it, we will not send codes for now, unless you ask from a device where you have logged in before.",
      ),
      paragraph(
        "You can choose a new password instead: it lets you log in right away, and codes work again too.",
      ),
      { kind: "button", label: "Choose a new password", url },
    ],
    footer: "You are receiving this email because someone asked for a code with this address.",
  });
}

/** Sends the code that confirms a new phone number. */
export function phoneCodeMail({ to, fullName, code, phone }: CodeMailData & { phone: string }): Mail {
  return plainMail({
    kind: "account-phone",
    to,
    secret: true,
    subject: "Confirm your new mobile number",
    blocks: [
      greeting(fullName),
      paragraph(`Enter this code to change your mobile number to ${phone}:`),
      ...codeBlocks(code),
    ],
    footer:
      "Someone who is logged in to your account asked for this. If it was not you, please change your password.",
  });
}

/** Sends the code that confirms a new e-mail to this e-mail. */
export function emailCodeMail({ to, fullName, code }: CodeMailData): Mail {
  return plainMail({
    kind: "account-email",
    to,
    secret: true,
    subject: "Confirm your new email",
    blocks: [
      greeting(fullName),
      paragraph("Enter this code to use this email for your Print Store account:"),
      ...codeBlocks(code),
    ],
    footer:
      "Someone entered this address as their new email at Print Store. If it was not you, please ignore this email.",
  });
}

interface EmailChangedMailData {
  to: string;
  contactUrl: string;
}

/** Tells the new address about a changed e-mail. */
export function emailChangedMail({
  to,
  fullName,
  contactUrl,
}: EmailChangedMailData & { fullName: string }): Mail {
  return plainMail({
    kind: "account-email-changed",
    to,
    subject: "Your Print Store email was changed",
    blocks: [
      greeting(fullName),
      paragraph(
        "Your account uses this email from now on: you log in with it, and we send codes and emails about your orders here. All other devices were logged out.",
      ),
      { kind: "button", label: "Was this not you? Contact us", url: contactUrl },
    ],
    footer:
      "You are receiving this email because it was entered and confirmed for an account at Print Store.",
  });
}

/** Tells the old address about a changed e-mail, in case somebody else changed it. It does not reveal the new one. */
export function emailLeftMail({ to, contactUrl }: EmailChangedMailData): Mail {
  return plainMail({
    kind: EMAIL_LEFT_MAIL,
    to,
    subject: "Your Print Store account has another email now",
    blocks: [
      paragraph(
        "Somebody who knows your password has changed the email of your account, and confirmed the new one. You can no longer log in with this one.",
      ),
      paragraph("If it was you, there is nothing to do. If it was not, write to us now:"),
      { kind: "button", label: "Contact us", url: contactUrl },
    ],
    footer:
      "This is the last email about this account to this address. We delete the address within a few days.",
  });
}

/** Tells the account's owner about a changed password, in case somebody else changed it. */
export function passwordChangedMail({
  to,
  fullName,
  url,
}: {
  to: string;
  fullName: string;
  url: string;
}): Mail {
  return plainMail({
    kind: "account-password-changed",
    to,
    subject: "Your Print Store password was changed",
    blocks: [
      greeting(fullName),
      paragraph("The password of your account was just changed, and all other devices were logged out."),
      paragraph("If it was not you, choose a new password now:"),
      { kind: "button", label: "Choose a new password", url },
    ],
    footer: "You are receiving this email because the password of your account was changed.",
  });
}

const SECOND_FACTOR_EVENTS = {
  "factor.add": {
    subject: "A second factor was added to your account",
    text: (factor: string) => `This second factor was just added to your account: ${factor}.`,
  },
  "factor.remove": {
    subject: "A second factor was removed from your account",
    text: (factor: string) => `This second factor was just removed from your account: ${factor}.`,
  },
  "factor.recoveryCodes": {
    subject: "You have new recovery codes",
    text: () => "New recovery codes were just created for your account. The old ones no longer work.",
  },
  "factor.recoveryCodeUsed": {
    subject: "A recovery code was used",
    text: () => "One of your recovery codes was just used to log in or to confirm your identity.",
  },
} as const;

interface SecondFactorMailData {
  to: string;
  fullName: string;
  action: keyof typeof SECOND_FACTOR_EVENTS;
  /** For example "authenticator app". */
  factor: string;
  url: string;
}

/** Tells a staff member about a change of their second factors, in case somebody else made it. */
export function secondFactorMail({ to, fullName, action, factor, url }: SecondFactorMailData): Mail {
  const { subject, text } = SECOND_FACTOR_EVENTS[action];
  return plainMail({
    kind: "account-second-factor",
    to,
    subject,
    blocks: [
      greeting(fullName),
      paragraph(text(factor)),
      paragraph("If it was not you, change your password now and tell an admin of the store."),
      { kind: "button", label: "Review your second factors", url },
    ],
    footer: "You are receiving this email because you are on the staff of Print Store.",
  });
}

/** Tells the staff member, or the admin who did it, that a second factor was reset. */
export function secondFactorResetMail({ to, text }: { to: string; text: string }): Mail {
  return plainMail({
    kind: "account-second-factor",
    to,
    subject: "A second factor was reset",
    blocks: [paragraph(text)],
    footer: "You are receiving this email because you are on the staff of Print Store.",
  });
}

/** Sends the link that resets a forgotten password. */
export function recoveryMail({ to, fullName, url }: { to: string; fullName: string; url: string }): Mail {
  return plainMail({
    kind: "account-recovery",
    to,
    secret: true,
    subject: "Change your Print Store password",
    blocks: [
      greeting(fullName),
      paragraph("Use this link to choose a new password:"),
      { kind: "button", label: "Choose a new password", url },
      paragraph(`It works once, for ${LINK_MINUTES} minutes.`),
    ],
    footer:
      "Someone asked to change the password of this account. If it was not you, please ignore this email. Your password stays the same.",
  });
}

/** A code, and how long it works. */
function codeBlocks(code: string): MailBlock[] {
  return [
    { kind: "code", code },
    paragraph(`It works once, for ${CODE_MINUTES} minutes. A newer code replaces it.`),
  ];
}

/**
 * Letters, marks, apostrophes, hyphens and spaces; a dot only before a space or at the end, where mail programs make no
 * link of it.
 */
const PLAIN_NAME = /^(?:[\p{L}\p{M}'’ -]|\.(?= |$)){1,60}$/u;

/** Anybody can enter a name at sign-up, and the mail goes to an unproven address: the name must not carry a message. */
function greeting(fullName: string): MailBlock {
  return paragraph(PLAIN_NAME.test(fullName) ? `Hello ${fullName},` : "Hello,");
}
