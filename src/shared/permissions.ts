import type { Role, StaffRole } from "./schemas/accounts.ts";

/** Who calls. */
export type Caller = "guest" | Role;

/** Whom each kind of access lets in. */
export const ACCESS = {
  everyone: ["guest", "customer", "counter", "owner", "admin"],
  /** Whoever is signed in; what they see is their own. */
  user: ["customer", "counter", "owner", "admin"],
  /** Staff of any shop, who see what belongs to their shops and nothing else. */
  staff: ["counter", "owner", "admin"],
  /** Who runs shops; an owner sees what belongs to their shops and nothing else. */
  owner: ["owner", "admin"],
  /** Who runs the one shop that the call is about; to other owners that shop does not exist. */
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
  "accounts.pendingLogin": "everyone",
  "accounts.finishLogin": "everyone",
  "accounts.cancelLogin": "everyone",
  "accounts.passkeyChallenge": "everyone",
  "accounts.loginWithPasskey": "everyone",
  "accounts.startTotp": "everyone",
  "accounts.addTotp": "everyone",
  "accounts.startPasskey": "everyone",
  "accounts.addPasskey": "everyone",
  "accounts.secondFactors": "staff",
  "accounts.removeTotp": "staff",
  "accounts.removePasskey": "staff",
  "accounts.newRecoveryCodes": "staff",
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
  "shops.admin.list": "owner",
  "shops.admin.byId": "shop",
  "shops.admin.create": "admin",
  "shops.admin.update": "shop",
  "shops.admin.setOpen": "shop",
  "shops.admin.setHidden": "admin",
  "shops.admin.remove": "admin",
  "shops.admin.uploadPhoto": "owner",
  "prices.get": "shop",
  "prices.save": "shop",
  "seeding.preview": "admin",
  "seeding.write": "admin",
  "seeding.export": "admin",
  "files.upload": "user",
  "files.room": "user",
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
  "figures.read": "owner",
  "figures.shops": "owner",
  "figures.export": "owner",
  "contact.send": "everyone",
  "contact.list": "admin",
  "contact.counts": "admin",
  "contact.mark": "admin",
  "mail.list": "admin",
  "mail.facts": "admin",
  "mail.byId": "admin",
  "mail.resend": "admin",
  "audit.list": "owner",
  "staff.myShops": "staff",
  "staff.list": "owner",
  "staff.invite": "owner",
  "staff.reinvite": "owner",
  "staff.withdraw": "owner",
  "staff.invitation": "everyone",
  "staff.accept": "everyone",
  "staff.resetSecondFactor": "admin",
  "staff.secondFactorRule": "admin",
  "staff.setSecondFactorRule": "admin",
  "staff.change": "owner",
  "staff.remove": "owner",
} as const satisfies Record<string, Access>;
export type Procedure = keyof typeof PERMISSIONS;

/** What a part of a call asks for beyond its row. */
export const RIGHTS = {
  /** To cancel what is paid, and to take back that an order was paid. */
  refund: "owner",
  /** To say how many stars the store gives a shop. */
  rateShop: "admin",
} as const satisfies Record<string, Access>;
export type Right = keyof typeof RIGHTS;

/** The roles that someone of each role may give to others and take from them. */
const GIVEN_BY: Record<Caller, readonly StaffRole[]> = {
  guest: [],
  customer: [],
  counter: [],
  owner: ["counter"],
  admin: ["counter", "owner", "admin"],
};

export function rolesGivenBy(caller: Caller): readonly StaffRole[] {
  return GIVEN_BY[caller];
}

export function hasRight(right: Right, caller: Caller): boolean {
  return isAdmitted(RIGHTS[right], caller);
}

/** Whether the table lets this caller in. Of `shop` access it knows the role only; the shop is checked by who knows it. */
export function mayCall(procedure: string, caller: Caller): boolean {
  if (!Object.hasOwn(PERMISSIONS, procedure)) return false;
  return isAdmitted(PERMISSIONS[procedure as Procedure], caller);
}

function isAdmitted(access: Access, caller: Caller): boolean {
  return (ACCESS[access] as readonly Caller[]).includes(caller);
}
