import type { OrderState } from "#shared/order-states.ts";

export interface AnsweredUpload {
  sha256: string;
  /** Whether its owner has requested its removal, and whether that was confirmed. */
  removal: "none" | "asked" | "answered";
}

export interface AnsweredOrder {
  number: string;
  /** The e-mail of its owner. */
  email: string;
  key: string;
  fileIds: string[];
}

export interface AnsweredMove {
  orderId: string;
  state: OrderState;
}

/** Everything that the server has confirmed and must never lose, as recorded by the clients. */
export class Ledger {
  /** E-mails of verified accounts. */
  readonly accounts = new Set<string>();
  readonly uploads = new Map<string, AnsweredUpload>();
  readonly orders = new Map<string, AnsweredOrder>();
  readonly moves: AnsweredMove[] = [];
  /** All idempotency keys that were used, confirmed or not. */
  readonly keys = new Set<string>();
  /** Responses that nobody should get. */
  readonly surprises: string[] = [];
  /** Requests without a response. */
  lostAnswers = 0;
  /** Requests refused because the disk was full. */
  refusals = 0;
  /** Orders that were sent again with their key. */
  repeats = 0;
  slowestOrderMs = 0;
}
