import { onFirstUse } from "#shared/on-first-use.ts";
import { INVITATION_DAYS } from "#shared/schemas/staff.ts";
import type { MailContent } from "../mail/mail.blocks.ts";
import type { Mail } from "../mail/mail.service.ts";

interface InvitationFacts {
  to: string;
  invitedBy: string;
  /** Names of the shops to work for; null for the whole store. */
  shops: string[] | null;
  url: string;
}

/** The link by which an invited person joins the staff. */
export function invitationMail({ to, invitedBy, shops, url }: InvitationFacts): Mail {
  const subject = "Join the staff of Print Store";
  const place = shops ? inWords(shops) : "the whole store, as an admin";
  const content: MailContent = {
    title: subject,
    blocks: [
      { kind: "paragraph", text: `${invitedBy} invites you to work at ${place}.` },
      { kind: "button", label: "Join the staff", url },
      {
        kind: "paragraph",
        text: `The link works once, for ${INVITATION_DAYS} days. A newer one replaces it.`,
      },
    ],
    footer: "An admin of Print Store entered this address. If you do not know them, please ignore this mail.",
  };
  return { kind: "staff-invitation", to, subject, secret: true, content };
}

const listFormat = onFirstUse(() => new Intl.ListFormat("en-IN", { type: "conjunction" }));
const NAMED = 5;

/** Names the first few, and counts the others. */
function inWords(shops: string[]): string {
  const others = shops.length - NAMED;
  return listFormat().format(others > 1 ? [...shops.slice(0, NAMED), `${others} other shops`] : shops);
}
