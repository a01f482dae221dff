import { sql } from "kysely";
import type { Db } from "#db/open.ts";
import { postgresUrl } from "./test-database.ts";

/** The Indian day of an order, computed by the database. */
const DAY = postgresUrl()
  ? sql`to_char(created_at::timestamptz at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`
  : sql`date(created_at, '+330 minutes')`;

/** The stored statistics, and the same computed from the orders with plain SQL. */
export async function storedAndComputedStats(db: Db) {
  return {
    kept: {
      days: await db.selectFrom("daily_stats").selectAll().orderBy("shop_id").orderBy("day").execute(),
      options: await db
        .selectFrom("daily_option_stats")
        .selectAll()
        .where("orders", "<>", 0)
        .orderBy("shop_id")
        .orderBy("day")
        .orderBy("kind")
        .orderBy("name")
        .execute(),
    },
    plain: { days: await plainDays(db), options: await plainOptions(db) },
  };
}

async function plainDays(db: Db) {
  const { rows } = await sql`
    with everywhere as (
      select shop_id, state, pages, copies, sheets, total_paise, created_at from orders
      union all
      select '*', state, pages, copies, sheets, total_paise, created_at from orders
    )
    select shop_id, ${DAY} as day, count(*) filter (where state <> 'cancelled') as orders,
      coalesce(sum(pages * copies) filter (where state <> 'cancelled'), 0) as pages,
      coalesce(sum(sheets) filter (where state <> 'cancelled'), 0) as sheets,
      coalesce(sum(total_paise) filter (where state <> 'cancelled'), 0) as revenue_paise,
      count(*) filter (where state = 'cancelled') as cancelled
    from everywhere group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

async function plainOptions(db: Db) {
  const { rows } = await sql`
    with counted as (
      select shop_id, ${DAY} as day, kind, name, pages * copies as pages, sheets, amount_paise
      from orders join order_lines on order_id = orders.id where state <> 'cancelled'
    )
    select shop_id, day, kind, name, count(*) as orders, sum(pages) as pages, sum(sheets) as sheets,
      sum(amount_paise) as amount_paise
    from (select * from counted union all select '*', day, kind, name, pages, sheets, amount_paise from counted) as everywhere
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  return rows;
}
