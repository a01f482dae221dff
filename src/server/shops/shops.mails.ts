import { paragraph } from "../mail/blocks.ts";
import { MAIL_PRIORITIES, type Mail, plainMail } from "../mail/mail.service.ts";

/** Asks whoever reads a shop's new e-mail to confirm it. It says nothing of orders or students. */
export function confirmEmailMail(
  to: string,
  { shopName, url, days }: { shopName: string; url: string; days: number },
): Mail {
  return plainMail({
    kind: "shop-email-confirm",
    to,
    subject: `Confirm the email of ${shopName}`,
    secret: true,
    // Nobody knows yet whose address it is.
    priority: MAIL_PRIORITIES.signUp,
    blocks: [
      paragraph(
        `Somebody on the staff of ${shopName} entered this address as its email at Print Store. Orders, with links to the students' files, are mailed here once you confirm that it is the shop's.`,
      ),
      { kind: "button", label: "Confirm this email", url },
      paragraph(
        `The link works for ${days} days. If you do not know this shop, there is nothing to do: you will get no orders.`,
      ),
    ],
    footer: `You are receiving this email because this address was entered as the email of ${shopName} at Print Store.`,
  });
}

/** Tells the confirmed e-mail of a shop that its orders will go to another one. It does not reveal the new one. */
export function ordersMovedMail(
  to: string,
  { shopName, contactUrl }: { shopName: string; contactUrl: string },
): Mail {
  return plainMail({
    kind: "shop-email",
    to,
    subject: `Orders of ${shopName} will go to another email`,
    blocks: [
      paragraph(
        `Somebody on the staff of ${shopName} has changed its email. As soon as the new one is confirmed, new orders, with links to the students' files, are mailed there.`,
      ),
      paragraph("If that is right, there is nothing to do. If it is not, write to us now:"),
      { kind: "button", label: "Contact us", url: contactUrl },
    ],
    footer: `You are receiving this email because orders of ${shopName} are mailed to this address at Print Store.`,
  });
}

interface ChangeMailData {
  shopName: string;
  from: string;
  to: string;
  /** Name and e-mail of the person who changed it. */
  by: string;
  at: string;
  /** Until when the link works. */
  until: string;
  url: string;
}

/** Tells an owner or admin that the shop's UPI ID was changed, and how to undo it. */
export function changedAddressMail(to: string, change: ChangeMailData): Mail {
  return plainMail({
    kind: "payment-address",
    to,
    subject: `New UPI ID of ${change.shopName}`,
    secret: true,
    blocks: [
      paragraph(`The UPI ID of ${change.shopName} was changed. Students now pay to the new one.`),
      {
        kind: "facts",
        title: "The change",
        facts: [
          { label: "Before", value: maskUpiId(change.from) },
          { label: "Now", value: change.to || NO_ADDRESS },
          { label: "Changed by", value: change.by },
          { label: "When", value: change.at },
        ],
      },
      paragraph(
        `If this change is right, you do not need to do anything. If not, undo it: the last UPI ID that was in place for 24 hours is restored, and whoever changed it is logged out everywhere. This link is only for you and works once, until ${change.until}.`,
      ),
      { kind: "button", label: "Undo this change", url: change.url },
    ],
    footer: `You are receiving this email because you are, or recently were, an owner of ${change.shopName} or an admin of Print Store.`,
  });
}

interface UndoMailData {
  shopName: string;
  upiId: string;
  /** Who undid the change. */
  by: string;
  /** Who had changed it and was logged out; empty when the same person undid it. */
  loggedOut: string;
}

/** Tells an owner or admin that a change was undone. */
export function restoredAddressMail(to: string, { shopName, upiId, by, loggedOut }: UndoMailData): Mail {
  const where = upiId ? `at ${maskUpiId(upiId)}` : "on delivery or pickup";
  return plainMail({
    kind: "payment-address",
    to,
    subject: `UPI ID of ${shopName} restored`,
    blocks: [
      paragraph(`${by} undid the change of the UPI ID of ${shopName}. Students pay ${where} again.`),
      ...(loggedOut
        ? [
            paragraph(
              `${loggedOut} changed it. We ended all their sessions. If someone else used their account, they should reset their password before they log in again.`,
            ),
          ]
        : []),
    ],
    footer: `You are receiving this email because you are, or recently were, an owner of ${shopName} or an admin of Print Store.`,
  });
}

const NO_ADDRESS = "none: students pay on delivery or pickup";

/** Masks a UPI ID so that only its owner recognises it: `asha.rao@okbank` becomes `a•••o@okbank`. */
export function maskUpiId(upiId: string): string {
  const at = upiId.lastIndexOf("@");
  if (at < 0) return NO_ADDRESS;
  const name = upiId.slice(0, at);
  const [first, last] = name.length > 3 ? [name.at(0), name.at(-1)] : ["", ""];
  return `${first}•••${last}${upiId.slice(at)}`;
}
