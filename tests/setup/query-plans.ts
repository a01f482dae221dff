import { CompiledQuery, DefaultQueryExecutor, type Kysely, sql } from "kysely";
import { onTestFinished, vi } from "vitest";
import type { Db } from "#db/database.ts";
import type { Schema } from "#db/schema.ts";
import { postgresUrl } from "./test-database.ts";

/** The number of rows that the planner is told for each growing table. */
const ROWS = 1_000_000;
/** The number of those rows in a partial index. */
const PART = 1000;

/** A query planner with made-up table sizes. */
interface Planner {
  /** The full scans in the plan of this query, as the database describes them. */
  fullScansOf(query: CompiledQuery): Promise<string[]>;
}

/** Tells this database's planner that each of these tables has a million rows. Each must have at least one. */
export function plannerOf(db: Db, tables: readonly string[]): Promise<Planner> {
  const plain = db.withoutPlugins();
  return postgresUrl() ? postgresPlanner(plain, tables) : sqlitePlanner(plain, tables);
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/**
 * PostgreSQL counts the blocks of a table itself and takes the rows per block from the statistics, so the few blocks
 * are declared to be full of rows.
 */
async function postgresPlanner(db: Kysely<Schema>, tables: readonly string[]): Promise<Planner> {
  const { rows: indexes } = await sql<{ name: string; of: string; isPartial: boolean }>`
    select indexrelid::regclass::text as name, indrelid::regclass::text as "of", indpred is not null as "isPartial"
    from pg_index`.execute(db);
  const { rows: empty } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname in (${sql.join(tables)}) and relkind = 'r' and pg_relation_size(oid) = 0`.execute(db);
  if (empty.length > 0) throw new Error(`Nothing was ever in ${empty.map(({ name }) => name).join()}`);
  await forgetStatistics(db, tables);
  const partial = indexes
    .filter(({ of, isPartial }) => isPartial && tables.includes(of))
    .map(({ name }) => name);
  for (const [names, count] of [
    [tables, ROWS],
    [partial, PART],
  ] as const)
    for (const name of names)
      await sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', ${sql.lit(name)}::text,
        'relpages', 1::integer, 'reltuples', ${sql.lit(count)}::real)`.execute(db);
  // Photos are removed from the table soon after they are deleted, and few are kept for long.
  await sql`select pg_restore_attribute_stats('schemaname', 'public', 'relname', 'reprint_photos', 'attname',
      'deleted_at', 'inherited', false, 'null_frac', 0.999::real, 'avg_width', 24, 'n_distinct', -0.001::real),
    pg_restore_attribute_stats('schemaname', 'public', 'relname', 'reprint_photos', 'attname', 'created_at',
      'inherited', false, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', -0.5::real,
      'histogram_bounds', array[min(created_at), '2100-01-01']::text)
    from reprint_photos`.execute(db);
  await sql`select pg_restore_attribute_stats('schemaname', 'public', 'relname', table_name::text, 'attname',
      column_name::text, 'inherited', false, 'null_frac', 0::real, 'avg_width', 36, 'n_distinct', -0.2::real)
    from information_schema.columns
    where table_schema = 'public' and table_name in (${sql.join(tables)}) and column_name like '%_id'
      and column_name <> 'shop_id'`.execute(db);
  /** `isCut`: whether a limit ends the scan early. */
  const scans = (node: PlanNode, isCut: boolean): string[] => {
    const { "Node Type": type, "Relation Name": table = "", "Index Name": index = "" } = node;
    const isWhole = type.includes("Index") && type.includes("Scan") && !node["Index Cond"];
    const isFull =
      type === "Seq Scan"
        ? !(isCut && !node.Filter) && tables.includes(table)
        : isWhole && !isCut && !partial.includes(index);
    const here = isFull && !indexes.some(({ name, of }) => name === index && !tables.includes(of));
    const below = type === "Limit" || (isCut && !/^(Sort|Hash|.*Aggregate)$/.test(type));
    const deeper = (node.Plans ?? []).flatMap((child) => scans(child, below));
    return here ? [`${type} ${table} ${index}`.trim(), ...deeper] : deeper;
  };
  return {
    async fullScansOf(query) {
      const explain = CompiledQuery.raw(`explain (format json) ${query.sql}`, [...query.parameters]);
      const { rows } = await db.executeQuery<{ "QUERY PLAN": { Plan: PlanNode }[] }>(explain);
      return rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => scans(Plan, false)));
    },
  };
}

