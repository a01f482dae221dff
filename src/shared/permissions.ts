import type { Role } from "./schemas/accounts.ts";

/** Who calls. */
export type Caller = "guest" | Role;

/** Whom each kind of access lets in. */
export const ACCESS = {
  everyone: ["guest", "customer", "owner", "admin"],
  /** Whoever is signed in; what they see is their own. */
  user: ["customer", "owner", "admin"],
  /** Staff of any shop; an owner sees what belongs to their shops and nothing else. */
  staff: ["owner", "admin"],
  /** Staff of the one shop that the call is about; to other owners that shop does not exist. */
  shop: ["owner", "admin"],
  admin: ["admin"],
} as const satisfies Record<string, readonly Caller[]>;
export type Access = keyof typeof ACCESS;

/** The one table of permissions: every procedure, and who may call it. What is not in it, nobody may call. */
export const PERMISSIONS = {
  "accounts.getUser": "user",
  "accounts.me": "everyone",
  "accounts.register": "everyone",
  "accounts.verify": "everyone",
  "accounts.resendVerification": "everyone",
  "accounts.login": "everyone",
  "accounts.requestLoginOtp": "everyone",
  "accounts.loginWithOtp": "everyone",
  "accounts.logout": "everyone",
  "accounts.confirm": "staff",
  "accounts.requestPasswordLink": "everyone",
  "accounts.resetPassword": "everyone",
  "accounts.rename": "user",
  "accounts.requestPhoneCode": "user",
  "accounts.confirmPhone": "user",
  "accounts.changePassword": "user",
  "accounts.mailChoices": "user",
  "accounts.chooseMail": "user",
  "accounts.devices": "user",
  "accounts.endDevice": "user",
  "accounts.endOtherDevices": "user",
  "addresses.list": "user",
  "addresses.add": "user",
  "addresses.update": "user",
  "addresses.remove": "user",
  "addresses.makeDefault": "user",
  "privacy.myData": "user",
  "privacy.deleteAccount": "user",
  "shops.list": "everyone",
  "shops.page": "everyone",
  "shops.byId": "everyone",
  "shops.admin.list": "staff",
  "shops.admin.byId": "shop",
  "shops.admin.create": "admin",
  "shops.admin.update": "shop",
  "shops.admin.setOpen": "shop",
  "shops.admin.setHidden": "admin",
  "shops.admin.remove": "admin",
  "shops.admin.uploadPhoto": "staff",
  "prices.get": "shop",
  "prices.save": "shop",
  "seeding.preview": "admin",
  "seeding.write": "admin",
  "seeding.export": "admin",
  "files.upload": "user",
  "files.colours": "user",
  "files.remove": "user",
  "orders.place": "user",
  "orders.mine": "user",
  "orders.one": "user",
  "orders.live": "user",
  "reprints.own": "user",
  "reprints.uploadPhoto": "user",
  "reprints.report": "user",
  "reprints.order": "user",
  "reprints.ofOrder": "staff",
  "reprints.answer": "staff",
  "ratings.rate": "user",
  "queue.board": "staff",
  "queue.page": "staff",
  "queue.order": "staff",
  "queue.move": "staff",
  "queue.moveSeveral": "staff",
  "queue.cancel": "staff",
  "queue.handOver": "staff",
  "queue.setPaid": "staff",
  "queue.note": "staff",
  "queue.live": "staff",
  "figures.read": "staff",
  "figures.shops": "staff",
  "figures.export": "staff",
  "contact.send": "everyone",
  "contact.list": "admin",
  "contact.counts": "admin",
  "contact.mark": "admin",
  "mail.list": "admin",
  "mail.facts": "admin",
  "mail.byId": "admin",
  "mail.resend": "admin",
  "audit.list": "staff",
  "staff.myShops": "staff",
  "staff.list": "admin",
  "staff.invite": "admin",
  "staff.reinvite": "admin",
  "staff.withdraw": "admin",
  "staff.invitation": "everyone",
  "staff.accept": "everyone",
  "staff.change": "admin",
  "staff.remove": "admin",
} as const satisfies Record<string, Access>;

/** Whether the table lets this caller in. Of `shop` access it knows the role only; the shop is checked by who knows it. */
export function mayCall(procedure: string, caller: Caller): boolean {
  if (!Object.hasOwn(PERMISSIONS, procedure)) return false;
  const access: Access = PERMISSIONS[procedure as keyof typeof PERMISSIONS];
  return (ACCESS[access] as readonly Caller[]).includes(caller);
}
