import { contactInput } from "#shared/schemas/contact.ts";
import { publicProcedure, router } from "../trpc.ts";
import { sendContactMessage } from "./contact.service.ts";

export const contactRouter = router({
  send: publicProcedure.input(contactInput).mutation(({ ctx, input }) => sendContactMessage(ctx, input)),
});
