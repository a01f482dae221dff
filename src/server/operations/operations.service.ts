import type { Deps } from "../context.ts";
import { freeBytes } from "../disk-room.ts";
import { allUnorderedBytes, leftForAll } from "../files/files.room.service.ts";
import {
  askDatabase,
  countPlacedOrders,
  countUnerasedFiles,
  countWaitingMails,
} from "./operations.queries.ts";

/** With less room than this orders, logins and mails might not fit any more; uploads are refused long before, by MIN_FREE_MB. */
const LEAST_ROOM_BYTES = 256 * 1024 * 1024;

type Watched = Pick<Deps, "readDb" | "config" | "metrics" | "leaving" | "diskRoom" | "now">;

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
export function watchStore(deps: Watched): void {
  const { readDb, config, metrics, diskRoom } = deps;
  metrics.addGauge("mails_waiting", "Mails that are still to be sent", () => countWaitingMails(readDb));
  metrics.addGauge("files_unerased", "Deleted files whose bytes are still kept", () =>
    countUnerasedFiles(readDb),
  );
  metrics.addGauge("orders_placed", "Orders that wait to be printed", () => countPlacedOrders(readDb));
  metrics.addGauge("disk_free_bytes", "Room left where DATA_DIR is", () => freeBytes(config.dataDir));
  metrics.addGauge("upload_room_bytes", "Room left for uploads; where it is 0 they are refused", async () =>
    Math.min(await diskRoom.leftBytes(), await leftForAll(deps)),
  );
  metrics.addGauge("unordered_bytes", "What uploads take that are in no order", () =>
    allUnorderedBytes(deps),
  );
}
