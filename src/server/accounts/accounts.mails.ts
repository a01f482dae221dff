import type { MailBlock, MailContent } from "../mail/blocks.ts";
import type { Mail } from "../mail/mail.service.ts";
import { CODE_MINUTES, LINK_MINUTES } from "./sessions.ts";

interface CodeFacts {
  to: string;
  fullName: string;
  code: string;
}

/** The code that proves a new account's address. */
export function verificationMail({ to, fullName, code }: CodeFacts): Mail {
  return secretMail("account-verify", to, {
    subject: "Verify your Print Store account",
    blocks: [
      greeting(fullName),
      { kind: "paragraph", text: "Enter this code to verify your account:" },
      { kind: "code", code },
      { kind: "paragraph", text: `It works once, for ${CODE_MINUTES} minutes. A newer code replaces it.` },
    ],
    footer:
      "Somebody signed up at Print Store with this address. If it was not you, please ignore this mail.",
  });
}

/** The code that logs in without a password; of an account that was `neverVerified` it keeps nothing but the address. */
export function loginCodeMail({
  to,
  fullName,
  code,
  neverVerified,
}: CodeFacts & { neverVerified: boolean }): Mail {
  return secretMail("account-login", to, {
    subject: "Your Print Store login code",
    blocks: [
      ...(neverVerified ? [] : [greeting(fullName)]),
      { kind: "paragraph", text: "Enter this code to log in:" },
      { kind: "code", code },
      { kind: "paragraph", text: `It works once, for ${CODE_MINUTES} minutes. A newer code replaces it.` },
      ...(neverVerified ? [SIGNUP_FORGOTTEN] : []),
      { kind: "paragraph", text: "Nobody from Print Store will ask you for it. Please keep it to yourself." },
    ],
    footer: "Somebody asked to log in with this address. If it was not you, please ignore this mail.",
  });
}

const SIGNUP_FORGOTTEN: MailBlock = {
  kind: "paragraph",
  text: "The sign-up with this address was never verified. If you log in with this code, the password, name and mobile number entered there are forgotten, in case they were not yours.",
};

/** In place of a code, once too many wrong ones were entered. */
export function codesClosedMail({ to, fullName, url }: { to: string; fullName: string; url: string }): Mail {
  const subject = "Codes for your Print Store account are refused for now";
  const content: MailContent = {
    title: subject,
    blocks: [
      greeting(fullName),
      {
        kind: "paragraph",
        text: "Too many wrong codes were entered for your account within a day. To protect it we send no code now, except to a device that you have logged in on before.",
      },
      {
        kind: "paragraph",
        text: "Choose a new password by a link: you can log in with it at once, and codes work again.",
      },
      { kind: "button", label: "Choose a new password", url },
    ],
    footer: "You get this mail because somebody asked for a code with this address.",
  };
  return { kind: "account-codes-closed", to, subject, content };
}

/** The code that brings a new phone number into force. */
export function phoneCodeMail({ to, fullName, code, phone }: CodeFacts & { phone: string }): Mail {
  return secretMail("account-phone", to, {
    subject: "Confirm your new mobile number",
    blocks: [
      greeting(fullName),
      { kind: "paragraph", text: `Enter this code to change your mobile number to ${phone}:` },
      { kind: "code", code },
      { kind: "paragraph", text: `It works once, for ${CODE_MINUTES} minutes. A newer code replaces it.` },
    ],
    footer:
      "Somebody who is logged in to your account asked for this. If it was not you, please change your password.",
  });
}

/** Tells the owner that the password is another one now, in case it was not them. */
export function passwordChangedMail({
  to,
  fullName,
  url,
}: {
  to: string;
  fullName: string;
  url: string;
}): Mail {
  const subject = "Your Print Store password was changed";
  const content: MailContent = {
    title: subject,
    blocks: [
      greeting(fullName),
      {
        kind: "paragraph",
        text: "The password of your account was just changed, and every other device was signed out.",
      },
      { kind: "paragraph", text: "If it was not you, choose a new password at once:" },
      { kind: "button", label: "Choose a new password", url },
    ],
    footer: "You get this mail because the password of your account was changed.",
  };
  return { kind: "account-password-changed", to, subject, content };
}

const SECOND_FACTOR_NEWS = {
  "factor.add": {
    subject: "A second factor was added to your account",
    said: "was just added to your account",
  },
  "factor.remove": {
    subject: "A second factor was removed from your account",
    said: "was just removed from your account",
  },
  "factor.recoveryCodes": {
    subject: "You have new recovery codes",
    said: "were just made anew; those from before no longer work",
  },
  "factor.recoveryCodeUsed": {
    subject: "A recovery code was used",
    said: "was just used to prove that it is you",
  },
} as const;

interface SecondFactorFacts {
  to: string;
  fullName: string;
  action: keyof typeof SECOND_FACTOR_NEWS;
  /** Such as: authenticator app. */
  factor: string;
  url: string;
}

/** Tells someone of the staff what happened to their second factors, in case it was not them. */
export function secondFactorMail({ to, fullName, action, factor, url }: SecondFactorFacts): Mail {
  const { subject, said } = SECOND_FACTOR_NEWS[action];
  const content: MailContent = {
    title: subject,
    blocks: [
      greeting(fullName),
      { kind: "paragraph", text: `Second factor: ${factor}. It ${said}.` },
      {
        kind: "paragraph",
        text: "If it was not you, change your password at once and tell an admin of the store.",
      },
      { kind: "button", label: "Look at your second factors", url },
    ],
    footer: "You get this mail because you work on the staff of Print Store.",
  };
  return { kind: "account-second-factor", to, subject, content };
}

/** Tells of a reset by an admin: the person themselves, or the admin who did it. */
export function secondFactorResetMail({ to, text }: { to: string; text: string }): Mail {
  const subject = "A second factor was reset";
  const content: MailContent = {
    title: subject,
    blocks: [{ kind: "paragraph", text }],
    footer: "You get this mail because you work on the staff of Print Store.",
  };
  return { kind: "account-second-factor", to, subject, content };
}

/** The link that changes a forgotten password. */
export function recoveryMail({ to, fullName, url }: { to: string; fullName: string; url: string }): Mail {
  return secretMail("account-recovery", to, {
    subject: "Change your Print Store password",
    blocks: [
      greeting(fullName),
      { kind: "paragraph", text: "With this link you can choose a new password:" },
      { kind: "button", label: "Choose a new password", url },
      { kind: "paragraph", text: `It works once, for ${LINK_MINUTES} minutes.` },
    ],
    footer:
      "Somebody asked to change the password of this account. If it was not you, please ignore this mail: the password stays as it is.",
  });
}

/** The subject holds no secret: it is kept, and shown on locked screens. */
function secretMail(
  kind: string,
  to: string,
  { subject, blocks, footer }: { subject: string; blocks: MailBlock[]; footer: string },
): Mail {
  return { kind, to, subject, secret: true, content: { title: subject, blocks, footer } };
}

/** Letters and what stands between them in names; a dot only where no mail program makes a link of it. */
const PLAIN_NAME = /^(?:[\p{L}\p{M}'’ -]|\.(?= |$)){1,60}$/u;

/** A name is anybody's text, sent to an address that nobody has proved yet: it must not carry a message. */
function greeting(fullName: string): MailBlock {
  return { kind: "paragraph", text: PLAIN_NAME.test(fullName) ? `Hello ${fullName},` : "Hello," };
}
