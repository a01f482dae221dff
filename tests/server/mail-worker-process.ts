import pino from "pino";
import { openDatabase } from "#db/open.ts";
import { startMailWorker } from "#server/mail/mail.worker.ts";
import { createSmtpTransport } from "#server/mail/transport.ts";

/** A server's mail worker in its own process: database URL, SMTP URL and the time of its clock. */
const [, , databaseUrl = "", smtpUrl = "", moment = ""] = process.argv;

const { db } = await openDatabase(databaseUrl);
const from = `worker-${process.pid}@print-store.example`;
const transport = createSmtpTransport({ url: smtpUrl, from, maxConnections: 5 });
startMailWorker(
  { db, transport, log: pino({ level: "silent" }), now: () => new Date(moment) },
  { pollMs: 20 },
);
process.send?.("working");
