import type { PERMISSIONS } from "#shared/permissions.ts";
import { ADDRESS } from "../factories/orders.ts";
import type { Belongings } from "./strangers.data.ts";

/** The result of a call with somebody else's ids. `nothing`: a successful answer without any of their data. */
export type Outcome = "NOT_FOUND" | "INVALID_INPUT" | "FORBIDDEN" | "nothing";

/** A call by a stranger. */
export interface StrangersCall {
  input: unknown;
  outcome: Outcome;
}

type Permissions = typeof PERMISSIONS;
/**
 * All procedures that need a login but are not for admins only. A new procedure without an entry here does not compile.
 */
export type GuardedProcedure = {
  [Name in keyof Permissions]: Permissions[Name] extends "everyone" | "admin" ? never : Name;
}[keyof Permissions];

const notFound = (input: unknown): StrangersCall => ({ input, outcome: "NOT_FOUND" });
const invalid = (input: unknown): StrangersCall => ({ input, outcome: "INVALID_INPUT" });
/** For lists, also those without ids: the caller decides whose data they show. */
const nothing = (input?: unknown): StrangersCall => ({ input, outcome: "nothing" });

const OWN_ACCOUNT = "takes no id: changes the account of who asks";
const LAST_MONTHS = { from: "2026-10-01", until: "2026-12-31" };
const LATEST = "2100-01-01T00:00:00.000Z";

