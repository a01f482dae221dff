import { accountsRouter } from "./accounts/accounts.router.ts";
import { addressesRouter } from "./addresses/addresses.router.ts";
import { auditRouter } from "./audit/audit.router.ts";
import { contactRouter } from "./contact/contact.router.ts";
import { figuresRouter } from "./figures/figures.router.ts";
import { filesRouter } from "./files/files.router.ts";
import { mailRouter } from "./mail/mail.router.ts";
import { ordersRouter } from "./orders/orders.router.ts";
import { pricesRouter } from "./prices/prices.router.ts";
import { privacyRouter } from "./privacy/privacy.router.ts";
import { queueRouter } from "./queue/queue.router.ts";
import { ratingsRouter } from "./ratings/ratings.router.ts";
import { reprintsRouter } from "./reprints/reprints.router.ts";
import { seedingRouter } from "./seeding/seeding.router.ts";
import { shopsRouter } from "./shops/shops.router.ts";
import { staffRouter } from "./staff/staff.router.ts";
import { createCallerFactory, router } from "./trpc.ts";

export const appRouter = router({
  accounts: accountsRouter,
  addresses: addressesRouter,
  privacy: privacyRouter,
  shops: shopsRouter,
  prices: pricesRouter,
  files: filesRouter,
  orders: ordersRouter,
  reprints: reprintsRouter,
  ratings: ratingsRouter,
  queue: queueRouter,
  figures: figuresRouter,
  contact: contactRouter,
  mail: mailRouter,
  audit: auditRouter,
  staff: staffRouter,
  seeding: seedingRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in process, with the context of one request. */
export const createCaller = createCallerFactory(appRouter);
export type AppCaller = ReturnType<typeof createCaller>;
