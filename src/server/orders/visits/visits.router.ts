import { ofShop } from "#shared/schemas/ids.ts";
import { openVisitInput, visitOrderInput, walkInInput } from "#shared/schemas/visits.ts";
import { publicProcedure, router, staffProcedure, visitorProcedure } from "../../trpc.ts";
import { getCounterPage, leaveCounter, openVisit, placeVisitOrder, placeWalkIn } from "./visits.service.ts";

/** For people at a shop's counter, without an account. */
export const visitsRouter = router({
  page: publicProcedure.input(ofShop).query(({ ctx, input }) => getCounterPage(ctx, input)),
  open: publicProcedure.input(openVisitInput).mutation(({ ctx, input }) => openVisit(ctx, input)),
  place: visitorProcedure.input(visitOrderInput).mutation(({ ctx, input }) => placeVisitOrder(ctx, input)),
  /** For staff: an order for somebody who stands at the counter. */
  walkIn: staffProcedure.input(walkInInput).mutation(({ ctx, input }) => placeWalkIn(ctx, input)),
  leave: visitorProcedure.mutation(({ ctx }) => leaveCounter(ctx)),
});
