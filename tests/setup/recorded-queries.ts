import { type CompiledQuery, DefaultQueryExecutor } from "kysely";
import { onTestFinished, vi } from "vitest";

export interface RecordedQueries {
  /** By SQL, with the values of the last run. */
  queries: Map<string, CompiledQuery>;
  /** The functions of `*queries.ts` files that ran one. */
  functions: Set<string>;
}

const FUNCTION = /^\s+at (?:async )?(?:Module\.)?(\w+) \(.*queries\.ts/gm;

/** Records all queries of the server in this process, except migrations, until the test ends. */
export function recordQueries(): RecordedQueries {
  const queries = new Map<string, CompiledQuery>();
  const functions = new Set<string>();
  const execute = DefaultQueryExecutor.prototype.executeQuery;
  const spy = vi.spyOn(DefaultQueryExecutor.prototype, "executeQuery").mockImplementation(function (
    this: DefaultQueryExecutor,
    query,
    options,
  ) {
    const stack = new Error("where from").stack ?? "";
    const isOfServer = stack.includes("/src/server/") && !stack.includes("/db/migrat");
    if (isOfServer && /^(select|insert|update|delete|with) /.test(query.sql)) queries.set(query.sql, query);
    for (const [, name = ""] of stack.matchAll(FUNCTION)) functions.add(name);
    return execute.call(this, query, options) as Promise<never>;
  });
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  onTestFinished(() => {
    spy.mockRestore();
    Error.stackTraceLimit = stackTraceLimit;
  });
  return { queries, functions };
}
