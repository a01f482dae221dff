import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import {
  deleteDoneMails,
  deleteMailsAbout,
  findMailsTo,
  type ReceivedMail,
} from "./mail.personal-queries.ts";

/** The last mail to somebody whose account is deleted. */
export const FAREWELL = "account-deleted";
const FAREWELL_KEPT_MS = 24 * 60 * 60 * 1000;

/** The mails to this address, without what opens an account. */
export function exportMails(db: Db, email: string): Promise<ReceivedMail[]> {
  return findMailsTo(db, email);
}

/** Forgets the mails to this address, and those to shops and admins about whoever has it. */
export function forgetMails(trx: Trx, email: string): Promise<void> {
  return deleteMailsAbout(trx, email);
}

/** Forgets the farewells of the day before, which name the address of somebody who wanted to be forgotten. */
export async function sweepFarewells({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - FAREWELL_KEPT_MS);
  await deleteDoneMails(db, FAREWELL, before.toISOString());
}
