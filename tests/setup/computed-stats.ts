import { sql } from "kysely";
import type { Db } from "#db/database.ts";
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

/** An order counts once for an option, with the pages and sheets of the jobs that have it. */
async function plainOptions(db: Db) {
  const { rows } = await sql<JobLine>`
    with counted as (
      select orders.id, shop_id, ${DAY} as day, kind, name, pages, copies, sheets, jobs, job, amount_paise
      from orders join order_lines on order_id = orders.id where state <> 'cancelled'
    )
    select * from counted
    union all
    select id, '*', day, kind, name, pages, copies, sheets, jobs, job, amount_paise from counted
    order by 2, 3, 4, 5`.execute(db);
  const byOption = Map.groupBy(rows, ({ shop_id, day, kind, name }) =>
    JSON.stringify([shop_id, day, kind, name]),
  );
  return [...byOption.values()].map((lines) => {
    const taken = lines.map(({ pages, copies, sheets, jobs, job }) => {
      const own = jobs === null ? { pages, sheets } : JSON.parse(jobs)[job];
      return { pages: own.pages * copies, sheets: own.sheets };
    });
    const { shop_id, day, kind, name } = lines[0] as JobLine;
    return {
      ...{ shop_id, day, kind, name },
      orders: new Set(lines.map(({ id }) => id)).size,
      pages: taken.reduce((sum, { pages }) => sum + pages, 0),
      sheets: taken.reduce((sum, { sheets }) => sum + sheets, 0),
      amount_paise: lines.reduce((sum, line) => sum + line.amount_paise, 0),
    };
  });
}

interface JobLine {
  id: string;
  shop_id: string;
  day: string;
  kind: string;
  name: string;
  pages: number;
  copies: number;
  sheets: number;
  jobs: string | null;
  job: number;
  amount_paise: number;
}
