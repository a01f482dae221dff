import type { Db } from "#db/open.ts";
import { afterCommit, type FollowUp, onCommit, transact } from "#db/transaction.ts";
import type { TestStore } from "./test-store.ts";

/** Has a store do what follows a commit: for a test that has moved the clock, so that something is due. */
export async function followUp(store: TestStore, what: FollowUp): Promise<void> {
  await transact(store.deps.db, async (trx) => afterCommit(trx, what));
}

/** Fills with what follows the commits on this database from now on; `handle` is called in place of what would be done. */
export function recordFollowUps(db: Db, handle: () => unknown = () => {}): FollowUp[] {
  const done: FollowUp[] = [];
  const handler = (what: FollowUp) => () => {
    done.push(what);
    handle();
  };
  onCommit(db, {
    sendMails: handler("sendMails"),
    eraseFiles: handler("eraseFiles"),
    checkColours: handler("checkColours"),
    notifyFollowers: handler("notifyFollowers"),
  });
  return done;
}
