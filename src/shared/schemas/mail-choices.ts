import { z } from "zod";
import { MAIL_CHOICES } from "../mail-choices.ts";

export const mailChoiceInput = z.object({ kind: z.enum(MAIL_CHOICES), wanted: z.boolean() });
export type MailChoiceInput = z.output<typeof mailChoiceInput>;
