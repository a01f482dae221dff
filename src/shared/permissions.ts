import type { Role, StaffRole } from "./schemas/accounts.ts";

/** The role of a caller. A visitor is at a shop's counter, without an account. */
export type Caller = "guest" | "visitor" | Role;

/** The roles that each kind of access allows. */
export const ACCESS = {
  everyone: ["guest", "visitor", "customer", "counter", "owner", "admin"],
  /** Anybody who is logged in, for their own data. */
  user: ["customer", "counter", "owner", "admin"],
  /** Anybody who is logged in or at a shop's counter, for the files that they have uploaded. */
  uploader: ["visitor", "customer", "counter", "owner", "admin"],
  /** Visitors at a shop's counter only. */
  visitor: ["visitor"],
  /** Staff, for the data of their shops. */
  staff: ["counter", "owner", "admin"],
  /** Owners for the data of their shops, and admins. */
  owner: ["owner", "admin"],
  /** Owners of the shop that the call is about, and admins. To other owners the shop does not exist. */
  shop: ["owner", "admin"],
  admin: ["admin"],
} as const satisfies Record<string, readonly Caller[]>;
export type Access = keyof typeof ACCESS;

/** The permissions of all procedures. A procedure that is not listed cannot be called. */
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
  "accounts.isPasswordLinkValid": "everyone",
  "accounts.resetPassword": "everyone",
  "accounts.rename": "user",
  "accounts.requestPhoneCode": "user",
  "accounts.confirmPhone": "user",
  "accounts.requestEmailCode": "user",
  "accounts.confirmEmail": "user",
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
  "push.device": "user",
  "push.subscribe": "user",
  "push.unsubscribe": "user",
  "shops.list": "everyone",
  "shops.page": "everyone",
  "shops.byId": "everyone",
  "shops.admin.list": "owner",
  "shops.admin.byId": "shop",
  "shops.admin.create": "admin",
  "shops.admin.update": "shop",
  "shops.admin.sendConfirmation": "shop",
  "shops.admin.setOpen": "shop",
  "shops.admin.setHidden": "admin",
  "shops.admin.remove": "admin",
  "shops.admin.uploadPhoto": "owner",
  "prices.get": "shop",
  "prices.save": "shop",
  "tax.settings": "shop",
  "tax.save": "shop",
  "schedule.settings": "shop",
  "schedule.save": "shop",
  "schedule.closeEarly": "shop",
  "schedule.closed": "staff",
  "schedule.open": "staff",
  "seeding.preview": "admin",
  "seeding.write": "admin",
  "seeding.export": "admin",
  "files.upload": "uploader",
  "files.room": "uploader",
  "files.findUploaded": "uploader",
  "files.colours": "uploader",
  "files.formats": "everyone",
  "files.approve": "uploader",
  "files.remove": "uploader",
  "visits.page": "everyone",
  "visits.open": "everyone",
  "visits.place": "visitor",
  "visits.walkIn": "staff",
  "visits.leave": "visitor",
  "counter.today": "staff",
  "counter.renew": "staff",
  "counter.switch": "staff",
  "orders.promise": "everyone",
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
  "holds.answer": "user",
  "holds.quote": "user",
  "holds.change": "user",
  "holds.cancel": "user",
  "holds.hold": "staff",
  "holds.holdSeveral": "staff",
  "holds.release": "staff",
  "stock.list": "staff",
  "stock.setOut": "staff",
  "stock.ask": "staff",
  "stock.change": "staff",
  "board.read": "staff",
  "board.page": "staff",
  "board.order": "staff",
  "board.move": "staff",
  "board.moveSeveral": "staff",
  "board.cancel": "staff",
  "board.handOver": "staff",
  "board.note": "staff",
  "board.live": "staff",
  "payments.take": "staff",
  "payments.refund": "staff",
  "payments.reverse": "staff",
  "book.totals": "owner",
  "book.orders": "owner",
  "book.outstanding": "owner",
  "book.confirmExport": "owner",
  "book.day": "staff",
  "book.close": "staff",
  "stats.read": "owner",
  "stats.shops": "owner",
  "stats.export": "owner",
  "contact.send": "everyone",
  "contact.list": "admin",
  "contact.counts": "admin",
  "contact.mark": "admin",
  "mail.list": "admin",
  "mail.stats": "admin",
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

/** Rights that a part of a call needs in addition. */
const RIGHTS = {
  /** To cancel an order for which money was taken, to refund a payment, or to reverse one. */
  refund: "owner",
  /** To set a shop's rating. */
  rateShop: "admin",
} as const satisfies Record<string, Access>;
type Right = keyof typeof RIGHTS;

/** The roles that each role may give and take. */
const GIVEN_BY: Record<Caller, readonly StaffRole[]> = {
  guest: [],
  visitor: [],
  customer: [],
  counter: [],
  owner: ["counter"],
  admin: ["counter", "owner", "admin"],
};

export function assignableRoles(caller: Caller): readonly StaffRole[] {
  return GIVEN_BY[caller];
}

export function hasRight(right: Right, caller: Caller): boolean {
  return isAdmitted(RIGHTS[right], caller);
}

/** Whether this role may call the procedure. For `shop` access the procedure also checks the shop. */
export function mayCall(procedure: string, caller: Caller): boolean {
  if (!Object.hasOwn(PERMISSIONS, procedure)) return false;
  return isAdmitted(PERMISSIONS[procedure as Procedure], caller);
}

function isAdmitted(access: Access, caller: Caller): boolean {
  return (ACCESS[access] as readonly Caller[]).includes(caller);
}
