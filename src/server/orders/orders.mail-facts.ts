import type { Fulfilment } from "#shared/fulfilment.ts";
import type { Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";

/** All that the two mails of an order tell: the contract's order data and order value, and who is who. */
export interface OrderMailFacts {
  /** What people call the order, such as K7M4-Q2XD. */
  number: string;
  /** The number of the order that it prints again at no charge. */
  reprintOf?: string | undefined;
  /** Where the student sees it. */
  orderUrl: string;
  /** ISO 8601 in UTC. */
  placedAt: string;
  shop: { name: string; location: string; email: string; contactNumber: string };
  student: { fullName: string; email: string; phone: string };
  pages: number;
  copies: number;
  quote: Quote;
  message: string;
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  /** Where the shop takes UPI; empty where it does not. */
  upiId: string;
  /** When the signed links end; ISO 8601 in UTC. */
  signedUntil: string;
  files: OrderMailFile[];
}

export interface OrderMailFile {
  name: string;
  pages: number;
  /** Those that are printed, such as `1-10, 15`; null for all. */
  pageRanges: string | null;
  bytes: number;
  /** The store's own URL, which its owner opens when logged in. */
  url: string;
  /** Opens without a login until `signedUntil`. */
  signedUrl: string;
}
