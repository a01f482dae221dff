import { refundInput, reverseInput, takePaymentInput } from "#shared/schemas/payments.ts";
import { router, staffProcedure } from "../../trpc.ts";
import { refundPayment, reversePayment, takePayment } from "./payments.service.ts";

export const paymentsRouter = router({
  take: staffProcedure.input(takePaymentInput).mutation(({ ctx, input }) => takePayment(ctx, input)),
  refund: staffProcedure.input(refundInput).mutation(({ ctx, input }) => refundPayment(ctx, input)),
  reverse: staffProcedure.input(reverseInput).mutation(({ ctx, input }) => reversePayment(ctx, input)),
});
