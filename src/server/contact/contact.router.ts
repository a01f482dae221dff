import { contactInput, contactListInput, markContactInput } from "#shared/schemas/contact.ts";
import { adminProcedure, publicProcedure, router } from "../trpc.ts";
import {
  countContact,
  listContactMessages,
  markContactMessage,
  sendContactMessage,
} from "./contact.service.ts";

export const contactRouter = router({
  send: publicProcedure.input(contactInput).mutation(({ ctx, input }) => sendContactMessage(ctx, input)),
  list: adminProcedure.input(contactListInput).query(({ ctx, input }) => listContactMessages(ctx, input)),
  counts: adminProcedure.query(({ ctx }) => countContact(ctx)),
  mark: adminProcedure.input(markContactInput).mutation(({ ctx, input }) => markContactMessage(ctx, input)),
});
