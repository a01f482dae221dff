import type { OrderState } from "#shared/order-states.ts";

export interface AnsweredUpload {
  sha256: string;
  /** Whether its owner asked for its removal, and whether that was answered. */
  removal: "none" | "asked" | "answered";
}

export interface AnsweredOrder {
  number: string;
  /** Whose it is. */
  email: string;
  key: string;
  fileIds: string[];
}

export interface AnsweredMove {
  orderId: string;
  state: OrderState;
}

/** What the server has answered for, and must therefore never lose; kept by those who asked it. */
export class Ledger {
  /** E-mails of the verified. */
  readonly accounts = new Set<string>();
  readonly uploads = new Map<string, AnsweredUpload>();
  readonly orders = new Map<string, AnsweredOrder>();
  readonly moves: AnsweredMove[] = [];
  /** Every idempotency key that was used, answered or not. */
  readonly keys = new Set<string>();
  /** Answers that nobody should have got. */
  readonly surprises: string[] = [];
  /** Requests whose answer never came. */
  lostAnswers = 0;
  /** Requests that were refused for want of room. */
  refusals = 0;
  /** Orders that were asked for again under their key, whether or not they had been answered. */
  repeats = 0;
  slowestOrderMs = 0;
}
