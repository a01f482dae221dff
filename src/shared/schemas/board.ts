import { z } from "zod";
import { asciiDigits } from "../digits.ts";
import { MAX_ORDER_NOTE, MAX_STAFF_REASON } from "../order-limits.ts";
import { FULFILMENTS, ORDER_STATES } from "../order-states.ts";
import { idField, optionalText, requiredText } from "./fields.ts";
import { pageCursor } from "./paging.ts";
import { keyField, paymentFields } from "./payments.ts";

/** The maximum number of orders moved at once. */
export const MAX_MOVES = 100;

const timestampField = z.iso.datetime("must be a time such as 2026-11-21T09:30:00.000Z");

/** Promised for before now, for within the next hour, or for before midnight in India. */
const DUE_WITHIN = ["late", "hour", "today"] as const;
export type DueWithin = (typeof DUE_WITHIN)[number];

/** What the console filters orders by, on the board and in the table. */
export const boardFilter = z.object({
  /** Only orders with money owed. */
  unpaid: z.literal(true).optional(),
  fulfilment: z.enum(FULFILMENTS).optional(),
  /** Names of options, as the shop's price list has them. */
  paper: z.string().min(1).max(200).optional(),
  colour: z.string().min(1).max(200).optional(),
  onHold: z.literal(true).optional(),
  /** Only orders that are still to be printed and not on hold, by their promised time. */
  due: z.enum(DUE_WITHIN).optional(),
});
export type BoardFilter = z.output<typeof boardFilter>;

/** The most cards that a column shows. */
export const MAX_COLUMN_CARDS = 200;

/** Without a shop: all shops of the caller. */
export const boardInput = boardFilter.extend({
  shopId: idField.optional(),
  /** How many cards a column has at most: more on request. */
  cards: z.int().min(1).max(MAX_COLUMN_CARDS).optional(),
});
export type BoardInput = z.output<typeof boardInput>;

export const orderPageInput = boardFilter.extend({
  shopId: idField.optional(),
  /** `done`: delivered or cancelled. */
  state: z.enum(["open", "done", "all", ...ORDER_STATES]).default("open"),
  /** Prefixes of names, numbers and addresses; all must be found. */
  search: optionalText(200),
  /** Placed at or after `from`, and before `until`. */
  from: timestampField.optional(),
  until: timestampField.optional(),
  /** Only orders with an unanswered report of a printing error. */
  reported: z.boolean().default(false),
  sort: z.enum(["oldest", "newest"]).default("oldest"),
  cursor: pageCursor,
});
export type OrderPageInput = z.output<typeof orderPageInput>;
export type OrderPageRequest = z.input<typeof orderPageInput>;

const expectedState = z.enum(ORDER_STATES);
/** Whether the caller has sent the same move before and got no answer. */
const isAgain = z.boolean().optional();
/** `from` is the state in which the caller saw the order; `payment` is taken in the same transaction. */
export const moveInput = z.object({
  orderId: idField,
  from: expectedState,
  to: z.enum(ORDER_STATES),
  isAgain,
  payment: paymentFields.optional(),
});
export type MoveInput = z.output<typeof moveInput>;

export const moveManyInput = z.object({
  orders: z
    .array(moveInput.pick({ orderId: true, from: true }))
    .min(1, "Choose at least one order")
    .max(MAX_MOVES, `At most ${MAX_MOVES} orders can be moved at once`),
  to: z.enum(ORDER_STATES),
  isAgain,
});
export type MoveManyInput = z.output<typeof moveManyInput>;

export const cancelInput = z.object({
  orderId: idField,
  from: expectedState,
  reason: requiredText("A reason", MAX_STAFF_REASON),
  isAgain,
});
export type CancelInput = z.output<typeof cancelInput>;

/** What is needed to hand an order over: its pickup code, a note why there is none, or for somebody at the counter the name. */
const handOverProof = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("code"),
    code: z
      .string()
      .trim()
      .overwrite(asciiDigits)
      .regex(/^\d{4}$/, "The code has four digits"),
  }),
  z.object({ by: z.literal("note"), note: requiredText("A note", MAX_STAFF_REASON) }),
  z.object({ by: z.literal("name") }),
]);
/** `payment`: money that is taken with the hand-over, in the same transaction. */
export const handOverInput = z.object({
  orderId: idField,
  proof: handOverProof,
  isAgain,
  payment: paymentFields.optional(),
});
export type HandOverInput = z.output<typeof handOverInput>;
export type HandOverProof = HandOverInput["proof"];

export const noteInput = z.object({
  orderId: idField,
  body: requiredText("A note", MAX_ORDER_NOTE),
  key: keyField.optional(),
});
export type NoteInput = z.output<typeof noteInput>;
