import { z } from "zod";
import { contactInput } from "#shared/schemas/contact.ts";
import { restRoute } from "../http/openapi.ts";

export const contactRest = [
  restRoute({
    method: "post",
    path: "/users/contactus",
    procedure: "contact.send",
    tag: "Contact",
    summary: "Send the store a message",
    body: contactInput,
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Your query has been received successfully",
    call: (caller, { body }) => caller.contact.send(body),
  }),
];
