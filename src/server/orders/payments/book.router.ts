import { bookDayInput, bookOrdersInput, closeDayInput, outstandingInput } from "#shared/schemas/book.ts";
import { yearInput } from "#shared/schemas/period.ts";
import { ownerProcedure, recentAuth, router, staffProcedure } from "../../trpc.ts";
import {
  closeDay,
  getBookDay,
  getBookTotals,
  getOutstandingRefunds,
  listBookOrders,
} from "./book.service.ts";

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
