import { router, staffProcedure } from "../trpc.ts";
import { myShops } from "./staff.service.ts";

export const staffRouter = router({
  myShops: staffProcedure.query(({ ctx }) => myShops(ctx)),
});
