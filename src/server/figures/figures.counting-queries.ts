import { PreparedInsert } from "#db/prepared-insert.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import type { DailyFiguresTable, DailyOptionFiguresTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Paise } from "#shared/money.ts";
import type { OptionKind } from "#shared/options.ts";

/** In place of a shop's id: all shops together. No shop can have it for its own. */
export const ALL_SHOPS = "*";

/** An order as the figures see it. */
export interface CountedOrder {
  shopId: string;
  /** ISO 8601 in UTC. */
  placedAt: string;
  isCancelled: boolean;
  pages: number;
  copies: number;
  sheets: number;
  totalPaise: Paise;
  lines: { kind: OptionKind; name: string; amountPaise: Paise }[];
}

export async function findCountedOrder(trx: Trx, id: string): Promise<CountedOrder> {
  const order = await trx
    .selectFrom("orders")
    .select(["shop_id as shopId", "created_at as placedAt", "state", "pages", "copies", "sheets"])
    .select("total_paise as totalPaise")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const lines = await trx
    .selectFrom("order_lines")
    .select(["kind", "name", "amount_paise as amountPaise"])
    .where("order_id", "=", id)
    .execute();
  return { ...order, isCancelled: order.state === "cancelled", lines };
}

const dayAdditions = new PreparedInsert((db, rows: Placeholders<DailyFiguresTable>[]) =>
  db
    .insertInto("daily_figures")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["shop_id", "day"]).doUpdateSet((eb) => ({
        orders: eb("daily_figures.orders", "+", eb.ref("excluded.orders")),
        pages: eb("daily_figures.pages", "+", eb.ref("excluded.pages")),
        sheets: eb("daily_figures.sheets", "+", eb.ref("excluded.sheets")),
        revenue_paise: eb("daily_figures.revenue_paise", "+", eb.ref("excluded.revenue_paise")),
        cancelled: eb("daily_figures.cancelled", "+", eb.ref("excluded.cancelled")),
      })),
    ),
);

const optionAdditions = new PreparedInsert((db, rows: Placeholders<DailyOptionFiguresTable>[]) =>
  db
    .insertInto("daily_option_figures")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["shop_id", "day", "kind", "name"]).doUpdateSet((eb) => ({
        orders: eb("daily_option_figures.orders", "+", eb.ref("excluded.orders")),
        pages: eb("daily_option_figures.pages", "+", eb.ref("excluded.pages")),
        sheets: eb("daily_option_figures.sheets", "+", eb.ref("excluded.sheets")),
        amount_paise: eb("daily_option_figures.amount_paise", "+", eb.ref("excluded.amount_paise")),
      })),
    ),
);

export async function addToDays(trx: Trx, rows: DailyFiguresTable[]): Promise<void> {
  await dayAdditions.rows(trx, rows);
}

export async function addToOptions(trx: Trx, rows: DailyOptionFiguresTable[]): Promise<void> {
  await optionAdditions.rows(trx, rows);
}
