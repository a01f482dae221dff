import { join } from "node:path";
import type { Deps } from "../context.ts";
import { IN_DATA_DIR } from "../data-dir.ts";
import { createCaptureTransport } from "./mail.capture-transport.ts";
import { createSmtpTransport } from "./mail.smtp-transport.ts";
import { MAIL_CONCURRENCY, type MailWorker, startMailWorker } from "./mail.worker.ts";

/** Starts what the settings ask for: mails leave by SMTP, or are kept in the data folder where no server is set. */
export function startMail(deps: Pick<Deps, "config" | "db" | "log" | "now">): MailWorker {
  const { smtpUrl, mailFrom: from, dataDir } = deps.config;
  const transport = smtpUrl
    ? createSmtpTransport({ url: smtpUrl, from, maxConnections: MAIL_CONCURRENCY })
    : createCaptureTransport({ folder: join(dataDir, IN_DATA_DIR.mail), from });
  return startMailWorker({ ...deps, transport });
}
