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

/** What staff have done about a message. */
export const CONTACT_STATES = ["new", "read", "answered"] as const;
export type ContactState = (typeof CONTACT_STATES)[number];
