import { z } from "zod";
import { idField, requiredText } from "./fields.ts";

// The inputs that only name one thing.

export const idInput = z.object({ id: idField });
export const ofShop = z.object({ shopId: idField });
export const ofOrder = z.object({ orderId: idField });
export const ofUser = z.object({ userId: idField });
export const tokenInput = z.object({ token: requiredText("Token") });
