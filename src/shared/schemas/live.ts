import { z } from "zod";

/** `lastEventId` is put in by tRPC's client when it connects again. */
export const liveInput = z.object({ lastEventId: z.string().max(20).nullish() }).optional();
