import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { Schema, StudentWordTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Above these counts, scanning all orders is cheaper than starting with the matching students or numbers. */
const FEW = { words: 1000, numbers: 200, students: 200 };

/** The other conditions of the search, the sort order and the number of orders. */
interface OrderQuery {
  conditions: Expression<SqlBool>[];
  newestFirst: boolean;
  limit: number;
}

/**
 * Condition that an order has a word with each term as prefix. For common terms only `search_text` is used, because a scan
 * by age fills a page soon; for rare terms only the orders of the few matching students, and those with a matching number,
 * are checked.
 */
export async function hasTerms(db: Db, terms: string[], wanted: OrderQuery): Promise<Expression<SqlBool>> {
  const isInText = ORDERS.and(terms.map(inText));
  const counted = await Promise.all(terms.map((term) => countTerm(db, term)));
  const narrow = counted.filter(({ numbers }) => numbers < FEW.numbers);
  const [rarest, ...others] = narrow.toSorted((one, other) => one.words - other.words);
  if (!rarest || rarest.words >= FEW.words) return isInText;
  const students = studentsWith(db, rarest, others);
  const fewest = others.length === 0 ? rarest.words : await countStudents(db, students);
  if (fewest >= FEW.students) return isInText;
  const wide = counted.filter((each) => !narrow.includes(each)).map(({ word }) => inText(word));
  const found = narrow
    .filter(({ numbers }) => numbers > 0)
    .flatMap(({ number, half }) => [hasPrefix(NUMBER, number), hasPrefix(HALF, half)])
    .reduce(
      (ids, isNumber) => ids.unionAll(db.selectFrom("orders").select("orders.id").where(isNumber)),
      firstOrdersOf(db, students, { ...wanted, conditions: [...wanted.conditions, ...wide] }),
    );
  return ORDERS.and([isInText, ORDERS("orders.id", "in", found)]);
}

const ORDERS = expressionBuilder<Schema, "orders">();

/** Terms are letters and digits only, so LIKE needs no escaping. */
function inText(term: string): RawBuilder<SqlBool> {
  return sql`${sql.ref("orders.search_text")} like ${`% ${term}%`}`;
}

/** A search term as the prefix of a word, of an order number, and of the second half of a number. */
interface Term {
  word: string;
  number: string;
  half: string;
}

interface CountedTerm extends Term {
  words: number;
  /** Number of orders whose number, or its second half, begins with the term. */
  numbers: number;
}

const WORD = sql.ref("student_words.word");
const NUMBER = sql.ref("orders.number");
/** Must equal the expression of an index. */
const HALF = sql`substr(${NUMBER}, 6)`;
/** The highest code point, which ends the range of texts with the same prefix. */
const LAST = "\u{10ffff}";

function hasPrefix(column: RawBuilder<unknown>, text: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`${column} >= ${text} and ${column} < ${text} || ${sql.lit(LAST)}`;
}

const termCounts = new PreparedQuery((db, term: Placeholders<Term>) =>
  db.selectNoFrom(({ selectFrom }) => {
    const orders = selectFrom("orders").select("id").limit(FEW.numbers);
    const words = selectFrom("student_words")
      .select("word")
      .where(hasPrefix(WORD, term.word))
      .limit(FEW.words);
    return [
      selectFrom(words.as("found")).select(COUNT).as("words"),
      selectFrom(orders.where(hasPrefix(NUMBER, term.number)).as("found"))
        .select(COUNT)
        .as("numbers"),
      selectFrom(orders.where(hasPrefix(HALF, term.half)).as("found"))
        .select(COUNT)
        .as("halves"),
    ];
  }),
);
const COUNT = sql<number>`count(*)`.as("count");

/** Counts the matches of a term, up to the limits in FEW. */
async function countTerm(db: Db, word: string): Promise<CountedTerm> {
  const half = word.toUpperCase();
  const number = half.length > 4 ? `${half.slice(0, 4)}-${half.slice(4)}` : half;
  const term = { word, number, half };
  const [counts] = await termCounts.rows(db, term);
  return { ...term, words: counts?.words ?? 0, numbers: (counts?.numbers ?? 0) + (counts?.halves ?? 0) };
}

type Students = SelectQueryBuilder<Schema, "student_words", { user_id: string }>;

/** The students who have a matching word for each term. */
function studentsWith(db: Db, rarest: Term, others: Term[]): Students {
  const ids = db.selectFrom("student_words").select("student_words.user_id").distinct();
  return others.reduce(
    (students, { word }) =>
      students.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("student_words as other")
            .select("other.word")
            .whereRef("other.user_id", "=", "student_words.user_id")
            .where(hasPrefix(sql.ref("other.word"), word)),
        ),
      ),
    ids.where(hasPrefix(WORD, rarest.word)),
  );
}

async function countStudents(db: Db, students: Students): Promise<number> {
  const { count } = await db
    .selectFrom(students.limit(FEW.students).as("found"))
    .select(COUNT)
    .executeTakeFirstOrThrow();
  return count;
}

/** The cross join makes SQLite start with the students. */
function firstOrdersOf(db: Db, students: Students, { conditions, newestFirst, limit }: OrderQuery) {
  const direction = newestFirst ? "desc" : "asc";
  const first = db
    .selectFrom(students.as("found"))
    .crossJoin("orders")
    .select("orders.id")
    .whereRef("orders.user_id", "=", "found.user_id")
    .where(ORDERS.and(conditions))
    .orderBy("orders.created_at", direction)
    .orderBy("orders.id", direction)
    .limit(limit);
  return db.selectFrom(first.as("first")).select("first.id");
}

const newWords = new PreparedInsert((db, rows: Placeholders<StudentWordTable>[]) =>
  db
    .insertInto("student_words")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);
const someWord = new PreparedQuery((db, { userId }: Placeholders<{ userId: string }>) =>
  db.selectFrom("student_words").select("word").where("user_id", "=", userId).limit(1),
);

export async function hasWords(trx: Trx, userId: string): Promise<boolean> {
  return (await someWord.first(trx, { userId })) !== undefined;
}

/** Skips words that exist already. */
export async function insertWords(trx: Trx, userId: string, words: string[]): Promise<void> {
  await newWords.rows(
    trx,
    words.map((word) => ({ word, user_id: userId })),
  );
}

export async function deleteWords(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("student_words").where("user_id", "=", userId).execute();
}

export async function findNumbers(trx: Trx, userId: string): Promise<{ id: string; number: string }[]> {
  return trx.selectFrom("orders").select(["id", "number"]).where("user_id", "=", userId).execute();
}
