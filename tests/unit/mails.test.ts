import { afterAll, beforeAll, expect, test } from "vitest";
import * as accounts from "#server/accounts/accounts.mails.ts";
import { contactMail } from "#server/contact/contact.service.ts";
import type { Mail, MailKind } from "#server/mail/mail.service.ts";
import { composeMail } from "#server/mail/rendering.ts";
import { createSmtpTransport, type MailTransport } from "#server/mail/transport.ts";
import { notReadyMail, stateMailOf } from "#server/orders/board/moves.mails.ts";
import { changedMail, heldMail, holdReplyMail, substitutedMail } from "#server/orders/holds/holds.mails.ts";
import { orderMails } from "#server/orders/orders.mails.ts";
import { answeredMail, reportedMail } from "#server/orders/reprints/reprints.mails.ts";
import { accountDeletedMail } from "#server/privacy/privacy.service.ts";
import {
  changedAddressMail,
  confirmEmailMail,
  ordersMovedMail,
  restoredAddressMail,
} from "#server/shops/shops.mails.ts";
import { invitationMail } from "#server/staff/staff.mails.ts";
import { orderMailFacts } from "../factories/mails.ts";
import { type ReceivedMail, SmtpInbox } from "../setup/smtp-inbox.ts";
import { htmlFaults } from "../setup/valid-html.ts";

const TO = "asha@college.example";
const STORE = "https://print-store.example";
const person = { to: TO, fullName: "Asha Verma" };
const withCode = { ...person, code: "042137" };
const withLink = { ...person, url: `${STORE}/reset-password?token=abc_-123` };
const withPage = { ...person, url: `${STORE}/account` };
const factor = "authenticator app";

const byUpi = orderMailFacts({ upiId: "campus@okbank" });
const original = { number: "AAAA-BBBB", url: `${STORE}/orders/original` };
const reprint = { ...byUpi, original };
const pickup = { ...byUpi, fulfilment: "pickup", pickupCode: "4711" } as const;
const substitute = {
  from: { kind: "paperTypes", name: "70 GSM" },
  to: { name: "80 GSM" },
  before: { ...byUpi.quote, totalPaise: byUpi.totalPaise + 200 },
  quote: byUpi.quote,
} as const;
const report = { ...byUpi, reason: "Page 3 is blank", photos: 2, publicUrl: STORE };
const change = {
  shopName: "Campus Print",
  from: "campus@okbank",
  to: "other@okbank",
  by: "Ravi Iyer",
  at: "21 Nov 2026, 3:00 pm",
  until: "23 Nov 2026, 3:00 pm",
  url: `${STORE}/payment-address?token=abc`,
};
const undo = { shopName: "Campus Print", upiId: "campus@okbank", by: "Ravi Iyer", loggedOut: "Mani Das" };
const invitation = {
  to: TO,
  invitedBy: { name: "Ravi Iyer", role: "owner" },
  url: `${STORE}/admin/join?token=abc`,
} as const;

function inState(order: typeof byUpi, state: (typeof byUpi)["state"]): Mail[] {
  const mail = stateMailOf({ ...order, state }, "The printer is broken")?.mail;
  return mail ? [mail] : [];
}

