import type { Paise } from "#shared/money.ts";

/** What a mail says, without a look: both of its parts are made of it. Texts may come from anybody. */
export interface MailContent {
  title: string;
  blocks: MailBlock[];
  /** Why the person gets this mail. */
  footer: string;
}

export type MailBlock = Paragraph | Code | Button | QrLink | Facts | Links | Prices;

export interface Paragraph {
  kind: "paragraph";
  text: string;
}

/** A code to be typed elsewhere. */
export interface Code {
  kind: "code";
  code: string;
}

export interface Button {
  kind: "button";
  label: string;
  url: string;
}

/** A button that another device reads as a QR code. */
export interface QrLink {
  kind: "qr";
  label: string;
  url: string;
}

export interface Facts {
  kind: "facts";
  title: string;
  facts: { label: string; value: string }[];
}

export interface Links {
  kind: "links";
  title: string;
  links: { label: string; url: string; note: string }[];
}

export interface Prices {
  kind: "prices";
  title: string;
  prices: { label: string; note?: string; amountPaise: Paise; isTotal?: boolean }[];
}
