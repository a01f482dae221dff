import type { Db } from "#db/database.ts";
import { afterCommit, type FollowUp, onCommit, transact } from "#db/transaction.ts";
import type { TestStore } from "./test-store.ts";

/** Runs a follow-up of the store, for a test that has moved the clock. */
export async function followUp(store: TestStore, what: FollowUp): Promise<void> {
  await transact(store.deps.db, async (trx) => afterCommit(trx, what));
}

/** Records the follow-ups of this database from now on; `handle` is called instead of running them. */
export function recordFollowUps(db: Db, handle: () => unknown = () => {}): FollowUp[] {
  const done: FollowUp[] = [];
  const handler = (what: FollowUp) => () => {
    done.push(what);
    handle();
  };
  onCommit(db, {
    sendMails: handler("sendMails"),
    sendPushes: handler("sendPushes"),
    eraseFiles: handler("eraseFiles"),
    checkFiles: handler("checkFiles"),
    notifyFollowers: handler("notifyFollowers"),
  });
  return done;
}
