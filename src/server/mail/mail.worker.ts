import { AsyncResource } from "node:async_hooks";
import { quietMoment } from "../quiet-moment.ts";
import { createDelivery, type DeliveryDeps, SEND_LIMIT_MS } from "./mail.delivery.ts";
import { claimDueMails, type StoredMail } from "./mail.queries.ts";

const LEASE_MS = 2 * SEND_LIMIT_MS;
const POLL_MS = 5000;
/** How long the mails under way may take once the worker stops. */
const STOP_GRACE_MS = 10_000;
/** Mails under way at once in one process. */
export const MAIL_CONCURRENCY = 5;

/** Requests go before mails, but the next few are taken after so long whoever asks. */
const MOST_PAUSE_MS = 100;

export interface MailWorker {
  /** Looks for due mails now instead of at the next poll. */
  wake(): void;
  /** Takes no more mails and waits for those under way; what a silent server holds up is left for the next start. */
  stop(): Promise<void>;
}

/** Sends what is due in the outbox until it is stopped. Several of them may share a database. */
export function startMailWorker(
  deps: DeliveryDeps,
  { pollMs = POLL_MS, stopGraceMs = STOP_GRACE_MS } = {},
): MailWorker {
  const deliver = createDelivery(deps);
  const underWay = new Set<Promise<void>>();
  const impatience = new AbortController();
  let isStopped = false;
  let isWanted = false;
  let isFilling = false;
  let filled = Promise.resolve();

  async function fillPlaces(): Promise<void> {
    isFilling = true;
    while (isWanted && !isStopped && underWay.size < MAIL_CONCURRENCY) {
      await quietMoment(MOST_PAUSE_MS);
      if (isStopped) break;
      isWanted = false;
      for (const mail of await claim(MAIL_CONCURRENCY - underWay.size)) send(mail);
    }
    isFilling = false;
  }

  async function claim(limit: number): Promise<StoredMail[]> {
    const now = deps.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
    try {
      return await claimDueMails(deps.db, { now: now.toISOString(), leaseUntil, limit });
    } catch (error) {
      deps.log.error({ err: error }, "the outbox could not be read");
      return [];
    }
  }

  function send(mail: StoredMail): void {
    const delivery = deliver(mail, impatience.signal)
      .catch((error) =>
        deps.log.error({ err: error, mailId: mail.id }, "what came of a mail could not be recorded"),
      )
      .finally(() => {
        underWay.delete(delivery);
        look();
      });
    underWay.add(delivery);
  }

  function look(): void {
    isWanted = true;
    if (!isFilling) filled = fillPlaces();
  }

  // The worker is nobody's request: it must not run on in the transaction of whoever woke it.
  const wake = AsyncResource.bind(look);
  const poll = setInterval(wake, pollMs);
  wake();

  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(poll);
      await filled;
      const grace = setTimeout(() => impatience.abort(), stopGraceMs);
      await Promise.all(underWay);
      clearTimeout(grace);
      deps.transport.close();
    },
  };
}
