import type { Mail } from "../mail/mail.service.ts";

interface ChangeFacts {
  shopName: string;
  from: string;
  to: string;
  /** Name and e-mail of who changed it. */
  by: string;
  at: string;
  /** How long the link works. */
  until: string;
  url: string;
}

/** Says that students pay to another UPI id from now on, and how to undo it. */
export function changedAddressMail(to: string, facts: ChangeFacts): Mail {
  const subject = `New payment address of ${facts.shopName}`;
  return {
    kind: "payment-address",
    to,
    subject,
    secret: true,
    content: {
      title: subject,
      blocks: [
        { kind: "paragraph", text: `From now on students pay ${facts.shopName} at another UPI ID.` },
        {
          kind: "facts",
          title: "The change",
          facts: [
            { label: "Before", value: maskUpiId(facts.from) },
            { label: "Now", value: facts.to || NONE },
            { label: "Changed by", value: facts.by },
            { label: "When", value: facts.at },
          ],
        },
        {
          kind: "paragraph",
          text: `If this is right, there is nothing to do. If not, undo it: the last UPI ID that stood for 24 hours comes back, and whoever changed it is logged out everywhere. The link is for you alone and works once, until ${facts.until}.`,
        },
        { kind: "button", label: "Undo this change", url: facts.url },
      ],
      footer: `You get this mail because you are, or were until lately, an owner of ${facts.shopName} or an admin of Print Store.`,
    },
  };
}

interface UndoFacts {
  shopName: string;
  upiId: string;
  /** Who undid the change. */
  by: string;
  /** Who had changed it; null where it is the same person, who stays logged in. */
  loggedOut: string | null;
}

/** Says that a change was undone. */
export function restoredAddressMail(to: string, { shopName, upiId, by, loggedOut }: UndoFacts): Mail {
  const subject = `Payment address of ${shopName} is back`;
  const where = upiId ? `at ${maskUpiId(upiId)}` : "on delivery or pickup";
  return {
    kind: "payment-address",
    to,
    subject,
    content: {
      title: subject,
      blocks: [
        {
          kind: "paragraph",
          text: `${by} undid the change of the UPI ID of ${shopName}. Students pay ${where} again.`,
        },
        ...(loggedOut
          ? [
              {
                kind: "paragraph" as const,
                text: `Logged out everywhere, for having changed it: ${loggedOut}. If it was somebody else in their name, they should set a new password before they log in again.`,
              },
            ]
          : []),
      ],
      footer: `You get this mail because you are, or were until lately, an owner of ${shopName} or an admin of Print Store.`,
    },
  };
}

const NONE = "none: students pay on delivery or pickup";

/** As much of a UPI id as its owner knows it again by: `asha.rao@okbank` is `a•••o@okbank`. */
export function maskUpiId(upiId: string): string {
  const at = upiId.lastIndexOf("@");
  if (at < 0) return NONE;
  const name = upiId.slice(0, at);
  const [first, last] = name.length > 3 ? [name.at(0), name.at(-1)] : ["", ""];
  return `${first}•••${last}${upiId.slice(at)}`;
}
