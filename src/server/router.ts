import { accountsRouter } from "./accounts/accounts.router.ts";
import { addressesRouter } from "./accounts/addresses.router.ts";
import { auditRouter } from "./audit/audit.router.ts";
import { contactRouter } from "./contact/contact.router.ts";
import { filesRouter } from "./files/files.router.ts";
import { mailRouter } from "./mail/mail.router.ts";
import { boardRouter } from "./orders/board/board.router.ts";
import { holdsRouter } from "./orders/holds/holds.router.ts";
import { ordersRouter, ratingsRouter } from "./orders/orders.router.ts";
import { bookRouter } from "./orders/payments/book.router.ts";
import { paymentsRouter } from "./orders/payments/payments.router.ts";
import { reprintsRouter } from "./orders/reprints/reprints.router.ts";
import { stockRouter } from "./orders/stock/stock.router.ts";
import { visitsRouter } from "./orders/visits/visits.router.ts";
import { privacyRouter } from "./privacy/privacy.router.ts";
import { pushRouter } from "./push/push.router.ts";
import { counterRouter } from "./shops/counter.router.ts";
import { pricesRouter } from "./shops/prices.router.ts";
import { scheduleRouter } from "./shops/schedule.router.ts";
import { seedRouter } from "./shops/seed.router.ts";
import { shopsRouter } from "./shops/shops.router.ts";
import { taxRouter } from "./shops/tax.router.ts";
import { staffRouter } from "./staff/staff.router.ts";
import { statsRouter } from "./stats/stats.router.ts";
import { createCallerFactory, router } from "./trpc.ts";

export const appRouter = router({
  accounts: accountsRouter,
  addresses: addressesRouter,
  privacy: privacyRouter,
  push: pushRouter,
  shops: shopsRouter,
  prices: pricesRouter,
  schedule: scheduleRouter,
  tax: taxRouter,
  files: filesRouter,
  visits: visitsRouter,
  counter: counterRouter,
  orders: ordersRouter,
  reprints: reprintsRouter,
  ratings: ratingsRouter,
  board: boardRouter,
  payments: paymentsRouter,
  holds: holdsRouter,
  stock: stockRouter,
  book: bookRouter,
  stats: statsRouter,
  contact: contactRouter,
  mail: mailRouter,
  audit: auditRouter,
  staff: staffRouter,
  seeding: seedRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in process, with the context of one request. */
export const createCaller = createCallerFactory(appRouter);
export type AppCaller = ReturnType<typeof createCaller>;