/** All procedures that need a login: calls with somebody else's data, or why there are none. */
export function callsAbout(mine: Belongings): Record<GuardedProcedure, StrangersCall[] | string> {
  const {
    shopId,
    staffId,
    invitationId,
    orderId,
    paymentId,
    fileId,
    uploadId,
    uploadSha256,
    addressId,
    deviceId,
    passkeyId,
    placing,
    reportedId,
  } = mine;
  const { filesUrl } = placing.orderData;
  return {
    "accounts.getUser": [nothing()],
    "accounts.rename": OWN_ACCOUNT,
    "accounts.requestPhoneCode": OWN_ACCOUNT,
    "accounts.confirmPhone": OWN_ACCOUNT,
    "accounts.requestEmailCode": OWN_ACCOUNT,
    "accounts.confirmEmail": OWN_ACCOUNT,
    "accounts.changePassword": OWN_ACCOUNT,
    "accounts.confirm": OWN_ACCOUNT,
    "accounts.secondFactors": [nothing()],
    "accounts.removeTotp": OWN_ACCOUNT,
    "accounts.removePasskey": [notFound({ id: passkeyId })],
    "accounts.newRecoveryCodes": OWN_ACCOUNT,
    "accounts.mailChoices": [nothing()],
    "accounts.chooseMail": OWN_ACCOUNT,
    "accounts.devices": [nothing()],
    "accounts.endDevice": [notFound({ id: deviceId })],
    "accounts.endOtherDevices": [nothing()],
    "addresses.list": [nothing()],
    "addresses.add": OWN_ACCOUNT,
    "addresses.update": [notFound({ id: addressId, address: ADDRESS })],
    "addresses.remove": [notFound({ id: addressId })],
    "addresses.makeDefault": [notFound({ id: addressId })],
    "privacy.myData": [nothing()],
    "privacy.deleteAccount": OWN_ACCOUNT,
    "push.device": [nothing()],
    "push.subscribe": "takes no id: another account's browser is tried in push.sql.test.ts",
    "push.unsubscribe": "takes no id: changes the session of who asks",
    "shops.admin.list": [notFound({ shopId }), nothing()],
    "shops.admin.byId": [notFound({ shopId })],
    "shops.admin.update": [notFound({ shopId })],
    "shops.admin.sendConfirmation": [notFound({ shopId })],
    "shops.admin.setOpen": [notFound({ shopId, isOpen: false, closedNote: "" })],
    "shops.admin.uploadPhoto": "keeps a picture that no shop shows yet",
    "prices.get": [notFound({ shopId })],
    "prices.save": [notFound({ shopId })],
    "tax.settings": [notFound({ shopId })],
    "tax.save": [
      notFound({
        shopId,
        gstin: "",
        legalName: "",
        address: "",
        ratePercent: 18,
        sac: "998912",
        series: "PS",
      }),
    ],
    "schedule.settings": [notFound({ shopId })],
    "schedule.save": [notFound({ shopId, holidays: [], pagesPerMinute: 1, handlingMinutes: 0 })],
    "schedule.closeEarly": [notFound({ shopId, isClosing: true })],
    "schedule.closed": [nothing()],
    "schedule.open": [notFound({ shopId })],
    "files.upload": "keeps a file of who asks",
    "files.room": "tells of who asks",
    "files.findUploaded": [nothing({ sha256: uploadSha256, withinMs: 60_000 })],
    "files.colours": [nothing({ ids: [fileId, uploadId] })],
    "files.approve": [notFound({ id: uploadId })],
    "files.remove": [notFound({ id: uploadId })],
    "visits.walkIn": [
      notFound({
        shopId,
        name: "Meera",
        key: "first-press",
        orderData: { ...placing.orderData, shopId },
        orderValue: placing.orderValue,
      }),
    ],
    "visits.place": "for visitors only: visits.test.ts",
    "visits.leave": "takes no id: forgets who asks",
    "counter.today": [notFound({ shopId })],
    "counter.renew": [notFound({ shopId })],
    "counter.switch": [notFound({ shopId, isOn: false })],
    "orders.place": [invalid(placing)],
    "orders.mine": [nothing({ cursor: { createdAt: LATEST, id: orderId } })],
    "orders.one": [notFound({ orderId })],
    "orders.live": "what it tells to whom is seen in orders.live.test.ts",
    "reprints.own": [notFound({ orderId: reportedId })],
    "reprints.uploadPhoto": "keeps a photo of who asks",
    "reprints.report": [
      notFound({ orderId, reason: "Mine now" }),
      notFound({ orderId: reportedId, reason: "Mine" }),
    ],
    "reprints.order": [notFound({ orderId: reportedId, filesUrl })],
    "reprints.ofOrder": [notFound({ orderId: reportedId })],
    "reprints.answer": [notFound({ orderId: reportedId, accepted: true, answer: "Mine now" })],
    "stock.list": [notFound({ shopId })],
    "stock.setOut": "of other shops and their options: stock.test.ts",
    "stock.ask": "of other shops and their options: stock.test.ts",
    "stock.change": "of other shops and their options: stock.test.ts",
    "holds.hold": [notFound({ orderId, reason: "A page is cut off" })],
    "holds.holdSeveral": [nothing({ orderIds: [orderId], reason: "A page is cut off" })],
    "holds.release": [notFound({ orderId, holdId: "any" })],
    "holds.answer": [notFound({ orderId, holdId: "any", answer: "Mine now" })],
    "holds.quote": "works on held orders only: holds.test.ts",
    "holds.change": [notFound({ orderId, holdId: "any", expectedTotalPaise: 0 })],
    "holds.cancel": [notFound({ orderId, holdId: "any" })],
    "ratings.rate": [notFound({ orderId, stars: 1 })],
    "board.read": [notFound({ shopId }), nothing({})],
    "board.page": [notFound({ shopId, state: "all" }), nothing({ state: "all" })],
    "board.order": [notFound({ orderId })],
    "board.move": [notFound({ orderId, from: "placed", to: "printing" })],
    "board.moveSeveral": [nothing({ orders: [{ orderId, from: "placed" }], to: "printing" })],
    "board.cancel": [notFound({ orderId, from: "placed", reason: "No toner" })],
    "board.handOver": [
      notFound({ orderId, proof: { by: "note", note: "Showed a card" } }),
      notFound({ orderId, proof: { by: "code", code: "0000" } }),
    ],
    "board.note": [notFound({ orderId, body: "Mine now" })],
    "payments.take": [notFound({ orderId, method: "cash", amountPaise: 100, key: "press-one" })],
    "payments.refund": [
      notFound({ orderId, method: "cash", amountPaise: 100, key: "press-two", reason: "Mine now" }),
    ],
    "payments.reverse": [notFound({ orderId, paymentId, key: "press-three", reason: "Mine now" })],
    "board.live": "what it tells to whom is seen in board.live.test.ts",
    "book.totals": [notFound({ shopId, ...LAST_MONTHS }), nothing(LAST_MONTHS)],
    "book.orders": [notFound({ shopId, ...LAST_MONTHS }), nothing(LAST_MONTHS)],
    "book.outstanding": [
      notFound({ shopId, before: LAST_MONTHS.from }),
      nothing({ before: LAST_MONTHS.from }),
    ],
    "book.confirmExport": [nothing()],
    "book.day": [notFound({ shopId, day: "2026-11-21" })],
    "book.close": [notFound({ shopId, day: "2026-11-21", expectedCashPaise: 0, countedCashPaise: 0 })],
    "stats.read": [notFound({ shopId, ...LAST_MONTHS }), nothing(LAST_MONTHS)],
    "stats.shops": [notFound({ shopId, ...LAST_MONTHS }), nothing(LAST_MONTHS)],
    "stats.export": [notFound({ shopId, ...LAST_MONTHS }), nothing(LAST_MONTHS)],
    "audit.list": [notFound({ shopId }), nothing({})],
    "staff.myShops": [nothing(), nothing({ ids: [shopId] })],
    "staff.list": [nothing()],
    "staff.invite": [
      {
        input: { email: "a.friend@college.example", role: "counter", shopIds: [shopId] },
        outcome: "FORBIDDEN",
      },
    ],
    "staff.reinvite": [notFound({ id: invitationId })],
    "staff.withdraw": [notFound({ id: invitationId })],
    "staff.change": [
      {
        input: {
          ...{ userId: staffId, role: "counter", shopIds: [shopId] },
          base: { role: "counter", shopIds: [shopId] },
        },
        outcome: "FORBIDDEN",
      },
    ],
    "staff.remove": [notFound({ userId: staffId })],
  };
}
