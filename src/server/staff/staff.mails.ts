import { onFirstUse } from "#shared/on-first-use.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { INVITATION_DAYS } from "#shared/schemas/staff.ts";
import { paragraph } from "../mail/blocks.ts";
import { type Mail, plainMail } from "../mail/mail.service.ts";

interface InvitationMailData {
  to: string;
  invitedBy: { name: string; role: StaffRole };
  role: StaffRole;
  /** Names of the shops; empty for an admin. */
  shops: string[];
  url: string;
}

/** Sends the link with which an invited person joins the staff. */
export function invitationMail({ to, invitedBy, role, shops, url }: InvitationMailData): Mail {
  const inviter = invitedBy.role === "admin" ? "an admin" : "a shop owner";
  return plainMail({
    kind: "staff-invitation",
    to,
    subject: "Join the staff of Print Store",
    secret: true,
    blocks: [
      paragraph(`${invitedBy.name} invites you ${PURPOSES[role](shopList(shops))}.`),
      { kind: "button", label: "Join the staff", url },
      paragraph(`The link works once, within ${INVITATION_DAYS} days. A newer invitation replaces it.`),
    ],
    footer: `${invitedBy.name}, ${inviter} at Print Store, entered this address. If you do not know them, please ignore this email.`,
  });
}

/** What each role is for, in the words of the mail. */
const PURPOSES: Record<StaffRole, (shops: string) => string> = {
  counter: (shops) =>
    `to work at the counter of ${shops}: to print orders, take payments and hand orders over`,
  owner: (shops) => `to run ${shops}: its orders, prices, people and payments`,
  admin: () => "to run the whole store, as an admin",
};

const listFormat = onFirstUse(() => new Intl.ListFormat("en-IN", { type: "conjunction" }));
const MAX_NAMED_SHOPS = 5;

/** Names the first shops and counts the rest. */
function shopList(shops: string[]): string {
  const others = shops.length - MAX_NAMED_SHOPS;
  return listFormat().format(
    others > 1 ? [...shops.slice(0, MAX_NAMED_SHOPS), `${others} other shops`] : shops,
  );
}
