import { z } from "zod";

/** `lastEventId`: the last event that the screen has received. */
export const liveInput = z.object({ lastEventId: z.string().max(20).nullish() }).optional();
