import type { Deps } from "../context.ts";
import { inBatches } from "../in-batches.ts";
import { withoutPersonalData } from "../log.ts";
import { partsOf } from "./mail.body.ts";
import { markFailed, markSent, type StoredMail, scheduleRetry } from "./mail.queries.ts";
import { retryPause } from "./mail.retry.ts";
import { MailRefused, type MailTransport } from "./mail.transport.ts";

/** No send takes longer than this; the lease on a mail is longer still, so nobody repeats it meanwhile. */
export const SEND_LIMIT_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

export interface DeliveryDeps extends Pick<Deps, "db" | "log" | "now"> {
  transport: MailTransport;
}

export type Deliver = (mail: StoredMail, stop: AbortSignal) => Promise<void>;

/** Gives the function that sends a claimed mail and records what came of it; `stop` cuts the sending short. */
export function createDelivery(deps: DeliveryDeps): Deliver {
  /** Sent, but the outbox could not be told: when such a mail comes up again it is not sent a second time. */
  const unrecorded = new Set<string>();
  const record = inBatches<StoredMail>((mails) => recordSent(deps, mails));

  return async (mail, stop) => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(SEND_LIMIT_MS)]);
      if (!unrecorded.has(mail.id)) await deps.transport.send({ ...mail, ...partsOf(mail.body) }, signal);
    } catch (error) {
      return recordFailure(deps, mail, error);
    }
    unrecorded.add(mail.id);
    await record(mail);
    unrecorded.delete(mail.id);
    deps.log.info({ mailId: mail.id, kind: mail.kind, attempts: mail.attempts }, "mail sent");
  };
}

async function recordSent(deps: DeliveryDeps, mails: StoredMail[]): Promise<void> {
  const now = deps.now().toISOString();
  for (const erase of [true, false]) {
    const ids = mails.filter((mail) => mustErase(deps, mail) === erase).map(({ id }) => id);
    await markSent(deps.db, ids, { now, erase });
  }
}

async function recordFailure(deps: DeliveryDeps, mail: StoredMail, cause: unknown): Promise<void> {
  const now = deps.now();
  const error = (cause instanceof Error ? cause.message : String(cause)).slice(0, MAX_ERROR_LENGTH);
  const facts = {
    mailId: mail.id,
    kind: mail.kind,
    attempts: mail.attempts,
    error: withoutPersonalData(error),
  };
  const pause = cause instanceof MailRefused ? null : retryPause(mail.attempts);
  if (pause === null) {
    await markFailed(deps.db, mail, { now: now.toISOString(), error, erase: mustErase(deps, mail) });
    deps.log.error(facts, "mail given up");
  } else {
    const dueAt = new Date(now.getTime() + pause).toISOString();
    await scheduleRetry(deps.db, mail, { dueAt, error });
    deps.log.warn({ ...facts, dueAt }, "mail not sent yet");
  }
}

/** Codes and links are not kept once nothing more will be done with them; without SMTP they are read in the store. */
function mustErase({ transport }: DeliveryDeps, mail: StoredMail): boolean {
  return mail.secret && transport.delivers;
}
