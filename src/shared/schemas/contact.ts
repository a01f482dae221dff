import { z } from "zod";
import { emailField, idField, optionalText, requiredText } from "./fields.ts";
import { pageCursor } from "./paging.ts";

export const contactInput = z
  .object({
    fullName: requiredText("Full name"),
    email: emailField,
    subject: optionalText(200),
    message: requiredText("Message", 5000),
  })
  .meta({ id: "Contact" });
export type ContactInput = z.infer<typeof contactInput>;

/** What staff have done with a message. */
const CONTACT_STATES = ["new", "read", "answered"] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

export const contactListInput = z.object({
  state: z.enum(CONTACT_STATES).optional(),
  cursor: pageCursor,
});
export type ContactListInput = z.output<typeof contactListInput>;

/** With `from`, only a message in that state is marked. */
export const markContactInput = z.object({
  id: idField,
  state: z.enum(CONTACT_STATES),
  from: z.enum(CONTACT_STATES).optional(),
});
export type MarkContactInput = z.output<typeof markContactInput>;
