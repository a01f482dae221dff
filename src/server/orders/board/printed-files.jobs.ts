import { type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../../context.ts";
import { deleteOrderFiles } from "../../files/files.service.ts";
import { type Job, startJob } from "../../lib/jobs.ts";
import { recordEvent } from "../events/events.service.ts";
import { endGrace, findDueOrders } from "./moves.queries.ts";

/** Short, because screens show the minute in which the files are deleted. */
const EVERY_MS = 20 * 1000;

type JobDeps = Pick<Deps, "db" | "readDb" | "now" | "log">;

/** Deletes the files of printed orders once their grace period is over. */
export function startPrintedFilesJob(deps: JobDeps): Job {
  return startJob(deps, {
    failure: "the files of printed orders could not be deleted",
    everyMs: EVERY_MS,
    run: () => deletePrintedFiles(deps),
  });
}

/** One run of the job. */
export async function deletePrintedFiles(deps: JobDeps): Promise<void> {
  const due = await findDueOrders(deps.readDb, deps.now().toISOString());
  for (const orderId of due) await transact(deps.db, (trx) => deleteFilesOf(trx, deps, orderId));
}

async function deleteFilesOf(trx: Trx, deps: JobDeps, orderId: string): Promise<void> {
  const at = deps.now().toISOString();
  const order = await endGrace(trx, { orderId, at });
  if (!order) return;
  await deleteOrderFiles(trx, { orderId, by: null, at });
  await recordEvent(trx, deps, "files", order);
}
