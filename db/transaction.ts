import { AsyncLocalStorage } from "node:async_hooks";
import type {
  Kysely,
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  Transaction,
} from "kysely";
import type { Schema } from "./schema.ts";

export type Trx = Transaction<Schema>;

const inTransaction = new AsyncLocalStorage<true>();

/**
 * Runs `body` in one transaction; it is rolled back when `body` throws. Everything in it goes through `trx`:
 * a query or a second transaction on an outer handle would wait for ever on SQLite, and throws here instead.
 */
export async function transact<T>(db: Kysely<Schema>, body: (trx: Trx) => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  return db
    .withoutPlugins()
    .transaction()
    .execute((trx) => inTransaction.run(true, () => body(trx)));
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
