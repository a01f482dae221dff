import { createECDH } from "node:crypto";
import { z } from "zod";
import type { Db } from "#db/database.ts";
import { transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import type { Deps } from "../context.ts";
import type { Keyring } from "../lib/crypto.ts";
import { type Job, startJob } from "../lib/jobs.ts";
import {
  type ClaimedMessage,
  claimDueMessages,
  deleteClaimed,
  deleteSubscription,
  findRecipient,
  findSealedKeys,
  insertSealedKeys,
  postponeClaimed,
  replaceSealedKeys,
} from "./push.queries.ts";

const vapidKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
/** The key pair by which push services know this store (RFC 8292), as base64url. */
type VapidKeys = z.infer<typeof vapidKeys>;

const SEALED_AS = "push-keys";

/**
 * Reads the key pair from the database, or makes it at the first start. Several servers that start at once get the same.
 * A pair that was sealed under another secret is replaced, and browsers have to subscribe again.
 */
export async function loadVapidKeys(db: Db, keyring: Keyring): Promise<VapidKeys> {
  const found = (await findSealedKeys(db)) ?? (await storeFirst(db, keyring));
  const known = unseal(keyring, found);
  if (known) return known;
  const to = sealNew(keyring);
  await transact(db, (trx) => replaceSealedKeys(trx, { from: found, to }));
  const kept = unseal(keyring, (await findSealedKeys(db)) ?? "");
  if (!kept) throw new Error("SECRET: another server of this store has another one");
  return kept;
}

async function storeFirst(db: Db, keyring: Keyring): Promise<string> {
  await insertSealedKeys(db, sealNew(keyring));
  return (await findSealedKeys(db)) ?? "";
}

function sealNew(keyring: Keyring): string {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // Without leading zeros, a key can be shorter than the 32 bytes that are expected.
  const privateKey = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
  return keyring.seal(SEALED_AS, JSON.stringify({ publicKey, privateKey } satisfies VapidKeys));
}

/** Whether a stored key pair was sealed under the secret of this keyring, which is the store's own then. */
export function areSealedBy(keyring: Keyring, sealed: string): boolean {
  return unseal(keyring, sealed) !== null;
}

function unseal(keyring: Keyring, sealed: string): VapidKeys | null {
  const text = keyring.unseal(SEALED_AS, sealed);
  return text === null ? null : vapidKeys.parse(JSON.parse(text));
}

/** A request to a push service. */
interface PushRequest {
  endpoint: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** Sends a request and returns the status of the answer; tests replace it. */
export type SendPush = (request: PushRequest, signal: AbortSignal) => Promise<number>;

/** A redirect is an answer like any other: it could lead to a host that is not allowed. */
export const sendOverHttps: SendPush = async ({ endpoint, headers, body }, signal) => {
  const response = await fetch(endpoint, { method: "POST", headers, body, redirect: "manual", signal });
  await response.body?.cancel();
  return response.status;
};

/** Time limit for one request. */
const SEND_LIMIT_MS = 10_000;
/** Longer than sending takes, so that no other server repeats it meanwhile. */
const LEASE_MS = 3 * SEND_LIMIT_MS;
const POLL_MS = 5000;
/** Messages that one server sends at the same time. */
const AT_ONCE = 20;
/** The delays after the first failures; after the last one the message is given up. */
const RETRY_DELAYS_MS = [15_000, MINUTE_MS, 5 * MINUTE_MS];

interface PushDeps extends Pick<Deps, "config" | "db" | "log" | "now" | "publicUrl"> {
  keys: VapidKeys;
  send: SendPush;
}

const FAILURE = "push messages could not be sent";

/** Sends due push messages until it is stopped. Several servers may share a database. */
export function startPushWorker(deps: PushDeps): Job {
  const closing = new AbortController();
  /** What is being sent, by device and topic: newer news come after older ones. */
  const inFlight = new Map<string, Promise<void>>();
  // A run claims messages and does not wait until they are sent: one that a silent push service delays would delay all others.
  const job = startJob(deps, {
    failure: FAILURE,
    everyMs: POLL_MS,
    async run() {
      const limit = AT_ONCE - inFlight.size;
      if (limit > 0) for (const message of await claim(deps, limit)) start(message);
    },
  });

  function start(message: ClaimedMessage): void {
    const key = `${message.subscription_id} ${message.topic}`;
    const delivery = Promise.resolve(inFlight.get(key))
      .then(() => deliver(deps, message, closing.signal))
      .catch((error) => deps.log.error({ err: error }, FAILURE))
      .finally(() => {
        if (inFlight.get(key) === delivery) inFlight.delete(key);
        job.runNow();
      });
    inFlight.set(key, delivery);
  }

  return {
    runNow: job.runNow,
    async stop() {
      // A message that is cut off is sent again after the next start; its topic makes it replace the first.
      closing.abort();
      await job.stop();
      await Promise.all(inFlight.values());
    },
  };
}

function claim({ db, now }: PushDeps, limit: number): Promise<ClaimedMessage[]> {
  const at = now();
  const leaseUntil = new Date(at.getTime() + LEASE_MS).toISOString();
  return claimDueMessages(db, { now: at.toISOString(), leaseUntil, limit });
}

async function deliver(deps: PushDeps, message: ClaimedMessage, closing: AbortSignal): Promise<void> {
  const { db, log, now } = deps;
  const { subscription_id: id, user_id: userId } = message;
  const result = await send(deps, message, closing).catch((error: unknown) => error);
  if (result === "sent") return deleteClaimed(db, message);
  if (result === 404 || result === 410) return deleteSubscription(db, id);
  const status = typeof result === "number" ? result : null;
  const reason = result instanceof Error ? result.name : status;
  const delay = isTemporary(status) ? RETRY_DELAYS_MS[message.attempts - 1] : undefined;
  const facts = { userId, attempts: message.attempts, reason };
  if (delay === undefined) {
    log.warn(facts, "push message given up");
    return deleteClaimed(db, message);
  }
  log.info(facts, "push message not sent yet");
  await postponeClaimed(db, message, new Date(now().getTime() + delay).toISOString());
}

/** Whether a later try may work: no answer, too many requests, or a failure of the push service. */
function isTemporary(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

/** Sends a message; a status for one that was refused. Throws if there is no answer in time. */
async function send(deps: PushDeps, message: ClaimedMessage, closing: AbortSignal): Promise<"sent" | number> {
  const now = deps.now();
  // None once the session has ended, or where a newer message took the place of this one while it waited for its turn.
  const subscription = await findRecipient(deps.db, message, now.toISOString());
  if (!subscription) return "sent";
  const { default: webPush } = await import("web-push");
  const { endpoint, p256dh, auth } = subscription;
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    message.payload,
    {
      vapidDetails: { subject: vapidSubject(deps), ...deps.keys },
      TTL: Math.max(0, Math.floor((Date.parse(message.expires_at) - now.getTime()) / 1000)),
      urgency: "high",
      topic: message.topic,
    },
  );
  // `fetch` counts the bytes itself.
  const { "Content-Length": _, ...others } = headers;
  const request = { endpoint, headers: stringsOf(others), body: new Uint8Array(body) };
  const signal = AbortSignal.any([closing, AbortSignal.timeout(SEND_LIMIT_MS)]);
  const status = await deps.send(request, signal);
  return status >= 200 && status < 300 ? "sent" : status;
}

function stringsOf(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The contact for push services that have a question about these messages: the store's page, or without https its mail address. */
function vapidSubject({ config, publicUrl }: PushDeps): string {
  const url = publicUrl();
  if (url.startsWith("https:")) return url;
  const address = /<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom;
  return `mailto:${address}`;
}
