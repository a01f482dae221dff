import { type CreateTableBuilder, type Kysely, type RawBuilder, SqliteAdapter, sql } from "kysely";

/** So many students are read, and their words written, at once. */
const BATCH = 500;
/** More fits into no index of PostgreSQL. */
const MAX_WORD = 254;
const MAX_TEXT = 780;

/**
 * The words that orders are found by stand in one text of each order, within the indexes that list them by age: going
 * through orders by their age reads nothing else. What a student is known by is kept once beside it, for names that few have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict, without rowid`) : table).execute();
  await create(
    db.schema
      .createTable("student_words")
      .addColumn("word", "text", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("student_words_key", ["word", "user_id"]),
  );
  await db.schema
    .alterTable("orders")
    .addColumn("search_text", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema
    .createTable("student_texts")
    .temporary()
    .addColumn("user_id", "text", (c) => c.notNull().primaryKey())
    .addColumn("text", "text", (c) => c.notNull())
    .execute();
  await writeWords(db as Kysely<StandingOrders>);
  await db.schema
    .createIndex("student_words_user")
    .on("student_words")
    .columns(["user_id", "word"])
    .execute();
  await sql`
    update orders set search_text = ' ' || lower(replace(number, '-', '')) || ' ' || lower(substr(number, 6))
      || coalesce((select text from student_texts where student_texts.user_id = orders.user_id), '')`.execute(
    db,
  );
  await db.schema.dropTable("student_texts").execute();
  await db.schema.dropTable("order_words").execute();
  await indexOrders(db);
}

interface StandingOrders {
  orders: { id: string; user_id: string };
  users: { id: string; email: string; full_name: string; phone: string | null; deleted_at: string | null };
  student_words: { word: string; user_id: string };
  student_texts: { user_id: string; text: string };
}

async function writeWords(db: Kysely<StandingOrders>): Promise<void> {
  for (let last = ""; ; ) {
    const students = await db
      .selectFrom("users")
      .select(["id", "email", "full_name", "phone"])
      .where("deleted_at", "is", null)
      .where("id", ">", last)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("orders").select("orders.id").whereRef("user_id", "=", "users.id")),
      )
      .orderBy("id")
      .limit(BATCH)
      .execute();
    const known = students.map((student) => ({ user_id: student.id, words: wordsOf(student) }));
    const words = known.flatMap((student) =>
      student.words.map((word) => ({ word, user_id: student.user_id })),
    );
    const texts = known.map((student) => ({
      user_id: student.user_id,
      text: student.words
        .map((word) => ` ${word}`)
        .join("")
        .slice(0, MAX_TEXT),
    }));
    if (words.length > 0) await db.insertInto("student_words").values(words).execute();
    if (texts.length > 0) await db.insertInto("student_texts").values(texts).execute();
    const end = students.at(-1);
    if (!end || students.length < BATCH) return;
    last = end.id;
  }
}

function wordsOf(student: Pick<StandingOrders["users"], "email" | "full_name" | "phone">): string[] {
  const phone = student.phone ?? "";
  const mailbox = student.email.split("@")[0] ?? "";
  const words = [phone, phone.slice(-4), student.email]
    .concat(student.full_name.split(/\s+/), mailbox.split(/[^\p{L}\p{M}\p{N}]+/u))
    .map(fold)
    .filter((word) => word !== "");
  return [...new Set(words)].filter(
    (word) => !words.some((longer) => longer !== word && longer.startsWith(word)),
  );
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .slice(0, MAX_WORD);
}

const IS_OPEN = sql`state not in ('delivered', 'cancelled')`;
const IS_CANCELLED = sql`state = 'cancelled'`;

/** Each is for what the one of its name was for. One with more columns would be taken for another by a planner. */
async function indexOrders(db: Kysely<unknown>): Promise<void> {
  for (const name of ["orders_age", "orders_shop", "orders_open", "orders_open_shop"])
    await db.schema.dropIndex(name).execute();
  const index = (name: string, columns: string[], where?: RawBuilder<unknown>) =>
    sql`create index ${sql.id(name)} on orders (${sql.join(columns.map((column) => sql.ref(column)))})
      ${where ? sql`where ${where}` : sql``}`.execute(db);
  await index("orders_age", ["created_at", "id", "search_text"]);
  await index("orders_shop", ["shop_id", "created_at", "search_text"]);
  await index("orders_open", ["created_at", "id", "state", "search_text"], IS_OPEN);
  await index("orders_open_shop", ["shop_id", "created_at", "id", "state", "search_text"], IS_OPEN);
  await index("orders_cancelled", ["created_at", "id", "search_text"], IS_CANCELLED);
  await index("orders_cancelled_shop", ["shop_id", "created_at", "id", "search_text"], IS_CANCELLED);
  await index("orders_user", ["user_id", "created_at", "id", "shop_id", "state"]);
  await sql`create index orders_number_end on orders (substr(number, 6))`.execute(db);
}