/** Examples of all mails that the store sends; a kind without one does not compile. */
const MAILS: Record<MailKind, Mail[]> = {
  "account-verify": [accounts.verificationMail(withCode)],
  "account-login": [true, false].map((neverVerified) =>
    accounts.loginCodeMail({ ...withCode, neverVerified }),
  ),
  "account-codes-closed": [accounts.codesBlockedMail(withPage)],
  "account-phone": [accounts.phoneCodeMail({ ...withCode, phone: "9876543210" })],
  "account-email": [accounts.emailCodeMail(withCode)],
  "account-email-changed": [accounts.emailChangedMail({ ...person, contactUrl: `${STORE}/contact-us` })],
  "account-email-left": [accounts.emailLeftMail({ to: TO, contactUrl: `${STORE}/contact-us` })],
  "account-password-changed": [accounts.passwordChangedMail(withPage)],
  "account-second-factor": [
    accounts.secondFactorMail({ ...withPage, action: "factor.add", factor }),
    accounts.secondFactorMail({ ...withPage, action: "factor.recoveryCodeUsed", factor }),
    accounts.secondFactorResetMail({ to: TO, text: "An admin reset your second factor." }),
  ],
  "account-recovery": [accounts.recoveryMail(withLink)],
  "account-deleted": [accountDeletedMail({ to: TO, contactUrl: `${STORE}/contact-us` })],
  "order-student": [orderMails(byUpi).student, orderMails(reprint).student],
  "order-shop": [orderMails(byUpi).shop],
  "order-ready": inState(pickup, "printed"),
  "order-not-ready": [notReadyMail(pickup)],
  "order-dispatched": inState(byUpi, "dispatched"),
  "order-delivered": [...inState(byUpi, "delivered"), ...inState(pickup, "delivered")],
  "order-cancelled": [...inState(byUpi, "cancelled"), ...inState(reprint, "cancelled")],
  "order-held": ["placed", "printed"].map((state) =>
    heldMail({ ...byUpi, state: state as "placed" | "printed" }, "A page is cut off"),
  ),
  "order-hold-reply": [
    holdReplyMail({ publicUrl: () => STORE }, byUpi, { kind: "answered", text: "Print it as it is" }),
    holdReplyMail(
      { publicUrl: () => STORE },
      { ...byUpi, paidPaise: 5000, state: "cancelled" },
      { kind: "cancelled", text: "No" },
    ),
  ],
  "order-changed": [
    changedMail(byUpi, "changed", "Paper type is now 80 GSM"),
    changedMail({ ...byUpi, paidPaise: 5000, state: "cancelled" }, "cancelled", "Cancelled by the student"),
    substitutedMail(byUpi, substitute),
    substitutedMail({ ...byUpi, paidPaise: byUpi.totalPaise + 200 }, substitute),
  ],
  "reprint-reported": [reportedMail(report)],
  "reprint-accepted": [answeredMail({ ...byUpi, accepted: true, answer: "Sorry, we print it again" })],
  "reprint-declined": [answeredMail({ ...byUpi, accepted: false, answer: "The file is like that" })],
  "shop-email": [ordersMovedMail(TO, { shopName: "Campus Print", contactUrl: `${STORE}/contact-us` })],
  "shop-email-confirm": [
    confirmEmailMail(TO, { shopName: "Campus Print", url: `${STORE}/shop-email?token=a.b`, days: 7 }),
  ],
  "payment-address": [changedAddressMail(TO, change), restoredAddressMail(TO, undo)],
  "staff-invitation": [invitationMail({ ...invitation, role: "counter", shops: ["Campus Print", "Gate 2"] })],
  contact: [
    contactMail(TO, {
      fullName: "Mani Das",
      email: "mani@college.example",
      subject: "",
      message: "Hi\nthere",
    }),
  ],
};

/** What only the reader of the mail may use: a code or a link of their own. */
const SECRETS = /042137|[?&]token=/;

let inbox: SmtpInbox;
let transport: MailTransport;
beforeAll(async () => {
  inbox = await SmtpInbox.start();
  const from = "Print Store <shop@print-store.example>";
  transport = createSmtpTransport({ url: inbox.url, from, maxConnections: 1 });
});
afterAll(async () => {
  await inbox.close();
});

/** The mail as a mail server receives it. */
async function received(mail: Mail): Promise<ReceivedMail> {
  const { to, replyTo = null, subject } = mail;
  const sent = { id: "one", to, replyTo, subject, createdAt: "2026-11-21T09:30:00.000Z" };
  await transport.send({ ...sent, ...composeMail(mail.content) }, AbortSignal.timeout(5000));
  return inbox.mails.at(-1) as ReceivedMail;
}

const EXAMPLES = Object.entries(MAILS).flatMap(([kind, mails]) =>
  mails.map((mail, number) => [`${kind} ${number + 1}`, mail] as const),
);

test("there is an example of every kind of mail, and each says that it is of that kind", () => {
  for (const [kind, mails] of Object.entries(MAILS)) {
    expect(mails.length).toBeGreaterThan(0);
    for (const mail of mails) expect(mail.kind).toBe(kind);
  }
});

