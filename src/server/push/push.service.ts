import { createHash, ECDH } from "node:crypto";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { HOUR_MS } from "#shared/durations.ts";
import { MAX_PUSH_DEVICES, type PushPayload, type PushSubscriptionInput } from "#shared/schemas/push.ts";
import { currentSessionId } from "../accounts/sessions.ts";
import type { Context, Deps, SignedIn } from "../context.ts";
import { AppError, fieldError, loginRequired } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import {
  deleteSubscriptionOf,
  deleteWaiting,
  findSessionPublicId,
  findSubscriptionsOf,
  hasSubscription,
  insertMessages,
  saveSubscription,
} from "./push.queries.ts";

/** Whether this browser gets push messages for the session. */
interface PushDevice {
  /** The key with which it subscribes; null in a store without the service worker, which shows the messages. */
  publicKey: string | null;
  isOn: boolean;
}

export async function getPushDevice(ctx: Context<SignedIn>): Promise<PushDevice> {
  return {
    publicKey: ctx.config.hasServiceWorker ? ctx.pushPublicKey : null,
    isOn: await hasSubscription(ctx.readDb, currentSessionId(ctx)),
  };
}

/**
 * From now on this browser gets push messages until its session ends. Throws INVALID_INPUT for a key that is no point of the
 * curve, and CONFLICT for the address of a browser that has other keys.
 */
export async function subscribe(ctx: Context<SignedIn>, input: PushSubscriptionInput): Promise<void> {
  requireCurvePoint(input.keys.p256dh);
  await transact(ctx.db, (trx) => storeSubscription(trx, ctx, input));
}

async function storeSubscription(
  trx: Trx,
  ctx: Context<SignedIn>,
  { endpoint, keys }: PushSubscriptionInput,
): Promise<void> {
  const sessionId = await findSessionPublicId(trx, currentSessionId(ctx));
  if (sessionId === undefined) throw loginRequired();
  const subscription = {
    id: sha256(endpoint),
    session_id: sessionId,
    user_id: ctx.actor.user._id,
    endpoint,
    ...keys,
    created_at: ctx.now().toISOString(),
  };
  if (!(await saveSubscription(trx, subscription, MAX_PUSH_DEVICES))) {
    throw new AppError("CONFLICT", "These notifications belong to another browser. Please try again");
  }
}

/** The browser's key takes part in the encryption, which fails for anything else. */
function requireCurvePoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url");
  } catch {
    throw fieldError("keys.p256dh", "This is not the key of a browser");
  }
}

/** This browser gets no more push messages. */
export async function unsubscribe(ctx: Context<SignedIn>): Promise<void> {
  await deleteSubscriptionOf(ctx.db, currentSessionId(ctx));
}

/** How long a push service keeps trying to reach a device that is off. */
const LIFETIME_MS = 12 * HOUR_MS;

interface PushMessage extends Omit<PushPayload, "viewer"> {
  /** What it is about, such as an order's id: a newer message of a topic replaces an older one that has not arrived. */
  about: string;
  userId: string;
  /** How long it waits before it is sent, in ms; until then it can be withdrawn. */
  waitMs?: number;
}

/** Queues a push message to the user's devices in the caller's transaction; it is sent after the commit. */
export async function queuePush(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  { about, userId, waitMs = 0, ...content }: PushMessage,
  except: readonly string[] = [],
): Promise<void> {
  const payload: PushPayload = { ...content, viewer: userId };
  const due = now().getTime() + waitMs;
  await insertMessages(
    trx,
    {
      user_id: userId,
      topic: topicOf(about),
      payload: JSON.stringify(payload),
      due_at: new Date(due).toISOString(),
      expires_at: new Date(due + LIFETIME_MS).toISOString(),
    },
    except,
  );
}

/** Withdraws the messages about this that have not been sent, and returns the devices that they were for. */
export function withdrawPush(trx: Trx, { now }: Pick<Deps, "now">, about: string): Promise<string[]> {
  return deleteWaiting(trx, { topic: topicOf(about), now: now().toISOString() });
}

/** Push services take a topic of up to 32 characters of base64url, and can read it. */
function topicOf(about: string): string {
  return createHash("sha256").update(about).digest("base64url").slice(0, 32);
}

/** The devices of the user that get push messages, for the export; without the addresses, by which anybody could send. */
export async function exportPushDevices(db: Db, userId: string) {
  const subscriptions = await findSubscriptionsOf(db, userId);
  return subscriptions.map(({ endpoint, created_at }) => ({
    pushService: new URL(endpoint).host,
    since: created_at,
  }));
}
