import type { Belongings } from "./strangers.data.ts";

/** A request by a stranger, and its status for another student and for staff of another shop. */
export interface StrangersRequest {
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  student: number;
  staff: number;
}

const gone = (path: string): StrangersRequest => ({ path, student: 404, staff: 404 });
const forStaff = (path: string): StrangersRequest => ({ path, student: 403, staff: 404 });

const PROCEDURE = "calls a procedure that takes no id";
const SAME_FOR_ALL = "is the same for everybody";
const GUEST_PAGE = "gives every guest the same page, and others one of their own";

/** All routes: requests with somebody else's data, or why there are none. */
export function routesAbout(mine: Belongings): Record<string, StrangersRequest[] | string> {
  const { orderId, fileId, uploadId, mailId, photoId, placing } = mine;
  const printorder = "/api/v1/prints/printorder";
  return {
    "GET /healthz": SAME_FOR_ALL,
    "GET /readyz": SAME_FOR_ALL,
    "GET /metrics": "counts things and names nobody",
    "ALL /api/trpc/*": "the procedures have a table of their own",
    "POST /api/v1/users/register": PROCEDURE,
    "POST /api/v1/users/verify-account": PROCEDURE,
    "POST /api/v1/users/login": PROCEDURE,
    "POST /api/v1/users/generate-otp-for-login": PROCEDURE,
    "POST /api/v1/users/login-with-otp": PROCEDURE,
    "GET /api/v1/users/getuser": [{ path: "/api/v1/users/getuser", student: 200, staff: 200 }],
    "POST /api/v1/users/logout": PROCEDURE,
    "POST /api/v1/users/fpmail": PROCEDURE,
    "POST /api/v1/users/reset-password": PROCEDURE,
    "GET /api/v1/prints/shopslocation": SAME_FOR_ALL,
    "GET /api/v1/prints/shopdata": SAME_FOR_ALL,
    "POST /api/v1/prints/printorder": [{ path: printorder, body: placing, student: 422, staff: 422 }],
    "POST /api/v1/users/contactus": PROCEDURE,
    "POST /api/v1/uploads": PROCEDURE,
    "POST /api/v1/uploads/approve": PROCEDURE,
    "GET /api/v1/openapi.json": SAME_FOR_ALL,
    "GET /api/v1/docs/start.js": SAME_FOR_ALL,
    "GET /api/v1/docs/swagger-ui.css": SAME_FOR_ALL,
    "GET /api/v1/docs/swagger-ui-bundle.js": SAME_FOR_ALL,
    "GET /api/v1/docs": SAME_FOR_ALL,
    "ALL /api/*": SAME_FOR_ALL,
    "GET /files/:id": [gone(`/files/${fileId}`), gone(`/files/${uploadId}`)],
    "GET /shop-photos/:name": SAME_FOR_ALL,
    "GET /payment-address": "asks for a token that only a mail holds",
    "GET /shop-email": "asks for a token that only a mail holds",
    "POST /shop-email": "asks for a token that only a mail holds",
    "POST /payment-address": "asks for a token that only a mail holds",
    "GET /my-data": [{ path: "/my-data", student: 200, staff: 200 }],
    "GET /mailbox": [gone("/mailbox")],
    "GET /mailbox.json": [gone("/mailbox.json")],
    "GET /mailbox/:id": [gone(`/mailbox/${mailId}`)],
    "GET /admin/export/orders.csv": "what it tells to whom is seen in book.test.ts",
    "GET /admin/export/invoices.csv": "what it tells to whom is seen in book.test.ts",
    "GET /admin/export/payments.csv": "what it tells to whom is seen in book.test.ts",
    "GET /admin/orders/:id/pack.pdf": [forStaff(`/admin/orders/${orderId}/pack.pdf`)],
    "GET /admin/orders/:id/receipt.pdf": [gone(`/admin/orders/${orderId}/receipt.pdf`)],
    "GET /orders/:id/receipt.pdf": [gone(`/orders/${orderId}/receipt.pdf`)],
    "GET /reprint-photos/:id": [gone(`/reprint-photos/${photoId}`)],
    "GET /admin/assets/*": SAME_FOR_ALL,
    "GET /admin": SAME_FOR_ALL,
    "GET /admin/*": SAME_FOR_ALL,
    "GET /sw.js": SAME_FOR_ALL,
    "POST /share-target": SAME_FOR_ALL,
    "GET /robots.txt": SAME_FOR_ALL,
    "GET /sitemap.xml": SAME_FOR_ALL,
    "GET /assets/*": SAME_FOR_ALL,
    "GET /": GUEST_PAGE,
    "GET /shops": GUEST_PAGE,
    "GET /how-it-works": GUEST_PAGE,
    "GET /about-us": GUEST_PAGE,
    "GET /contact-us": GUEST_PAGE,
    "GET /faq": GUEST_PAGE,
    "GET /support": GUEST_PAGE,
    "GET /login": GUEST_PAGE,
    "GET /signup": GUEST_PAGE,
    "GET /terms-and-conditions": GUEST_PAGE,
    "GET /privacy-policy": GUEST_PAGE,
    "GET /refund-and-cancellation": GUEST_PAGE,
    "GET /*": "pages read by the procedures, as who asks",
  };
}
