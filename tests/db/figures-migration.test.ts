import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { type Db, openDatabase } from "#db/open.ts";
import { keptAndPlainFigures } from "../setup/plain-figures.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

const AT = "2026-11-21T09:30:00.000Z";

test("orders that stood before figures were kept are in them", async () => {
  const { db, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  const before = Object.entries(MIGRATIONS).filter(([name]) => name < "2026-11-23-b-figures");
  await migrate(db, Object.fromEntries(before));
  await writeShop(db);
  const orders: [placedAt: string, state: string][] = [
    ["2026-11-20T18:29:59.999Z", "delivered"],
    ["2026-11-20T18:30:00.000Z", "placed"],
    ["2026-11-20T20:00:00.000Z", "cancelled"],
    ["2026-11-21T06:00:00.000Z", "cancelled"],
    ["2026-11-21T18:30:00.000Z", "cancelled"],
  ];
  for (const [index, [placedAt, state]] of orders.entries())
    await writeOrder(db, `o${index}`, placedAt, state);

  await migrate(db);

  const { kept, plain } = await keptAndPlainFigures(db);
  expect(kept).toEqual(plain);
  expect(kept.days.map(({ shop_id, day, orders, cancelled }) => [shop_id, day, orders, cancelled])).toEqual(
    ["*", "shop"].flatMap((shop) => [
      [shop, "2026-11-20", 1, 0],
      [shop, "2026-11-21", 1, 2],
      [shop, "2026-11-22", 0, 1],
    ]),
  );
  expect(kept.options.map(({ shop_id, day, orders }) => [shop_id, day, orders])).toEqual([
    ["*", "2026-11-20", 1],
    ["*", "2026-11-21", 1],
    ["shop", "2026-11-20", 1],
    ["shop", "2026-11-21", 1],
  ]);
});

// As rows were then: the types of today may know later columns.

async function writeShop(db: Db): Promise<void> {
  await sql`
    insert into users (id, email, full_name, password_hash, role, created_at)
    values ('asha', 'asha@college.example', 'Asha Verma', '', 'customer', ${AT})`.execute(db);
  await sql`
    insert into shops (id, name, location, college, image, rating_tenths, per_page_paise, email, contact_number, created_at)
    values ('shop', 'Campus Print', 'Gate 2', '', '', 45, 100, 'shop@campus.example', '', ${AT})`.execute(db);
}

async function writeOrder(db: Db, id: string, placedAt: string, state: string): Promise<void> {
  await sql`
    insert into orders (id, number, user_id, shop_id, state, shop_name, shop_location, shop_email, shop_contact_number,
      pages, copies, sheets, message, user_email, sub_total_paise, tax_paise, delivery_fee_paise, total_paise,
      request_hash, created_at)
    values (${id}, ${id}, 'asha', 'shop', ${state}, 'Campus Print', 'Gate 2', '', '', 3, 2, 4, '',
      'asha@college.example', 1000, 0, 0, 1000, '', ${placedAt})`.execute(db);
  await sql`
    insert into order_lines (order_id, kind, option_id, name, unit_paise, basis, quantity, amount_paise)
    values (${id}, 'paperSizes', 'a4', 'A4', 100, 'page', 6, 600)`.execute(db);
}
