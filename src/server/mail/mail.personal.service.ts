import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { textOf } from "./mail.body.ts";
import { deleteDoneFarewells, deleteMailsAbout, findMailsTo } from "./mail.personal-queries.ts";

const FAREWELL_KEPT_MS = 24 * 60 * 60 * 1000;

interface ReceivedMail {
  kind: string;
  subject: string;
  writtenAt: string;
  sentAt: string | null;
  /** Null for a mail with a code or a link that opens an account. */
  text: string | null;
}

/** The mails to this address, without what opens an account. */
export async function exportMails(db: Db, email: string): Promise<ReceivedMail[]> {
  const mails = await findMailsTo(db, email);
  return mails.map(({ secret, body, ...mail }) => ({ ...mail, text: secret ? null : textOf(body) }));
}

/** Forgets the mails to this address, and those to shops and admins about whoever has it. */
export function forgetMails(trx: Trx, email: string): Promise<void> {
  return deleteMailsAbout(trx, email);
}

/** Forgets the farewells of the day before, which name the address of somebody who wanted to be forgotten. */
export async function sweepFarewells({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - FAREWELL_KEPT_MS);
  await deleteDoneFarewells(db, before.toISOString());
}
