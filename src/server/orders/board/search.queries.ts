import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Db } from "#db/open.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { Schema, StudentWordTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Above these it is cheaper to go through all orders than to begin with the students or numbers that match. */
const FEW = { words: 1000, numbers: 200, students: 200 };

/** The other conditions of the search, and how many orders are wanted. */
export interface Wanted {
  conditions: Expression<SqlBool>[];
  newestFirst: boolean;
  limit: number;
}

/**
 * The condition that an order has words that begin with the terms. For common terms `search_text` alone decides: orders are
 * read by age, and a page is full soon. For rare ones only the orders of the few students who match, and those with such a
 * number, are looked at.
 */
export async function hasTerms(db: Db, terms: string[], wanted: Wanted): Promise<Expression<SqlBool>> {
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
    .flatMap(({ number, half }) => [begins(NUMBER, number), begins(HALF, half)])
    .reduce(
      (ids, isNumber) => ids.unionAll(db.selectFrom("orders").select("orders.id").where(isNumber)),
      firstOrdersOf(db, students, { ...wanted, conditions: [...wanted.conditions, ...wide] }),
    );
  return ORDERS.and([isInText, ORDERS("orders.id", "in", found)]);
}

const ORDERS = expressionBuilder<Schema, "orders">();

/** Terms are letters and digits only, so nothing needs to be escaped for LIKE. */
function inText(term: string): RawBuilder<SqlBool> {
  return sql`${sql.ref("orders.search_text")} like ${`% ${term}%`}`;
}

/** A search term as the beginning of a word, of an order number, and of the second half of a number. */
interface Term {
  word: string;
  number: string;
  half: string;
}

interface CountedTerm extends Term {
  words: number;
  /** Orders whose number, or its second half, begins with it. */
  numbers: number;
}

const WORD = sql.ref("student_words.word");
const NUMBER = sql.ref("orders.number");
/** The expression of an index. */
const HALF = sql`substr(${NUMBER}, 6)`;
/** The highest code point: the end of the range of texts with the same beginning. */
const LAST = "\u{10ffff}";

function begins(column: RawBuilder<unknown>, text: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`${column} >= ${text} and ${column} < ${text} || ${sql.lit(LAST)}`;
}

const termCounts = new PreparedQuery((db, term: Placeholders<Term>) =>
  db.selectNoFrom(({ selectFrom }) => {
    const orders = selectFrom("orders").select("id").limit(FEW.numbers);
    const words = selectFrom("student_words").select("word").where(begins(WORD, term.word)).limit(FEW.words);
    return [
      selectFrom(words.as("found")).select(COUNT).as("words"),
      selectFrom(orders.where(begins(NUMBER, term.number)).as("found"))
        .select(COUNT)
        .as("numbers"),
      selectFrom(orders.where(begins(HALF, term.half)).as("found"))
        .select(COUNT)
        .as("halves"),
    ];
  }),
);
const COUNT = sql<number>`count(*)`.as("count");

/** Counts up to the limits in FEW only. */
async function countTerm(db: Db, word: string): Promise<CountedTerm> {
  const half = word.toUpperCase();
  const number = half.length > 4 ? `${half.slice(0, 4)}-${half.slice(4)}` : half;
  const term = { word, number, half };
  const [counts] = await termCounts.rows(db, term);
  return { ...term, words: counts?.words ?? 0, numbers: (counts?.numbers ?? 0) + (counts?.halves ?? 0) };
}

type Students = SelectQueryBuilder<Schema, "student_words", { user_id: string }>;

/** The students who have a word for each of the terms. */
function studentsWith(db: Db, rarest: Term, others: Term[]): Students {
  const ids = db.selectFrom("student_words").select("student_words.user_id").distinct();
  return others.reduce(
    (students, { word }) =>
      students.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("student_words as other")
            .select("other.word")
            .whereRef("other.user_id", "=", "student_words.user_id")
            .where(begins(sql.ref("other.word"), word)),
        ),
      ),
    ids.where(begins(WORD, rarest.word)),
  );
}

async function countStudents(db: Db, students: Students): Promise<number> {
  const { count } = await db
    .selectFrom(students.limit(FEW.students).as("found"))
    .select(COUNT)
    .executeTakeFirstOrThrow();
  return count;
}

/** The cross join makes SQLite begin with the students. */
function firstOrdersOf(db: Db, students: Students, { conditions, newestFirst, limit }: Wanted) {
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

/** Words that are there already are skipped. */
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

export async function setSearchText(trx: Trx, orderId: string, text: string): Promise<void> {
  await trx.updateTable("orders").set({ search_text: text }).where("id", "=", orderId).execute();
}
