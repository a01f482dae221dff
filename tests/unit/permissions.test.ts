import { describe, expect, test } from "vitest";
import {
  ACCESS,
  type Access,
  assignableRoles,
  type Caller,
  hasRight,
  mayCall,
  PERMISSIONS,
} from "#shared/permissions.ts";

const CALLERS: Caller[] = ["guest", "visitor", "customer", "counter", "owner", "admin"];

/** Who may call what, written out a second time: a procedure that is opened to others by mistake is noticed here. */
const CALLABLE: Record<Access, string[]> = {
  everyone: [
    "accounts: me register verify resendVerification login requestLoginOtp loginWithOtp logout pendingLogin finishLogin cancelLogin passkeyChallenge loginWithPasskey startTotp addTotp startPasskey addPasskey requestPasswordLink isPasswordLinkValid resetPassword",
    "shops: list page byId",
    "contact: send",
    "files: formats",
    "visits: page open",
    "orders: promise",
    "staff: invitation accept",
  ],
  user: [
    "accounts: getUser rename requestPhoneCode confirmPhone requestEmailCode confirmEmail changePassword mailChoices chooseMail devices endDevice endOtherDevices",
    "addresses: list add update remove makeDefault",
    "privacy: myData deleteAccount",
    "push: device subscribe unsubscribe",
    "orders: place mine one live",
    "reprints: own uploadPhoto report order",
    "ratings: rate",
    "holds: answer quote change cancel",
  ],
  uploader: ["files: upload room findUploaded colours approve remove"],
  visitor: ["visits: place leave"],
  staff: [
    "accounts: confirm secondFactors removeTotp removePasskey newRecoveryCodes",
    "reprints: ofOrder answer",
    "board: read page order move moveSeveral cancel handOver note live",
    "payments: take refund reverse",
    "holds: hold holdSeveral release",
    "stock: list setOut ask change",
    "book: day close",
    "counter: today renew switch",
    "staff: myShops",
    "schedule: closed open",
    "visits: walkIn",
  ],
  owner: [
    "shops: admin.list admin.uploadPhoto",
    "book: totals orders outstanding confirmExport",
    "stats: read shops export",
    "audit: list",
    "staff: list invite reinvite withdraw change remove",
  ],
  shop: [
    "shops: admin.byId admin.update admin.sendConfirmation admin.setOpen",
    "prices: get save",
    "schedule: settings save closeEarly",
    "tax: settings save",
  ],
  admin: [
    "shops: admin.create admin.setHidden admin.remove",
    "seeding: preview write export",
    "contact: list counts mark",
    "mail: list stats byId resend",
    "staff: resetSecondFactor secondFactorRule setSecondFactorRule",
  ],
};

describe("permissions", () => {
  test.each(Object.entries(CALLABLE))("for %s are needed for exactly these procedures", (access, lines) => {
    const expected = lines.flatMap((line) => {
      const [domain = "", names = ""] = line.split(": ");
      return names.split(" ").map((name) => `${domain}.${name}`);
    });
    const actual = Object.entries(PERMISSIONS).filter(([, needed]) => needed === access);
    expect(actual.map(([procedure]) => procedure).sort()).toEqual(expected.sort());
  });

  test("are kept by these roles", () => {
    expect(ACCESS).toEqual({
      everyone: ["guest", "visitor", "customer", "counter", "owner", "admin"],
      uploader: ["visitor", "customer", "counter", "owner", "admin"],
      visitor: ["visitor"],
      user: ["customer", "counter", "owner", "admin"],
      staff: ["counter", "owner", "admin"],
      owner: ["owner", "admin"],
      shop: ["owner", "admin"],
      admin: ["admin"],
    });
  });

  test.each<[string, Caller[]]>([
    ["shops.list", CALLERS],
    ["files.upload", ["visitor", "customer", "counter", "owner", "admin"]],
    ["visits.place", ["visitor"]],
    ["orders.place", ["customer", "counter", "owner", "admin"]],
    ["board.move", ["counter", "owner", "admin"]],
    ["audit.list", ["owner", "admin"]],
    ["prices.save", ["owner", "admin"]],
    ["mail.list", ["admin"]],
    ["shops.delete", []],
    ["toString", []],
  ])("let exactly these call %s: %j", (procedure, callers) => {
    expect(CALLERS.filter((caller) => mayCall(procedure, caller))).toEqual(callers);
  });

  test("to refund are for owners and admins, and to set a shop's rating for admins", () => {
    expect(CALLERS.filter((caller) => hasRight("refund", caller))).toEqual(["owner", "admin"]);
    expect(CALLERS.filter((caller) => hasRight("rateShop", caller))).toEqual(["admin"]);
  });

  test("are given by owners to counter staff, and by admins to all staff", () => {
    expect(Object.fromEntries(CALLERS.map((caller) => [caller, assignableRoles(caller)]))).toEqual({
      guest: [],
      visitor: [],
      customer: [],
      counter: [],
      owner: ["counter"],
      admin: ["counter", "owner", "admin"],
    });
  });
});
