/** Everything that staff do and the audit log keeps, with what it is called there. */
export const AUDIT_ACTIONS = {
  "staff.invite": "Invited to the staff",
  "staff.reinvite": "Sent the invitation again",
  "staff.withdraw": "Withdrew the invitation",
  "staff.accept": "Accepted the invitation",
  "staff.change": "Changed role or shops",
  "staff.remove": "Removed from the staff",
  "shop.create": "Made a shop",
  "shop.change": "Changed a shop",
  "shop.open": "Opened a shop",
  "shop.close": "Closed a shop",
  "shop.hide": "Hid a shop",
  "shop.show": "Showed a shop",
  "shop.delete": "Deleted a shop",
  "prices.change": "Changed a price list",
  "seed.apply": "Read in shops from a file",
  "contact.mark": "Marked a contact message",
  "order.move": "Moved an order on",
  "order.cancel": "Cancelled an order",
  "order.note": "Wrote a note on an order",
  "mail.resend": "Sent a mail again",
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;
