import { z } from "zod";
import { idField } from "./fields.ts";

export const deviceIdInput = z.object({ id: idField });
