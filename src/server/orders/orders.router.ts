import {
  boardInput,
  cancelInput,
  handOverInput,
  moveInput,
  moveManyInput,
  noteInput,
  orderPageInput,
} from "#shared/schemas/board.ts";
import { bookDayInput, bookOrdersInput, closeDayInput, outstandingInput } from "#shared/schemas/book.ts";
import {
  agreeChangesInput,
  holdAnswerInput,
  holdChangesInput,
  holdInput,
  holdSeveralInput,
  openHoldInput,
} from "#shared/schemas/holds.ts";
import { ofOrder, ofShop } from "#shared/schemas/ids.ts";
import { liveInput, ownOrdersInput, placeOrderInput, rateInput } from "#shared/schemas/orders.ts";
import { refundInput, reverseInput, takePaymentInput } from "#shared/schemas/payments.ts";
import { yearInput } from "#shared/schemas/period.ts";
import { answerInput, reportInput, reprintOrderInput } from "#shared/schemas/reprints.ts";
import { promiseInput } from "#shared/schemas/schedule.ts";
import { askAboutInput, changeStockInput, setOutInput } from "#shared/schemas/stock.ts";
import { saveTaxInput } from "#shared/schemas/tax.ts";
import { openVisitInput, visitOrderInput, walkInInput } from "#shared/schemas/visits.ts";
import { uploadBody } from "../http/bodies.ts";
import { setOptionOut } from "../shops/prices.service.ts";
import {
  ownerProcedure,
  publicProcedure,
  recentAuth,
  router,
  shopProcedure,
  staffProcedure,
  trackEvents,
  userProcedure,
  visitorProcedure,
} from "../trpc.ts";
import { addNote, getBoard, getOrder, getOrderPage } from "./board/board.service.ts";
import { cancelOrder, handOver, moveOrderOn, moveSeveral } from "./board/moves.service.ts";
import { cancelHeldOrder, changeOrder, quoteChanges } from "./holds/changes.service.ts";
import { answerShop, holdOrder, holdSeveral, releaseOrder } from "./holds/holds.service.ts";
import { askAboutOption, changeToOption, listStock } from "./holds/stock.service.ts";
import { watchOwnOrders, watchShopOrders } from "./live/live.service.ts";
import { getOwnOrder, listOwnOrders, rateOrder } from "./orders.service.ts";
import {
  closeDay,
  getBookDay,
  getBookTotals,
  getOutstandingRefunds,
  listBookOrders,
} from "./payments/book.service.ts";
import { getTaxSettings, saveTaxSettings } from "./payments/invoices.service.ts";
import { refundPayment, reversePayment, takePayment } from "./payments/payments.service.ts";
import { placeOrder } from "./placement/placement.service.ts";
import { getPromise } from "./placement/promise.service.ts";
import {
  getCounterPage,
  leaveCounter,
  openVisit,
  placeVisitOrder,
  placeWalkIn,
} from "./placement/visit-orders.service.ts";
import { uploadReportPhoto } from "./reprints/report-photos.service.ts";
import {
  answerReport,
  getOwnReprint,
  getShopReprint,
  orderReprint,
  reportError,
} from "./reprints/reprints.service.ts";

export const ordersRouter = router({
  promise: publicProcedure.input(promiseInput).query(({ ctx, input }) => getPromise(ctx, input)),
  place: userProcedure.input(placeOrderInput).mutation(({ ctx, input }) => placeOrder(ctx, input)),
  mine: userProcedure.input(ownOrdersInput).query(({ ctx, input }) => listOwnOrders(ctx, input)),
  one: userProcedure.input(ofOrder).query(({ ctx, input }) => getOwnOrder(ctx, input)),
  live: userProcedure
    .input(liveInput)
    .subscription(({ ctx, input, signal }) =>
      trackEvents(watchOwnOrders(ctx, input?.lastEventId ?? null, signal ?? ctx.closing)),
    ),
});

export const ratingsRouter = router({
  rate: userProcedure.input(rateInput).mutation(({ ctx, input }) => rateOrder(ctx, input)),
});

export const boardRouter = router({
  read: staffProcedure.input(boardInput).query(({ ctx, input }) => getBoard(ctx, input)),
  page: staffProcedure.input(orderPageInput).query(({ ctx, input }) => getOrderPage(ctx, input)),
  order: staffProcedure.input(ofOrder).query(({ ctx, input }) => getOrder(ctx, input)),
  move: staffProcedure.input(moveInput).mutation(({ ctx, input }) => moveOrderOn(ctx, input)),
  moveSeveral: staffProcedure.input(moveManyInput).mutation(({ ctx, input }) => moveSeveral(ctx, input)),
  cancel: staffProcedure.input(cancelInput).mutation(({ ctx, input }) => cancelOrder(ctx, input)),
  handOver: staffProcedure.input(handOverInput).mutation(({ ctx, input }) => handOver(ctx, input)),
  note: staffProcedure.input(noteInput).mutation(({ ctx, input }) => addNote(ctx, input)),
  live: staffProcedure
    .input(liveInput)
    .subscription(({ ctx, input, signal }) =>
      trackEvents(watchShopOrders(ctx, input?.lastEventId ?? null, signal ?? ctx.closing)),
    ),
});

