import { type Trx, transact } from "#db/transaction.ts";
import { closeVisit, deleteEndedVisits, listDueVisits } from "../accounts/visits.ts";
import type { Deps } from "../context.ts";
import { deletePersonalFiles } from "../files/files.service.ts";
import { type Job, startJob } from "../lib/jobs.ts";
import { deletePersonalSearchWords } from "../orders/board/search-words.ts";
import { anonymiseOrders } from "../orders/orders.service.ts";
import { settleVisitOrders } from "../orders/visits/visits.service.ts";

/** Short, because people are told the minute in which their files are deleted. */
const EVERY_MS = 20 * 1000;

type JobDeps = Pick<Deps, "db" | "readDb" | "now" | "log">;

/** Deletes what visitors at counters have left once their two hours are over. */
export function startVisitsJob(deps: JobDeps): Job {
  return startJob(deps, {
    failure: "visits at counters could not be ended",
    everyMs: EVERY_MS,
    run: () => endDueVisits(deps),
  });
}

/** One run of the job. A visit's rows are deleted some runs later, once the bytes of its files are erased. */
export async function endDueVisits(deps: JobDeps): Promise<void> {
  for (const userId of await listDueVisits(deps)) {
    await transact(deps.db, (trx) => deleteVisitData(trx, deps, userId));
  }
  await deleteEndedVisits(deps);
}

/** Deletes the personal data of a visit, as of an account; its orders stay for the shop's books. */
async function deleteVisitData(trx: Trx, deps: JobDeps, userId: string): Promise<void> {
  const at = deps.now().toISOString();
  if (!(await closeVisit(trx, { userId, at }))) return;
  await settleVisitOrders(trx, deps, userId);
  await deletePersonalFiles(trx, { ownerId: userId, at });
  await anonymiseOrders(trx, userId);
  await deletePersonalSearchWords(trx, userId);
}
