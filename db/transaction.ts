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
import { isInTheWay } from "./failures.ts";
import type { Schema } from "./schema.ts";

export type Trx = Transaction<Schema>;

const inTransaction = new AsyncLocalStorage<true>();

/** How often a transaction is begun at most that others come in the way of. */
const MAX_TRIES = 20;

/**
 * Runs `body` in one transaction; it is rolled back when `body` throws. Everything in it goes through `trx`:
 * a query or a second transaction on an outer handle would wait for ever on SQLite, and throws here instead.
 * `body` may run again from its beginning, when another transaction on PostgreSQL came in its way (failures.ts).
 */
export async function transact<T>(db: Kysely<Schema>, body: (trx: Trx) => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  for (let tries = 1; ; tries++) {
    try {
      return await db
        .withoutPlugins()
        .transaction()
        .execute((trx) => inTransaction.run(true, () => body(trx)));
    } catch (error) {
      if (!isInTheWay(error) || tries === MAX_TRIES) throw error;
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
  await trx.executeQuery(SAVEPOINT);
  try {
    const value = await body();
    await trx.executeQuery(RELEASE);
    return { status: "fulfilled", value };
  } catch (reason) {
    if (isInTheWay(reason)) throw reason;
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
  if (inTransaction.getStore()) throw new Error("This query must go through the transaction's own handle");
}
