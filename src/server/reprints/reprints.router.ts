import { ownOrderInput } from "#shared/schemas/orders.ts";
import { orderIdInput } from "#shared/schemas/queue.ts";
import { answerInput, reportInput, reprintOrderInput } from "#shared/schemas/reprints.ts";
import { router, staffProcedure, userProcedure } from "../trpc.ts";
import { uploadBody } from "../upload-body.ts";
import { answerReport } from "./reprints.answer.service.ts";
import { orderReprint } from "./reprints.order.service.ts";
import { uploadReportPhoto } from "./reprints.photos.service.ts";
import { reportError } from "./reprints.report.service.ts";
import { getOwnReprint, getShopReprint } from "./reprints.view.service.ts";

export const reprintsRouter = router({
  own: userProcedure.input(ownOrderInput).query(({ ctx, input }) => getOwnReprint(ctx, input)),
  uploadPhoto: userProcedure.input(uploadBody).mutation(({ ctx, input }) => uploadReportPhoto(ctx, input)),
  report: userProcedure.input(reportInput).mutation(({ ctx, input }) => reportError(ctx, input)),
  order: userProcedure.input(reprintOrderInput).mutation(({ ctx, input }) => orderReprint(ctx, input)),
  ofOrder: staffProcedure.input(orderIdInput).query(({ ctx, input }) => getShopReprint(ctx, input)),
  answer: staffProcedure.input(answerInput).mutation(({ ctx, input }) => answerReport(ctx, input)),
});
