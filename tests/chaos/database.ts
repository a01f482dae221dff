import { type RawBuilder, sql } from "kysely";
import { type Db, isOnPostgres } from "#db/database.ts";

export type StoreRows = Awaited<ReturnType<typeof readStoreRows>>;

/** The rows that the checks need from the database after a run. */
export async function readStoreRows(db: Db) {
  return {
    orders: await db
      .selectFrom("orders")
      .select([
        "id",
        "number",
        "shop_id",
        "user_email",
        "idempotency_key",
        "state",
        "fulfilment",
        "search_text",
      ])
      .execute(),
    lines: await db.selectFrom("order_lines").select("order_id").execute(),
    orderFiles: await db
      .selectFrom("order_files")
      .select(["order_id", "file_id"])
      .orderBy("position")
      .execute(),
    events: await db
      .selectFrom("order_events")
      .select(["order_id", "state"])
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
    log: await db.selectFrom("live_events").select(["seq", "order_id", "kind"]).orderBy("seq").execute(),
    audit: await db.selectFrom("audit_log").select("subject_id").execute(),
    files: await db
      .selectFrom("files")
      .select(["id", "sha256", "order_id", "deleted_at", "erased_at"])
      .execute(),
    mails: await db
      .selectFrom("outbox")
      .select([
        "id",
        "kind",
        "recipient",
        "subject",
        "content",
        "created_at",
        "sent_at",
        "failed_at",
        "last_error",
      ])
      .execute(),
    verified: await db.selectFrom("users").select("email").where("verified_at", "is not", null).execute(),
    figures: await db
      .selectFrom("daily_stats")
      .select(({ fn }) => [
        "shop_id",
        fn.sum<number>("orders").as("orders"),
        fn.sum<number>("cancelled").as("cancelled"),
      ])
      .groupBy("shop_id")
      .execute(),
  };
}

/** Whether no file is left to erase and no mail to send, except those leased by a server when it died. */
export async function isSettled(db: Db): Promise<boolean> {
  const unerased = await db
    .selectFrom("files")
    .select("id")
    .where("deleted_at", "is not", null)
    .where("erased_at", "is", null)
    .where("leased_until", "is", null)
    .limit(1)
    .executeTakeFirst();
  const now = new Date().toISOString();
  const unsent = await db
    .selectFrom("outbox")
    .select("id")
    .where("sent_at", "is", null)
    .where("failed_at", "is", null)
    .where("due_at", "<=", now)
    .where((eb) => eb.or([eb("leased_until", "is", null), eb("leased_until", "<=", now)]))
    .limit(1)
    .executeTakeFirst();
  return !unerased && !unsent;
}

/** What one check examined, and what it found wrong. */
export interface Finding {
  check: string;
  looked: number;
  wrong: string[];
}

/** Examines each item; `fault` returns what is wrong with it, or null. */
export function examine<T>(check: string, items: Iterable<T>, fault: (item: T) => string | null): Finding {
  const all = [...items];
  return { check, looked: all.length, wrong: all.flatMap((item) => fault(item) ?? []) };
}

/** The database engine's own integrity check. */
export function checkIntegrity(db: Db): Promise<Finding[]> {
  return isOnPostgres(db) ? checkPostgres(db) : checkSqlite(db);
}

async function checkSqlite(db: Db): Promise<Finding[]> {
  const said = await rowsOf<{ integrity_check: string }>(db, sql`pragma integrity_check`);
  const broken = await rowsOf<object>(db, sql`pragma foreign_key_check`);
  return [
    examine("PRAGMA integrity_check", said, ({ integrity_check: line }) => (line === "ok" ? null : line)),
    { check: "PRAGMA foreign_key_check", looked: 1, wrong: broken.map((row) => JSON.stringify(row)) },
  ];
}

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  column: string;
  target: string;
}

/** PostgreSQL's amcheck of every table and index, and a check of all foreign keys. */
async function checkPostgres(db: Db): Promise<Finding[]> {
  await sql`create extension if not exists amcheck`.execute(db);
  const tables = await relations(db, "r");
  const indexes = await relations(db, "i");
  const keys = await foreignKeys(db);
  return [
    await examineEach("amcheck: tables", tables, (name) =>
      rowsOf(db, sql`select msg as wrong from verify_heapam(${name}::regclass)`),
    ),
    await examineEach("amcheck: indexes", indexes, (name) => checkIndex(db, name)),
    await examineEach("references: the row they name is there", keys, (key) => findBroken(db, key)),
  ];
}

interface Wrong {
  wrong: string;
}

async function examineEach<T>(
  check: string,
  items: T[],
  find: (item: T) => Promise<Wrong[]>,
): Promise<Finding> {
  const found: Wrong[] = [];
  for (const item of items) found.push(...(await find(item)));
  return { check, looked: items.length, wrong: found.map(({ wrong }) => wrong) };
}

async function checkIndex(db: Db, name: string): Promise<Wrong[]> {
  try {
    await sql`select bt_index_parent_check(${name}::regclass, true)`.execute(db);
    return [];
  } catch (error) {
    return [{ wrong: `${name}: ${error}` }];
  }
}

function findBroken(db: Db, { name, child, parent, column, target }: ForeignKey): Promise<Wrong[]> {
  const from = sql.ref(`c.${column}`);
  return rowsOf(
    db,
    sql`select ${name} || ': ' || ${from} as wrong from ${sql.table(child)} c
      where ${from} is not null and not exists
        (select from ${sql.table(parent)} p where ${sql.ref(`p.${target}`)} = ${from})`,
  );
}

async function relations(db: Db, kind: "r" | "i"): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relkind = ${kind} and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** Single-column foreign keys, which are the only ones in the store. */
function foreignKeys(db: Db): Promise<ForeignKey[]> {
  return rowsOf(
    db,
    sql`select k.conname as name, k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
        a.attname as column, b.attname as target
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
      where k.contype = 'f'`,
  );
}

async function rowsOf<Row>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await query.execute(db)).rows as Row[];
}
