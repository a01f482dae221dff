import {
  boardInput,
  cancelInput,
  handOverInput,
  moveInput,
  moveManyInput,
  noteInput,
  orderPageInput,
} from "#shared/schemas/board.ts";
import { ofOrder } from "#shared/schemas/ids.ts";
import { liveInput } from "#shared/schemas/orders.ts";
import { router, staffProcedure, trackEvents } from "../../trpc.ts";
import { watchShopOrders } from "../events/events.service.ts";
import { getBoard, getOrderPage } from "./board.service.ts";
import { addNote, getOrder } from "./detail.service.ts";
import { cancelOrder, handOver, moveOrderOn, moveSeveral } from "./moves.service.ts";

export const boardRouter = router({
  read: staffProcedure.input(boardInput).query(({ ctx, input }) => getBoard(ctx, input)),
  page: staffProcedure.input(orderPageInput).query(({ ctx, input }) => getOrderPage(ctx, input)),
  order: staffProcedure.input(ofOrder).query(({ ctx, input }) => getOrder(ctx, input)),
  move: staffProcedure.input(moveInput).mutation(({ ctx, input }) => moveOrderOn(ctx, input)),
  moveSeveral: staffProcedure.input(moveManyInput).mutation(({ ctx, input }) => moveSeveral(ctx, input)),
  cancel: staffProcedure.input(cancelInput).mutation(({ ctx, input }) => cancelOrder(ctx, input)),
  handOver: staffProcedure.input(handOverInput).mutation(({ ctx, input }) => handOver(ctx, input)),
  note: staffProcedure.input(noteInput).mutation(({ ctx, input }) => addNote(ctx, input)),
  live: staffProcedure
    .input(liveInput)
    .subscription(({ ctx, input, signal }) =>
      trackEvents(watchShopOrders(ctx, input?.lastEventId ?? null, signal ?? ctx.closing)),
    ),
});
