/**
 * The mails about an order that a student can switch off, by order state; `dispatched` also stands for "ready for
 * pickup". A cancellation is always mailed.
 */
export const MAIL_CHOICES = ["placed", "dispatched", "delivered"] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

/** Which of these mails a student wants. */
export type MailChoices = Record<MailChoice, boolean>;
