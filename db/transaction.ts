import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CompiledQuery,
  type Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type Transaction,
} from "kysely";
import { isTransactionConflict } from "./errors.ts";
import type { Schema } from "./schema.ts";

export type Trx = Transaction<Schema>;

/** What may have to be done once a transaction is committed. */
export type FollowUp = "sendMails" | "sendPushes" | "eraseFiles" | "checkFiles" | "notifyFollowers";

/** What follows the commit of the transaction, or of the attempt within one, that this call chain runs in. */
const underWay = new AsyncLocalStorage<Set<FollowUp>>();

const handlers = new WeakMap<Kysely<Schema>, Record<FollowUp, () => void>>();

/** Sets what is done after the commits of transactions on `db`; a handler must not throw. Without any, as in scripts, nothing is. */
export function onCommit(db: Kysely<Schema>, followUps: Record<FollowUp, () => void>): void {
  handlers.set(db, followUps);
}

/**
 * Declares within a transaction what follows its commit: once, however often it is declared, and never where what
 * declared it is rolled back. Called by the code that writes the row, so that no service has to remember it.
 */
export function afterCommit(_trx: Trx, followUp: FollowUp): void {
  const declared = underWay.getStore();
  if (!declared) throw new Error("This transaction was not begun by transact");
  declared.add(followUp);
}

/** Maximum number of tries of a transaction that conflicts with others. */
const MAX_TRIES = 20;

/**
 * Runs `body` in one transaction; it is rolled back when `body` throws. Everything in it goes through `trx`:
 * a query or a second transaction on an outer handle would wait for ever on SQLite, and throws here instead.
 * `body` may run again from its beginning, when another transaction on PostgreSQL came in its way (errors.ts).
 */
export async function transact<T>(db: Kysely<Schema>, body: (trx: Trx) => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  for (let tries = 1; ; tries++) {
    const followUps = new Set<FollowUp>();
    try {
      const result = await db
        .withoutPlugins()
        .transaction()
        .execute((trx) => underWay.run(followUps, () => body(trx)));
      for (const followUp of followUps) handlers.get(db)?.[followUp]();
      return result;
    } catch (error) {
      if (!isTransactionConflict(error) || tries === MAX_TRIES) throw error;
      await sleep(Math.random() * 5 * tries);
    }
  }
}

const SAVEPOINT = CompiledQuery.raw("savepoint attempt");
const RELEASE = CompiledQuery.raw("release savepoint attempt");
const ROLLBACK = CompiledQuery.raw("rollback to savepoint attempt");

/**
 * Runs `body` within a transaction that goes on where `body` throws: then only what `body` wrote is undone. Throws what
 * ends the transaction: that another came in its way, or that the database has rolled it back.
 */
export async function attempt<T>(trx: Trx, body: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const followUps = new Set<FollowUp>();
  await trx.executeQuery(SAVEPOINT);
  try {
    const value = await underWay.run(followUps, body);
    await trx.executeQuery(RELEASE);
    for (const followUp of followUps) afterCommit(trx, followUp);
    return { status: "fulfilled", value };
  } catch (reason) {
    if (isTransactionConflict(reason)) throw reason;
    await trx.executeQuery(ROLLBACK).catch(() => {
      throw reason;
    });
    return { status: "rejected", reason };
  }
}

/** Refuses queries on the handles it is plugged into while a transaction is under way in the same call chain. */
export class OutsideTransactionGuard implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs) {
    refuseInsideTransaction();
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

function refuseInsideTransaction(): void {
  if (underWay.getStore()) throw new Error("This query must go through the transaction's own handle");
}
