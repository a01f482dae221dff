import { statfs } from "node:fs/promises";
import type { Deps } from "../context.ts";
import {
  askDatabase,
  countPlacedOrders,
  countUnerasedFiles,
  countWaitingMails,
} from "./operations.queries.ts";

/** With less room than this, in bytes, an upload of the largest size might not fit. */
const LEAST_ROOM_BYTES = 256 * 1024 * 1024;

type Watched = Pick<Deps, "readDb" | "config" | "metrics" | "leaving">;

/** Why this server should be sent no requests at the moment; null when it is ready for them. */
export async function whyNotReady({ readDb, config, leaving }: Watched): Promise<string | null> {
  if (leaving.aborted) return "closing";
  try {
    await askDatabase(readDb);
  } catch {
    return "the database does not answer";
  }
  return (await freeBytes(config.dataDir)) < LEAST_ROOM_BYTES ? "DATA_DIR is nearly full" : null;
}

/** Adds what is read from the database and the disk to the metrics. */
export function watchStore({ readDb, config, metrics }: Watched): void {
  metrics.addGauge("mails_waiting", "Mails that are still to be sent", () => countWaitingMails(readDb));
  metrics.addGauge("files_unerased", "Deleted files whose bytes are still kept", () =>
    countUnerasedFiles(readDb),
  );
  metrics.addGauge("orders_placed", "Orders that wait to be printed", () => countPlacedOrders(readDb));
  metrics.addGauge("disk_free_bytes", "Room left where DATA_DIR is", () => freeBytes(config.dataDir));
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
