import { z } from "zod";
import { SUCCESS } from "#shared/messages.ts";
import { placedOrder, placeOrderInput } from "#shared/schemas/orders.ts";
import { restRoute } from "../http/openapi.ts";

export const ordersRest = [
  restRoute({
    method: "post",
    path: "/prints/printorder",
    procedure: "orders.place",
    tag: "Orders",
    summary: "Place an order; an Idempotency-Key header makes a repeat safe",
    body: placeOrderInput,
    headers: z.object({
      "Idempotency-Key": placeOrderInput.shape.idempotencyKey.meta({
        description:
          "Any text of the caller's for this order. A repeat with the same one returns the same order",
      }),
    }),
    data: placedOrder,
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND", "CONFLICT", "PRICE_CHANGED", "RATE_LIMITED"],
    message: SUCCESS.orderPlaced.text,
    call: (caller, { body, idempotencyKey }) =>
      caller.orders.place(idempotencyKey ? { ...body, idempotencyKey } : body),
  }),
];
