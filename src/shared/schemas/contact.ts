import { z } from "zod";
import { emailField, optionalText, requiredText } from "./fields.ts";

export const contactInput = z
  .object({
    fullName: requiredText("Full name"),
    email: emailField,
    subject: optionalText(200),
    message: requiredText("Message", 5000),
  })
  .meta({ id: "Contact" });
export type ContactInput = z.infer<typeof contactInput>;
