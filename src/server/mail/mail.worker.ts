import { AsyncResource } from "node:async_hooks";
import { join } from "node:path";
import type { Deps } from "../context.ts";
import { batched } from "../lib/batching.ts";
import { IN_DATA_DIR } from "../lib/data-dir.ts";
import { withoutPersonalData } from "../lib/log.ts";
import { waitUntilIdle } from "../lib/scheduling.ts";
import { claimDueMails, markFailed, markSent, type StoredMail, scheduleRetry } from "./mail.queries.ts";
import { partsOf } from "./rendering.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

/** No send takes longer than this; the lease on a mail is longer still, so nobody repeats it meanwhile. */
const SEND_LIMIT_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

interface DeliveryDeps extends Pick<Deps, "db" | "log" | "now"> {
  transport: MailTransport;
}

export type Deliver = (mail: StoredMail, stop: AbortSignal) => Promise<void>;

/** Gives the function that sends a claimed mail and records what came of it; `stop` cuts the sending short. */
function createDelivery(deps: DeliveryDeps): Deliver {
  /** Sent, but the outbox could not be told: when such a mail comes up again it is not sent a second time. */
  const unrecorded = new Set<string>();
  const record = batched<StoredMail>((mails) => recordSent(deps, mails));

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
  runNow(): void;
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
      await waitUntilIdle(MOST_PAUSE_MS);
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

  // The worker is nobody's request: it must not run on in the transaction of whoever asks for it.
  const runNow = AsyncResource.bind(look);
  const poll = setInterval(runNow, pollMs);
  runNow();

  return {
    runNow,
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

/** Starts what the settings ask for: mails leave by SMTP, or are kept in the data folder where no server is set. */
export function startMail(deps: Pick<Deps, "config" | "db" | "log" | "now">): MailWorker {
  const { smtpUrl: url, mailFrom: from, dataDir } = deps.config;
  const transport = url
    ? openLater(true, async () => {
        const { createSmtpTransport } = await import("./smtp-transport.ts");
        return createSmtpTransport({ url, from, maxConnections: MAIL_CONCURRENCY });
      })
    : openLater(false, async () => {
        const { createCaptureTransport } = await import("./capture-transport.ts");
        return createCaptureTransport({ folder: join(dataDir, IN_DATA_DIR.mail), from });
      });
  return startMailWorker({ ...deps, transport });
}

/** A way out whose library, large as it is, the store loads with its first mail. */
function openLater(delivers: boolean, open: () => Promise<MailTransport>): MailTransport {
  let transport: Promise<MailTransport> | undefined;
  return {
    delivers,
    async send(mail, signal) {
      transport ??= open();
      await (await transport).send(mail, signal);
    },
    close() {
      transport?.then((opened) => opened.close());
    },
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after the first failures; the last one is repeated. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
const HOURLY_TRIES = 72;
const MAX_ATTEMPTS = PAUSES_MS.length + HOURLY_TRIES;

/**
 * How long to wait after that many failed attempts, in ms; null: no more, about three days have passed. Up to a
 * fifth more or less by chance, so that mails that failed together do not come back together.
 */
export function retryPause(attempts: number, chance = Math.random()): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? HOUR;
  return Math.round(pause * (0.8 + 0.4 * chance));
}