/** Orders with which something is wrong. */
export const holdsRouter = router({
  hold: staffProcedure.input(holdInput).mutation(({ ctx, input }) => holdOrder(ctx, input)),
  holdSeveral: staffProcedure.input(holdSeveralInput).mutation(({ ctx, input }) => holdSeveral(ctx, input)),
  release: staffProcedure.input(openHoldInput).mutation(({ ctx, input }) => releaseOrder(ctx, input)),
  answer: userProcedure.input(holdAnswerInput).mutation(({ ctx, input }) => answerShop(ctx, input)),
  quote: userProcedure.input(holdChangesInput).query(({ ctx, input }) => quoteChanges(ctx, input)),
  change: userProcedure.input(agreeChangesInput).mutation(({ ctx, input }) => changeOrder(ctx, input)),
  cancel: userProcedure.input(openHoldInput).mutation(({ ctx, input }) => cancelHeldOrder(ctx, input)),
});

/** What a shop has run out of. */
export const stockRouter = router({
  list: staffProcedure.input(ofShop).query(({ ctx, input }) => listStock(ctx, input)),
  setOut: staffProcedure.input(setOutInput).mutation(({ ctx, input }) => setOptionOut(ctx, input)),
  ask: staffProcedure.input(askAboutInput).mutation(({ ctx, input }) => askAboutOption(ctx, input)),
  change: staffProcedure.input(changeStockInput).mutation(({ ctx, input }) => changeToOption(ctx, input)),
});

export const paymentsRouter = router({
  take: staffProcedure.input(takePaymentInput).mutation(({ ctx, input }) => takePayment(ctx, input)),
  refund: staffProcedure.input(refundInput).mutation(({ ctx, input }) => refundPayment(ctx, input)),
  reverse: staffProcedure.input(reverseInput).mutation(({ ctx, input }) => reversePayment(ctx, input)),
});

/** For the owners of a shop: what its tax invoices say. */
export const taxRouter = router({
  settings: shopProcedure.query(({ ctx, input }) => getTaxSettings(ctx, input)),
  save: shopProcedure.input(saveTaxInput).mutation(({ ctx, input }) => saveTaxSettings(ctx, input)),
});

export const bookRouter = router({
  totals: ownerProcedure.input(yearInput).query(({ ctx, input }) => getBookTotals(ctx, input)),
  orders: ownerProcedure.input(bookOrdersInput).query(({ ctx, input }) => listBookOrders(ctx, input)),
  outstanding: ownerProcedure
    .input(outstandingInput)
    .query(({ ctx, input }) => getOutstandingRefunds(ctx, input)),
  /** Confirms who asks before the browser downloads an export, which could not ask itself. */
  confirmExport: ownerProcedure.use(recentAuth).mutation(() => null),
  day: staffProcedure.input(bookDayInput).query(({ ctx, input }) => getBookDay(ctx, input)),
  close: staffProcedure.input(closeDayInput).mutation(({ ctx, input }) => closeDay(ctx, input)),
});

export const reprintsRouter = router({
  own: userProcedure.input(ofOrder).query(({ ctx, input }) => getOwnReprint(ctx, input)),
  uploadPhoto: userProcedure.input(uploadBody).mutation(({ ctx, input }) => uploadReportPhoto(ctx, input)),
  report: userProcedure.input(reportInput).mutation(({ ctx, input }) => reportError(ctx, input)),
  order: userProcedure.input(reprintOrderInput).mutation(({ ctx, input }) => orderReprint(ctx, input)),
  ofOrder: staffProcedure.input(ofOrder).query(({ ctx, input }) => getShopReprint(ctx, input)),
  answer: staffProcedure.input(answerInput).mutation(({ ctx, input }) => answerReport(ctx, input)),
});

/** For people at a shop's counter, without an account. */
export const visitsRouter = router({
  page: publicProcedure.input(ofShop).query(({ ctx, input }) => getCounterPage(ctx, input)),
  open: publicProcedure.input(openVisitInput).mutation(({ ctx, input }) => openVisit(ctx, input)),
  place: visitorProcedure.input(visitOrderInput).mutation(({ ctx, input }) => placeVisitOrder(ctx, input)),
  /** For staff: an order for somebody who stands at the counter. */
  walkIn: staffProcedure.input(walkInInput).mutation(({ ctx, input }) => placeWalkIn(ctx, input)),
  leave: visitorProcedure.mutation(({ ctx }) => leaveCounter(ctx)),
});
