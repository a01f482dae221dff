import { accountsRouter, addressesRouter } from "./accounts/accounts.router.ts";
import { auditRouter } from "./audit/audit.router.ts";
import { contactRouter } from "./contact/contact.router.ts";
import { filesRouter } from "./files/files.router.ts";
import { mailRouter } from "./mail/mail.router.ts";
import {
  boardRouter,
  bookRouter,
  holdsRouter,
  ordersRouter,
  paymentsRouter,
  ratingsRouter,
  reprintsRouter,
  stockRouter,
  taxRouter,
  visitsRouter,
} from "./orders/orders.router.ts";
import { privacyRouter } from "./privacy/privacy.router.ts";
import { pushRouter } from "./push/push.router.ts";
import {
  counterRouter,
  pricesRouter,
  scheduleRouter,
  seedRouter,
  shopsRouter,
} from "./shops/shops.router.ts";
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
