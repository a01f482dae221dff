import { ofOrder } from "#shared/schemas/ids.ts";
import { answerInput, reportInput, reprintOrderInput } from "#shared/schemas/reprints.ts";
import { uploadBody } from "../../http/bodies.ts";
import { router, staffProcedure, userProcedure } from "../../trpc.ts";
import { uploadReportPhoto } from "./photos.service.ts";
import {
  answerReport,
  getOwnReprint,
  getShopReprint,
  orderReprint,
  reportError,
} from "./reprints.service.ts";

export const reprintsRouter = router({
  own: userProcedure.input(ofOrder).query(({ ctx, input }) => getOwnReprint(ctx, input)),
  uploadPhoto: userProcedure.input(uploadBody).mutation(({ ctx, input }) => uploadReportPhoto(ctx, input)),
  report: userProcedure.input(reportInput).mutation(({ ctx, input }) => reportError(ctx, input)),
  order: userProcedure.input(reprintOrderInput).mutation(({ ctx, input }) => orderReprint(ctx, input)),
  ofOrder: staffProcedure.input(ofOrder).query(({ ctx, input }) => getShopReprint(ctx, input)),
  answer: staffProcedure.input(answerInput).mutation(({ ctx, input }) => answerReport(ctx, input)),
});
