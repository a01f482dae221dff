import { type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../../context.ts";
import { deleteOrderFiles } from "../../files/files.service.ts";
import { type Job, startJob } from "../../lib/jobs.ts";
import { logChange } from "../events/events.service.ts";
import { endGrace, findDueOrders } from "./moves.queries.ts";

/** People are told the minute at which their files go. */
const EVERY_MS = 20 * 1000;

type JobDeps = Pick<Deps, "db" | "readDb" | "now" | "log">;

/** Deletes the files of printed orders once their time of grace is over. */
export function startPrintedFilesJob(deps: JobDeps): Job {
  return startJob(deps, {
    failure: "the files of printed orders could not be deleted",
    everyMs: EVERY_MS,
    run: () => deletePrintedFiles(deps),
  });
}

/** The same once, of all orders that are due. */
export async function deletePrintedFiles(deps: JobDeps): Promise<void> {
  const due = await findDueOrders(deps.readDb, deps.now().toISOString());
  for (const orderId of due) await transact(deps.db, (trx) => deleteFilesOf(trx, deps, orderId));
}

async function deleteFilesOf(trx: Trx, deps: JobDeps, orderId: string): Promise<void> {
  const at = deps.now().toISOString();
  const order = await endGrace(trx, { orderId, at });
  if (!order) return;
  await deleteOrderFiles(trx, { orderId, by: null, at });
  await logChange(trx, deps, "files", order);
}
