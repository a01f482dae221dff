import { join } from "node:path";
import type { Deps } from "../context.ts";
import { IN_DATA_DIR } from "../data-dir.ts";
import type { MailTransport } from "./mail.transport.ts";
import { MAIL_CONCURRENCY, type MailWorker, startMailWorker } from "./mail.worker.ts";

/** Starts what the settings ask for: mails leave by SMTP, or are kept in the data folder where no server is set. */
export function startMail(deps: Pick<Deps, "config" | "db" | "log" | "now">): MailWorker {
  const { smtpUrl: url, mailFrom: from, dataDir } = deps.config;
  const transport = url
    ? openLater(true, async () => {
        const { createSmtpTransport } = await import("./mail.smtp-transport.ts");
        return createSmtpTransport({ url, from, maxConnections: MAIL_CONCURRENCY });
      })
    : openLater(false, async () => {
        const { createCaptureTransport } = await import("./mail.capture-transport.ts");
        return createCaptureTransport({ folder: join(dataDir, IN_DATA_DIR.mail), from });
      });
  return startMailWorker({ ...deps, transport });
}

/** A way out whose library, large as it is, the store loads with its first mail. */
function openLater(delivers: boolean, open: () => Promise<MailTransport>): MailTransport {
  let transport: Promise<MailTransport> | undefined;
  return {
    delivers,
    async send(mail, signal) {
      transport ??= open();
      await (await transport).send(mail, signal);
    },
    close() {
      transport?.then((opened) => opened.close());
    },
  };
}
