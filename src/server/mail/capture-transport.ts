import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import { toMessage } from "./rendering.ts";
import type { MailTransport, OutgoingMail } from "./transport.ts";

/** Keeps every mail as an .eml file in `folder`, for a store without SMTP. Names sort by time. */
export function createCaptureTransport({ folder, from }: { folder: string; from: string }): MailTransport {
  return {
    delivers: false,
    async send(mail) {
      const message = new MailComposer({ ...(await toMessage(mail, from)), newline: "windows" }).compile();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(join(folder, fileName(mail)), await message.build());
    },
    close() {},
  };
}

/** Such as `20261121T093000123Z-<id>.eml`; a repeat writes the same file again. */
function fileName(mail: OutgoingMail): string {
  return `${mail.createdAt.replace(/[-:.]/g, "")}-${mail.id}.eml`;
}

/** Under its name there is the whole file or none. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, content, { mode: 0o600 });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
