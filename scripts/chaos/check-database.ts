import type Sqlite from "better-sqlite3";
import { examine, type Finding } from "./findings.ts";
import type { Ledger } from "./ledger.ts";

const FIGURES = `
  select f.shop_id as shop, sum(f.orders) as counted, sum(f.cancelled) as cancelled,
    (select count(*) from orders o where o.state <> 'cancelled' and f.shop_id in (o.shop_id, '*')) as orders,
    (select count(*) from orders o where o.state = 'cancelled' and f.shop_id in (o.shop_id, '*')) as ended
  from daily_figures f group by f.shop_id`;

interface FiguresRow {
  shop: string;
  counted: number;
  cancelled: number;
  orders: number;
  ended: number;
}

/** Whether the database is sound in itself, and knows everyone whose login was answered. */
export function checkDatabase(database: Sqlite.Database, ledger: Ledger): Finding[] {
  const verified = database.prepare("select 1 from users where email = ? and verified_at is not null");
  const log = database.prepare("select seq from queue_log order by seq").pluck().all() as number[];
  const figures = database.prepare(FIGURES).all() as FiguresRow[];
  return [
    examine("accounts that were let in", ledger.accounts, (email) =>
      verified.get(email) ? null : `${email} is lost`,
    ),
    examine("the queue's log: no gap", log.entries(), ([at, seq]) =>
      seq === at + 1 ? null : `number ${at + 1} is ${seq}`,
    ),
    examine("figures of the shops: as their orders", figures, (row) => {
      const agrees = row.counted === row.orders && row.cancelled === row.ended;
      return agrees ? null : `${row.shop}: ${JSON.stringify(row)}`;
    }),
    examine(
      "PRAGMA integrity_check",
      database.pragma("integrity_check", { simple: false }) as object[],
      (row) => {
        const said = Object.values(row).join();
        return said === "ok" ? null : said;
      },
    ),
    { check: "PRAGMA foreign_key_check", looked: 1, wrong: brokenKeys(database) },
  ];
}

function brokenKeys(database: Sqlite.Database): string[] {
  return (database.pragma("foreign_key_check") as object[]).map((row) => JSON.stringify(row));
}
