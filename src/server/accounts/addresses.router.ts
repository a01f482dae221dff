import { addAddressInput, updateAddressInput } from "#shared/schemas/addresses.ts";
import { idInput } from "#shared/schemas/ids.ts";
import { router, userProcedure } from "../trpc.ts";
import { addAddress, editAddress, listAddresses, makeDefault, removeAddress } from "./addresses.service.ts";

export const addressesRouter = router({
  list: userProcedure.query(({ ctx }) => listAddresses(ctx)),
  add: userProcedure.input(addAddressInput).mutation(({ ctx, input }) => addAddress(ctx, input)),
  update: userProcedure.input(updateAddressInput).mutation(({ ctx, input }) => editAddress(ctx, input)),
  remove: userProcedure.input(idInput).mutation(({ ctx, input }) => removeAddress(ctx, input)),
  makeDefault: userProcedure.input(idInput).mutation(({ ctx, input }) => makeDefault(ctx, input)),
});
