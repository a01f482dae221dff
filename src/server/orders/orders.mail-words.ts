import type { Button } from "../mail/mail.blocks.ts";

/** Why the student gets a mail about an order. */
export const BECAUSE_ORDERED = "You get this mail because you placed an order with this address.";
/** Said in the mails that can be switched off. */
export const CHOOSE_MAILS = "Which mails you get is chosen in Settings.";

/** Leads to the order's own page, which its student opens when logged in. */
export function orderButton(url: string): Button {
  return { kind: "button", label: "See your order", url };
}