test.each(EXAMPLES)(
  "the mail %s is forgotten once sent if it has a code or a link of its own",
  (_name, mail) => {
    expect(mail.secret ?? false).toBe(SECRETS.test(composeMail(mail.content).text));
  },
);

test.each(EXAMPLES)(
  "the mail %s is sent with all that a spam filter asks of its headers",
  async (_name, mail) => {
    const parsed = await received(mail);
    const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("from")).toBe("Print Store <shop@print-store.example>");
    expect(headers.get("to")).toBe(mail.to);
    expect(headers.get("message-id")).toBe("<one@print-store.example>");
    expect(headers.get("date")).toBe("Sat, 21 Nov 2026 09:30:00 +0000");
    expect(headers.get("mime-version")).toBe("1.0");
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(parsed.replyTo?.map(({ address }) => address)).toEqual(mail.replyTo ? [mail.replyTo] : undefined);
    expect(parsed.subject).toBe(mail.subject);
    expect(mail.subject).not.toMatch(/^(Re|Fwd):|!!|^[^a-z]*$/);
    // Nobody subscribes to these mails: each answers something that its recipient did, or works for.
    for (const key of ["list-unsubscribe", "list-id", "precedence", "bcc"])
      expect(headers.has(key)).toBe(false);
  },
);

test.each(EXAMPLES)("the mail %s is encoded so that every mail server passes it on", async (_name, mail) => {
  const { source } = await received(mail);
  const lines = source.split("\r\n");
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
  // Printable ASCII and tabs alone, so that no server must encode it anew.
  expect(source).toMatch(/^[\t\r\n\x20-\x7e]*$/);
  expect(source.length).toBeLessThan(102 * 1024);
});

test.each(EXAMPLES)("the mail %s says the same as text and as HTML", async (_name, mail) => {
  const { text = "", html = "" } = await received(mail);
  expect(wordsOf(text)).toEqual(wordsOf(shownBy(html)));
  expect(wordsOf(text).size).toBeGreaterThan(15);
});

test.each(EXAMPLES)(
  "the HTML of the mail %s is valid, in a language, and asks no program for more than to show it",
  async (_name, mail) => {
    const { html = "", attachments } = await received(mail);
    // Outlook lays mails out by the attributes of tables alone.
    const faults = (await htmlFaults(html)).filter((fault) => !fault.startsWith("no-deprecated-attr"));
    expect(faults).toEqual([]);
    expect(html).toMatch(/<html lang="en">/);
    expect(html).not.toMatch(
      /<(script|form|input|iframe|object|embed|link|base|svg|video|audio)\b|\son\w+=|javascript:/i,
    );
    for (const [, url = ""] of html.matchAll(/href="([^"]+)"/g)) {
      expect(url).toMatch(/^(https:\/\/print-store\.example\/|upi:\/\/pay\?)/);
      expect(URL.canParse(url.replaceAll("&amp;", "&"))).toBe(true);
    }
    // No picture is fetched from anywhere, and each that is attached is shown, with words for who cannot see it; beside the logo stands the name.
    const shown = [...html.matchAll(/<img src="cid:([^"]+)" alt="(?:[^"]{10,}|" width="36)"/g)].map(
      ([, id]) => `<${id}>`,
    );
    expect(html.match(/<img\b/g)?.length ?? 0).toBe(shown.length);
    expect(attachments.map(({ contentId }) => contentId)).toEqual(shown);
    expect(shown[0]).toBe("<logo@print-store>");
  },
);

/** The words and numbers of a text, apart from links, of which the HTML shows some by their label alone. */
function wordsOf(text: string): Set<string> {
  const plain = text.replace(/\b(https|upi):\/\/\S+/g, " ").toLowerCase();
  return new Set(
    plain
      .match(/[\p{L}\p{N}₹@.]+/gu)
      ?.map((word) => word.replace(/^\.+|\.+$/g, ""))
      .filter(Boolean),
  );
}

/** What a mail program shows of the HTML. */
function shownBy(html: string): string {
  const hint = "If the button does not work, open this link:";
  const body = html
    .replace(/<head>.*<\/head>/s, " ")
    .replaceAll(hint, " ")
    .replace(/<[^>]+>/g, " ");
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return body.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? "");
}
