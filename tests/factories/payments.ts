import { randomUUID } from "node:crypto";
import { duePaise } from "#shared/payment.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { seenByStaff } from "./orders.ts";

/** Takes this much in cash by a press of its own. */
export function takeCash(staff: ApiClient, orderId: string, amountPaise: number) {
  return staff.mutate("payments.take", { orderId, method: "cash", amountPaise, key: randomUUID() });
}

/** Takes this much by UPI, as `takeCash` does. */
export function takeByUpi(staff: ApiClient, orderId: string, amountPaise: number) {
  return staff.mutate("payments.take", { orderId, method: "upi", amountPaise, key: randomUUID() });
}

/** Takes what is left to pay; of a paid order one rupee more. */
export async function payInFull(staff: ApiClient, orderId: string) {
  const due = duePaise(await seenByStaff(staff, orderId));
  return takeCash(staff, orderId, due || 100);
}

/** Gives this much back in cash by a press of its own. */
export function refundCash(staff: ApiClient, orderId: string, amountPaise: number) {
  const refund = { orderId, method: "cash", amountPaise, reason: "Page 3 was blank" };
  return staff.mutate("payments.refund", { ...refund, key: randomUUID() });
}

/** Gives this much back by UPI, as `refundCash` does. */
export function refundByUpi(staff: ApiClient, orderId: string, amountPaise: number) {
  const refund = { orderId, method: "upi", amountPaise, reason: "Page 3 was blank" };
  return staff.mutate("payments.refund", { ...refund, key: randomUUID() });
}

/** Reverses the newest payment or refund that is not reversed. `reader` may see the order where `staff` may not. */
export async function reverseLast(staff: ApiClient, orderId: string, reader = staff) {
  const { payments } = await seenByStaff(reader, orderId);
  const last = payments.findLast(
    ({ kind, reversedBy }: { kind: string; reversedBy: string | null }) =>
      kind !== "reversal" && reversedBy === null,
  );
  const paymentId = last?.id ?? "nothing-is-paid";
  return staff.mutate("payments.reverse", {
    orderId,
    paymentId,
    reason: "Entered by mistake",
    key: randomUUID(),
  });
}
