import type { Insertable } from "kysely";
import type { Db } from "#db/database.ts";
import type { LiveEventTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { studentWords } from "#server/orders/board/search-words.ts";
import type { CountedOrder } from "#server/stats/stats.queries.ts";
import { countOrders } from "#server/stats/stats.service.ts";
import { DAY_MS } from "#shared/durations.ts";
import { createDice, type Dice } from "./dice.ts";
import { type GeneratedOrder, makeOrder } from "./orders.ts";
import { knownStudent, makePeople, type People } from "./people.ts";
import { insertRows, LOAD_PASSWORD, type LoadPlan } from "./rows.ts";
import { writeShops } from "./shops.ts";

/** The number of orders per transaction. */
const BATCH = 5000;
/** Each brings at most a dozen rows to the stats, and SQLite limits the values of a statement. */
const COUNTED_AT_ONCE = 200;
const INDIA_MS = 330 * 60 * 1000;
/** How far back the server's own log reaches. */
const LOG_MS = 7 * DAY_MS;
const OWNERS_PER_SHOP = 0.6;

/** How busy shops are by hour in India, from midnight, and by weekday, from Sunday. */
const BY_HOUR = [2, 1, 0, 0, 0, 0, 1, 3, 8, 12, 11, 10, 8, 8, 9, 10, 11, 12, 11, 10, 9, 8, 6, 4];
const BY_WEEKDAY = [4, 10, 10, 10, 10, 9, 6];
const BUSIEST = Math.max(...BY_HOUR) * Math.max(...BY_WEEKDAY);

/**
 * Fills a migrated store by the plan. Throws, without writing, if it has orders.
 * @param report called with the number of orders written
 */
export async function fillStore(
  db: Db,
  plan: LoadPlan,
  report: (written: number) => void = () => {},
): Promise<void> {
  if (await db.selectFrom("orders").select("id").limit(1).executeTakeFirst()) {
    throw new Error("This store has orders already. Give DATA_DIR a new folder");
  }
  const dice = createDice(plan.seed);
  const until = plan.until.getTime();
  const since = new Date(until - plan.days * DAY_MS);
  const people = makePeople(
    dice,
    { owners: Math.ceil(plan.shops * OWNERS_PER_SHOP), students: plan.students },
    { passwordHash: await hashPassword(LOAD_PASSWORD), since },
  );
  await transact(db, (trx) => writePeople(trx, people));
  const shops = await transact(db, (trx) => writeShops(trx, dice, { count: plan.shops, people, since }));
  const moments = placedMoments(dice, plan);
  const newNumber = createNumbers(dice);
  const log: LogEntry[] = [];
  const events = new TimeOrderedRows<GeneratedOrder["events"][number]>();
  const audit = new TimeOrderedRows<GeneratedOrder["audit"][number]>();
  for (let written = 0; written < moments.length; written += BATCH) {
    const orders = moments.slice(written, written + BATCH).map((placedAt) => {
      const shop = dice.favour(shops);
      const student = dice.pick(people.students);
      return makeOrder(dice, { number: newNumber(), shop, student, placedAt, until });
    });
    events.add(orders.flatMap((made) => made.events));
    audit.add(orders.flatMap((made) => made.audit));
    const isLast = written + orders.length === moments.length;
    const soFar = isLast ? undefined : orders.at(-1)?.order.created_at;
    await transact(db, async (trx) => {
      await writeOrders(trx, orders);
      await insertRows(trx, "order_events", events.take(soFar));
      await insertRows(trx, "audit_log", audit.take(soFar));
    });
    log.push(...orders.flatMap((made) => logEntries(made, until - LOG_MS)));
    report(written + orders.length);
  }
  await transact(db, (trx) => writeLog(trx, log));
}

async function writePeople(trx: Trx, { admin, owners, students }: People): Promise<void> {
  await insertRows(trx, "users", [admin, ...owners, ...students]);
  const words = students.flatMap((student) =>
    studentWords(knownStudent(student)).map((word) => ({ word, user_id: student.id })),
  );
  await insertRows(trx, "student_words", words);
}

async function writeOrders(trx: Trx, made: GeneratedOrder[]): Promise<void> {
  const orders = made.map(({ order }) => order);
  const files = made.flatMap((order) => order.files);
  const orderFiles = made.flatMap((order) => order.orderFiles);
  const lines = made.flatMap((order) => order.lines);
  await insertRows(trx, "orders", orders);
  await insertRows(trx, "files", files);
  await insertRows(trx, "order_files", orderFiles);
  await insertRows(trx, "order_lines", lines);
  await insertRows(
    trx,
    "outbox",
    made.flatMap((order) => order.mails),
  );
  for (let start = 0; start < made.length; start += COUNTED_AT_ONCE) {
    await countOrders(trx, made.slice(start, start + COUNTED_AT_ONCE).map(toCounted));
  }
}

function toCounted({ order, lines }: GeneratedOrder): CountedOrder {
  return {
    shopId: order.shop_id,
    placedAt: order.created_at,
    isCancelled: order.state === "cancelled",
    pages: order.pages,
    copies: order.copies,
    sheets: order.sheets,
    totalPaise: order.total_paise,
    jobs: [
      {
        pages: order.pages,
        sheets: order.sheets,
        lines: lines.map(({ kind, name, amount_paise }) => ({ kind, name, amountPaise: amount_paise })),
      },
    ],
  };
}

type LogEntry = Omit<Insertable<LiveEventTable>, "seq">;

function logEntries({ order, steps }: GeneratedOrder, since: number): LogEntry[] {
  return steps
    .filter(({ at }) => at >= since)
    .map(({ state, at }) => ({
      order_id: order.id,
      shop_id: order.shop_id,
      kind: state === "placed" ? "placed" : "moved",
      state,
      created_at: new Date(at).toISOString(),
    }));
}

async function writeLog(trx: Trx, entries: LogEntry[]): Promise<void> {
  const inOrder = entries.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  const rows = inOrder.map((entry, index) => ({ ...entry, seq: index + 1 }));
  await insertRows(trx, "live_events", rows);
  await trx.updateTable("live_event_head").set({ seq: rows.length }).execute();
}

/** The times of the orders, in ms, oldest first: more by day than by night, and few on Sundays. */
function placedMoments(dice: Dice, { orders, days, until }: LoadPlan): number[] {
  const end = until.getTime();
  const moments: number[] = [];
  while (moments.length < orders) {
    const at = end - dice.int(0, days * DAY_MS - 1);
    if (dice.int(1, BUSIEST) <= businessAt(at)) moments.push(at);
  }
  return moments.sort((one, other) => one - other);
}

function businessAt(at: number): number {
  const inIndia = new Date(at + INDIA_MS);
  return (BY_HOUR[inIndia.getUTCHours()] ?? 0) * (BY_WEEKDAY[inIndia.getUTCDay()] ?? 0);
}

const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Makes unique order numbers such as `K7M4-Q2XD`. */
function createNumbers(dice: Dice): () => string {
  const made = new Set<string>();
  const group = () => Array.from({ length: 4 }, () => dice.pick([...ALPHABET])).join("");
  return () => {
    for (;;) {
      const number = `${group()}-${group()}`;
      if (made.has(number)) continue;
      made.add(number);
      return number;
    }
  };
}

/** Holds rows back until all earlier ones are there, so that they are written in the order of a real store. */
export class TimeOrderedRows<Row extends { created_at: string }> {
  #waiting: Row[] = [];

  add(rows: Row[]): void {
    this.#waiting.push(...rows);
  }

  /** Removes and returns the rows up to this time, or all, oldest first. */
  take(until?: string): Row[] {
    const isDue = (row: Row) => until === undefined || row.created_at <= until;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((row) => !isDue(row));
    return due.sort((one, other) => one.created_at.localeCompare(other.created_at));
  }
}
