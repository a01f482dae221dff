import pino from "pino";
import { openDatabase } from "#db/open.ts";
import { startMailWorker } from "#server/mail/mail.worker.ts";
import { createSmtpTransport } from "#server/mail/transport.ts";

/** A server's mail worker alone in a process: database URL, SMTP URL and the moment at which its clock stands. */
const [, , databaseUrl = "", smtpUrl = "", moment = ""] = process.argv;

const { db } = await openDatabase(databaseUrl);
const from = `worker-${process.pid}@print-store.example`;
const transport = createSmtpTransport({ url: smtpUrl, from, maxConnections: 5 });
startMailWorker(
  { db, transport, log: pino({ level: "silent" }), now: () => new Date(moment) },
  { pollMs: 20 },
);
process.send?.("working");