/** Autovacuum may have analysed the few rows that exist, or be about to. */
async function forgetStatistics(db: Kysely<Schema>, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  await sql`select pg_clear_attribute_stats('public', table_name::text, column_name::text, false)
    from information_schema.columns
    where table_schema = 'public' and table_name in (${sql.join(tables)})`.execute(db);
}

async function sqlitePlanner(db: Kysely<Schema>, tables: readonly string[]): Promise<Planner> {
  await sql`analyze`.execute(db);
  for (const table of ["sqlite_stat1", "sqlite_stat4"])
    await sql`delete from ${sql.table(table)}`.execute(db);
  const { rows: indexes } = await sql<IndexColumns>`
    select m.name as "of", l.name, l."unique" as "isUnique", l.partial as "isPartial", count(*) as columns
    from sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
    where m.type = 'table' group by m.name, l.name`.execute(db);
  for (const index of indexes.filter(({ of }) => tables.includes(of)))
    await sql`insert into sqlite_stat1 values (${index.of}, ${index.name}, ${statisticsOf(index)})`.execute(
      db,
    );
  await sql`analyze sqlite_schema`.execute(db);
  const partial = indexes.filter(({ isPartial }) => isPartial).map(({ name }) => name);
  return {
    async fullScansOf(query) {
      const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]);
      const { rows } = await db.executeQuery<{ detail: string }>(explain);
      const details = rows.map(({ detail }) => detail);
      const isCut = / limit /.test(query.sql) && !details.some((detail) => /^USE TEMP B-TREE/.test(detail));
      return details.filter((detail) => {
        const [, table = "", index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
        const isServed = index ? isCut || partial.includes(index) : isCut && !/ where /.test(query.sql);
        return tables.includes(table) && !isServed;
      });
    },
  };
}

interface IndexColumns {
  of: string;
  name: string;
  isUnique: number;
  isPartial: number;
  columns: number;
}

/** The number of rows, and of rows per distinct value of the first column, the first two columns, and so on. */
function statisticsOf({ isUnique, isPartial, columns }: IndexColumns): string {
  const rows = isPartial ? PART : ROWS;
  const equal = Array.from({ length: columns }, (_, index) =>
    Math.max(2, Math.round(rows / 1000 / 10 ** index)),
  );
  if (isUnique) equal[columns - 1] = 1;
  return [rows, ...equal].join(" ");
}

interface RecordedQueries {
  /** By SQL, with the values of the last run. */
  queries: Map<string, CompiledQuery>;
  /** The functions of `*queries.ts` files that ran one. */
  functions: Set<string>;
}

/** Who has called, the nearest first. As text a stack takes a hundred times as long: it is led back to the sources. */
function callers(): NodeJS.CallSite[] {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_error, sites) => sites;
  const { stack } = new Error("where from");
  Error.prepareStackTrace = prepareStackTrace;
  return stack as unknown as NodeJS.CallSite[];
}

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
    const sites = callers();
    const isIn = (folder: string) => sites.some((site) => site.getFileName()?.includes(folder));
    const isOfServer = isIn("/src/server/") && !isIn("/db/migrat");
    if (isOfServer && /^(select|insert|update|delete|with) /.test(query.sql)) queries.set(query.sql, query);
    for (const site of sites)
      if (site.getFileName()?.includes("queries.ts")) functions.add(site.getFunctionName() ?? "");
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
