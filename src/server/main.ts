import { type Config, readConfig } from "./config.ts";
import { collectGarbageWhenIdle, setHeapFlags } from "./lib/garbage.ts";
import { type RunningServer, startServer } from "./server.ts";

/** The store's files, such as students' documents, are readable for its own system account only. */
process.umask(0o077);

try {
  const config = readConfig(process.env);
  const server = await startServer(config, undefined, undefined, { onTaken: () => process.exit(1) });
  setHeapFlags();
  collectGarbageWhenIdle();
  stopOnSignal(server);
  console.log(greeting(server, config));
} catch (error) {
  console.error(`Print Store cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

function greeting(server: RunningServer, config: Config): string {
  const mails = config.smtpUrl
    ? "are sent by SMTP"
    : `are kept; ${config.isProduction ? "an admin reads" : "read"} them at ${server.url}/mailbox`;
  return [`Print Store is open at ${server.url}`, ...server.notes, `Mails    ${mails}`].join("\n");
}

function stopOnSignal(server: RunningServer): void {
  const stop = () => void server.stop().then(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
}
