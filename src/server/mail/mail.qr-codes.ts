import { encode } from "uqr";
import { z } from "zod";
import { loadSharp } from "../heavy-libraries.ts";
import type { MailContent } from "./mail.blocks.ts";
import { qrCodeId } from "./mail.html.ts";

/** A QR code that the HTML part shows by its content id; drawn when the mail is sent or looked at. */
export type MailQrCode = z.infer<typeof mailQrCode>;
export const mailQrCode = z.object({
  cid: z.string(),
  /** What a phone reads from it. */
  text: z.string(),
});

/** Modules of white around the code that readers need. */
const QUIET_ZONE = 4;
const PIXELS_PER_MODULE = 4;

/** The QR codes of a mail's blocks, in their order. */
export function qrCodesOf({ blocks }: MailContent): MailQrCode[] {
  return blocks.flatMap((block) => (block.kind === "qr" ? [{ cid: qrCodeId(block), text: block.url }] : []));
}

/** Black on white, as a PNG of about a kilobyte. */
export async function drawQrCode({ text }: MailQrCode): Promise<Buffer> {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const greys = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  const width = size * PIXELS_PER_MODULE;
  const sharp = await loadSharp();
  return sharp(greys, { raw: { width: size, height: size, channels: 1 } })
    .resize(width, width, { kernel: "nearest" })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}

/** The HTML part as a page can show it, which has no attachments: its QR codes stand in it. */
export async function htmlWithQrCodes({
  html,
  qrCodes,
}: {
  html: string;
  qrCodes: MailQrCode[];
}): Promise<string> {
  let shown = html;
  for (const code of qrCodes) {
    const png = await drawQrCode(code);
    shown = shown.replaceAll(`"cid:${code.cid}"`, `"data:image/png;base64,${png.toString("base64")}"`);
  }
  return shown;
}
