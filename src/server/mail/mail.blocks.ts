import { z } from "zod";

export type Paragraph = z.infer<typeof paragraph>;
const paragraph = z.object({ kind: z.literal("paragraph"), text: z.string() });

/** A code to be typed elsewhere. */
export type Code = z.infer<typeof code>;
const code = z.object({ kind: z.literal("code"), code: z.string() });

export type Button = z.infer<typeof button>;
const button = z.object({ kind: z.literal("button"), label: z.string(), url: z.string() });

/** A button that another device reads as a QR code. */
export type QrLink = z.infer<typeof qrLink>;
const qrLink = z.object({ kind: z.literal("qr"), label: z.string(), url: z.string() });

export type Facts = z.infer<typeof facts>;
const facts = z.object({
  kind: z.literal("facts"),
  title: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});

export type Links = z.infer<typeof links>;
const links = z.object({
  kind: z.literal("links"),
  title: z.string(),
  links: z.array(z.object({ label: z.string(), url: z.string(), note: z.string() })),
});

export type Prices = z.infer<typeof prices>;
const prices = z.object({
  kind: z.literal("prices"),
  title: z.string(),
  prices: z.array(
    z.object({
      label: z.string(),
      note: z.string().optional(),
      amountPaise: z.int(),
      isTotal: z.boolean().optional(),
    }),
  ),
});

export type MailBlock = z.infer<typeof mailBlock>;
const mailBlock = z.discriminatedUnion("kind", [paragraph, code, button, qrLink, facts, links, prices]);

/**
 * What a mail says, without a look: both of its parts are made of it, when it is sent or looked at. Texts may come from
 * anybody. Mails of earlier versions wait in the outbox: what they were made of stays valid.
 */
export type MailContent = z.infer<typeof mailContent>;
export const mailContent = z.object({
  title: z.string(),
  blocks: z.array(mailBlock),
  /** Why the person gets this mail. */
  footer: z.string(),
});
