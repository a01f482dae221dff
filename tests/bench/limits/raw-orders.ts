import Sqlite from "better-sqlite3";
import { uuidv7 } from "#server/lib/crypto.ts";
import { listenForOrders } from "./listening.ts";

// The limit of placing orders: bare node:http and better-sqlite3. Each request inserts the rows of the newest order in
// the given database again with new ids, by prepared statements in one transaction with one synchronous commit. It
// checks only that the order's file is free.

/** Files exist before their order, which only updates them. */
const ONLY_CHANGED = "files";
const MAILS_OF_ORDER = 2;

const [databasePath = ""] = process.argv.slice(2);
const model = readNewestOrder(databasePath);
const db = new Sqlite(databasePath);
db.pragma("journal_mode = wal");
db.pragma("synchronous = full");
db.pragma("foreign_keys = on");

const insertOrder = insertion("orders", [model.order]);
const insertBeside = Object.entries(model.beside).map(([table, rows]) => ({
  table,
  rows,
  insert: insertion(table, rows),
}));
const insertMails = insertion("outbox", model.mails);
const claimFile = db.prepare("update files set order_id = ? where id = ? and order_id is null");
const raiseHead = db.prepare("update live_event_head set seq = seq + 1 returning seq").pluck();
const raiseDay = db.prepare(
  `insert into daily_stats values (?, ?, 1, ?, ?, ?, 0) on conflict do update set orders = orders + 1,
   pages = pages + excluded.pages, sheets = sheets + excluded.sheets, revenue_paise = revenue_paise + excluded.revenue_paise`,
);
const raiseOption = db.prepare(
  `insert into daily_option_stats values (?, ?, ?, ?, 1, ?, ?, ?) on conflict do update set orders = orders + 1,
   pages = pages + excluded.pages, sheets = sheets + excluded.sheets, amount_paise = amount_paise + excluded.amount_paise`,
);

const placeOrder = db.transaction((fileId: string) => {
  const orderId = uuidv7();
  const fresh = { id: orderId, number: orderId.slice(-9), idempotency_key: orderId };
  insertOrder([{ ...model.order, ...fresh }]);
  if (claimFile.run(orderId, fileId).changes !== 1) throw new Error(`The file ${fileId} is not free`);
  for (const { rows, insert } of insertBeside) insert(rows.map((row) => renewed(row, orderId, fileId)));
  insertMails(model.mails.map((mail) => ({ ...mail, id: uuidv7(), sent_at: null, attempts: 0 })));
  raiseFigures(model);
  return orderId;
});

listenForOrders((fileId) => placeOrder.immediate(fileId));

/** One statement that inserts this many rows of this shape. */
function insertion(table: string, [row, ...others]: Row[]): (rows: Row[]) => void {
  if (!row) throw new Error(`An order writes nothing into ${table}`);
  const columns = Object.keys(row);
  const places = `(${columns.map(() => "?").join(", ")})`;
  const all = [row, ...others].map(() => places).join(", ");
  const statement = db.prepare(`insert into ${table} (${columns.join(", ")}) values ${all}`);
  return (rows) => statement.run(rows.flatMap((each) => columns.map((column) => each[column])));
}

function renewed(row: Row, orderId: string, fileId: string): Row {
  return {
    ...row,
    order_id: orderId,
    ...("id" in row && { id: uuidv7() }),
    ...("file_id" in row && { file_id: fileId }),
    ...("seq" in row && { seq: raiseHead.get() as number }),
  };
}

function raiseFigures({ order, beside }: OrderRows): void {
  const day = String(order.created_at).slice(0, 10);
  const pages = Number(order.pages) * Number(order.copies);
  for (const shop of [order.shop_id, "*"]) {
    raiseDay.run(shop, day, pages, order.sheets, order.total_paise);
    for (const { kind, name, amount_paise } of beside.order_lines ?? []) {
      raiseOption.run(shop, day, kind, name, pages, order.sheets, amount_paise);
    }
  }
}

type Row = Record<string, string | number | null>;

/** The rows that one order wrote. */
interface OrderRows {
  order: Row;
  /** Rows of other tables that refer to it by `order_id`, without rows that it only updated. */
  beside: Record<string, Row[]>;
  mails: Row[];
}

/** Reads the rows of the newest order from a store's database. */
function readNewestOrder(databasePath: string): OrderRows {
  const db = new Sqlite(databasePath, { readonly: true });
  const all = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Row[];
  const [order] = all("select * from orders order by created_at desc limit 1");
  if (!order) throw new Error("There is no order");
  const tables = all(
    `select tables.name from pragma_table_list as tables, pragma_table_info(tables.name) as columns
     where columns.name = 'order_id' and tables.name <> ?`,
    ONLY_CHANGED,
  );
  const beside = tables
    .map(({ name }) => [name, all(`select * from ${name} where order_id = ?`, order.id)] as const)
    .filter(([_name, rows]) => rows.length > 0);
  const mails = all(
    "select * from outbox where kind like 'order-%' order by created_at desc limit ?",
    MAILS_OF_ORDER,
  );
  db.close();
  return { order, beside: Object.fromEntries(beside), mails };
}
