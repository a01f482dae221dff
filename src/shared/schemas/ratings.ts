import { z } from "zod";
import { MAX_STARS } from "../ratings.ts";
import { idField } from "./fields.ts";

export const rateInput = z.object({ orderId: idField, stars: z.int().min(1).max(MAX_STARS) });
export type RateInput = z.output<typeof rateInput>;
