import { HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import { CODE_MINUTES, LINK_MINUTES } from "#shared/schemas/accounts.ts";
import { CODE_MAILS } from "#shared/schemas/mails.ts";
import type { Deps } from "../context.ts";
import { type Job, startJob } from "../lib/jobs.ts";
import { withoutPersonalData } from "../lib/log.ts";
import {
  type ClaimedMail,
  claimDueMails,
  isReplaced,
  markFailed,
  markSent,
  type StoredMail,
  scheduleRetry,
} from "./mail.queries.ts";
import { toParts } from "./rendering.ts";
import { createSmtpTransport, MailRefused, type MailTransport } from "./transport.ts";

/** Limit for sending one mail. The lease is longer, so that no other worker repeats it meanwhile. */
const SEND_LIMIT_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

interface DeliveryDeps extends Pick<Deps, "db" | "log" | "now"> {
  /** Null without a mail server: mails are then only marked as sent, and are read at /mailbox. */
  transport: MailTransport | null;
}

type Deliver = (mail: ClaimedMail, stop: AbortSignal) => Promise<void>;

/** Creates the function that sends a claimed mail and records the result; `stop` aborts the sending. */
function createDelivery(deps: DeliveryDeps): Deliver {
  /** Mails that were sent but could not be marked as sent; when one is claimed again it is not sent twice. */
  const unrecorded = new Set<string>();

  return async (mail, stop) => {
    try {
      if (!unrecorded.has(mail.id)) {
        const useless = await whyUseless(deps, mail);
        if (useless) return await giveUp(deps, mail, useless, "info");
        const signal = AbortSignal.any([stop, AbortSignal.timeout(SEND_LIMIT_MS)]);
        await deps.transport?.send({ ...mail, ...toParts(mail.content) }, signal);
      }
    } catch (error) {
      return recordFailure(deps, mail, error);
    }
    unrecorded.add(mail.id);
    await recordSent(deps, mail);
    unrecorded.delete(mail.id);
    deps.log.info({ mailId: mail.id, kind: mail.kind, attempts: mail.attempts }, "mail sent");
  };
}

async function recordSent(deps: DeliveryDeps, mail: StoredMail): Promise<void> {
  await markSent(deps.db, mail.id, { now: deps.now().toISOString(), erase: shouldErase(deps, mail) });
}

async function recordFailure(deps: DeliveryDeps, mail: ClaimedMail, cause: unknown): Promise<void> {
  const error = (cause instanceof Error ? cause.message : String(cause)).slice(0, MAX_ERROR_LENGTH);
  const pause = cause instanceof MailRefused ? null : retryDelay(mail.attempts);
  if (pause === null) return giveUp(deps, mail, error);
  const delay = isCodeMail(mail) ? Math.min(pause, CODE_RETRY_MS) : pause;
  const dueAt = new Date(deps.now().getTime() + delay).toISOString();
  await scheduleRetry(deps.db, mail, { dueAt, error });
  deps.log.warn({ ...factsOf(mail, error), dueAt }, "mail not sent yet");
}

/** @param level `info` where nothing is wrong: nobody needs the mail any more */
async function giveUp(
  deps: DeliveryDeps,
  mail: ClaimedMail,
  error: string,
  level: "error" | "info" = "error",
): Promise<void> {
  await markFailed(deps.db, mail, { now: deps.now().toISOString(), error, erase: shouldErase(deps, mail) });
  deps.log[level](factsOf(mail, error), "mail given up");
}

function factsOf({ id: mailId, kind, attempts }: ClaimedMail, error: string) {
  return { mailId, kind, attempts, error: withoutPersonalData(error) };
}

type CodeMail = (typeof CODE_MAILS)[number];

function isCodeMail<M extends StoredMail>(mail: M): mail is M & { kind: CodeMail } {
  return CODE_MAILS.some((kind) => kind === mail.kind);
}

/** Longer pauses would outlast most codes. */
const CODE_RETRY_MS = MINUTE_MS;

/** Why a mail with a code or link is useless by now, after it had to wait; null for other mails, and while it still works. */
async function whyUseless({ db, now }: DeliveryDeps, mail: StoredMail): Promise<string | null> {
  if (!isCodeMail(mail)) return null;
  const { kind } = mail;
  const minutes = kind === "account-recovery" ? LINK_MINUTES : CODE_MINUTES;
  if (now().getTime() - Date.parse(mail.createdAt) >= minutes * MINUTE_MS) {
    return "Its code or link no longer works";
  }
  // Two accounts may be about to get the same new address. Servers may differ by seconds in what is newer, so one that did not
  // have to wait is not asked about.
  const isReplaceable = kind !== "account-email" && mail.attempts > 1;
  return isReplaceable && (await isReplaced(db, mail)) ? "A newer one has replaced its code or link" : null;
}

/** Codes and links are erased once they are no longer needed; without SMTP they are read in the store. */
function shouldErase({ transport }: DeliveryDeps, mail: StoredMail): boolean {
  return mail.secret && transport !== null;
}

const LEASE_MS = 2 * SEND_LIMIT_MS;
const POLL_MS = 5000;
/** How long mails in flight may take once the worker stops. */
const STOP_GRACE_MS = 10_000;
/** Mails sent at the same time by one process. */
export const MAIL_CONCURRENCY = 5;

/** Sends due mails from the outbox until it is stopped. Several workers may share a database. */
export function startMailWorker(
  deps: DeliveryDeps,
  { pollMs = POLL_MS, stopGraceMs = STOP_GRACE_MS } = {},
): Job {
  const deliver = createDelivery(deps);
  const inFlight = new Set<Promise<void>>();
  const abort = new AbortController();
  // A run claims mails and does not wait until they are sent: one that a silent server delays would delay all others.
  const job = startJob(deps, {
    failure: "the outbox could not be read",
    everyMs: pollMs,
    async run() {
      const limit = MAIL_CONCURRENCY - inFlight.size;
      if (limit > 0) for (const mail of await claim(deps, limit)) send(mail);
    },
  });

  function send(mail: ClaimedMail): void {
    const delivery = deliver(mail, abort.signal)
      .catch((error) =>
        deps.log.error({ err: error, mailId: mail.id }, "the result of a mail could not be recorded"),
      )
      .finally(() => {
        inFlight.delete(delivery);
        job.runNow();
      });
    inFlight.add(delivery);
  }

  return {
    runNow: job.runNow,
    /** Waits for the mails in flight. What a silent mail server delays is retried after the next start. */
    async stop() {
      await job.stop();
      const grace = setTimeout(() => abort.abort(), stopGraceMs);
      await Promise.all(inFlight);
      clearTimeout(grace);
    },
  };
}

function claim({ db, now }: DeliveryDeps, limit: number): Promise<ClaimedMail[]> {
  const at = now();
  const leaseUntil = new Date(at.getTime() + LEASE_MS).toISOString();
  return claimDueMails(db, { now: at.toISOString(), leaseUntil, limit });
}

/** Starts the worker with the mail server of the settings, if they name one. */
export function startMail(deps: Pick<Deps, "config" | "db" | "log" | "now">): Job {
  const { smtpUrl: url, mailFrom: from } = deps.config;
  const transport = url ? createSmtpTransport({ url, from, maxConnections: MAIL_CONCURRENCY }) : null;
  return startMailWorker({ ...deps, transport });
}

/** The delays after the first failures; the last one is repeated. */
const RETRY_DELAYS_MS = [5000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];
const HOURLY_TRIES = 72;
const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + HOURLY_TRIES;

/**
 * The delay after this many failed attempts, in ms; null after about three days, when the worker gives up. Varies by up
 * to a fifth, so that mails that failed together are not retried together.
 */
export function retryDelay(attempts: number, chance = Math.random()): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const delay = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? HOUR_MS;
  return Math.round(delay * (0.8 + 0.4 * chance));
}
