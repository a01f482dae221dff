import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { deleteReportsOf, findReportsOf, releasePhotosOf } from "./reprints.personal-queries.ts";

/** The printing errors that the user reported, and what the shops answered. */
export async function exportReports(db: Db, userId: string) {
  const reports = await findReportsOf(db, userId);
  return reports.map((report) => ({
    order: report.orderNumber,
    state: report.state,
    reason: report.reason,
    reportedAt: report.created_at,
    answer: report.answer,
    answeredAt: report.answered_at,
  }));
}

/** Forgets what this user reported; the next sweep removes the bytes of their photos. */
export async function forgetReports(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await releasePhotosOf(trx, owner);
  await deleteReportsOf(trx, owner.ownerId);
}
