import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "#db/migrate.ts";
import * as store from "#db/migrations/2026-11-21-store.ts";
import { openDatabase } from "#db/open.ts";
import { orderText, studentWords } from "#server/orders/board/search-words.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

const AT = "2026-11-21T09:30:00.000Z";

test("orders that stood before there was a queue are found as new ones are", async () => {
  const { db, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  await migrate(db, { "2026-11-21-store": store });
  const student = { full_name: "Zoë  D'Souza", phone: "9876543210", email: "zoe.dsouza@college.example" };
  await db
    .insertInto("users")
    .values({
      id: "zoe",
      ...student,
      password_hash: "",
      role: "customer",
      verified_at: AT,
      terms_accepted_at: null,
      created_at: AT,
    })
    .execute();
  // As they were then: the types of today know later columns.
  await sql`
    insert into shops (id, name, location, college, image, rating_tenths, per_page_paise, email, contact_number, created_at)
    values ('shop', 'Campus Print', 'Gate 2', '', '', 45, 100, 'shop@campus.example', '', ${AT})`.execute(db);
  await sql`
    insert into orders (id, number, user_id, shop_id, state, shop_name, shop_location, shop_email, shop_contact_number,
      pages, copies, sheets, message, user_email, sub_total_paise, tax_paise, delivery_fee_paise, total_paise,
      request_hash, created_at)
    values ('one', 'K7M4-Q2XD', 'zoe', 'shop', 'placed', 'Campus Print', 'Gate 2', '', '', 1, 1, 1, '',
      ${student.email}, 100, 0, 0, 100, '', ${AT})`.execute(db);

  await migrate(db);

  const known = { fullName: student.full_name, phone: student.phone, email: student.email };
  const words = await db.selectFrom("student_words").select("word").where("user_id", "=", "zoe").execute();
  expect(words.map(({ word }) => word).sort()).toEqual(studentWords(known).sort());
  const order = await db.selectFrom("orders").select("search_text").executeTakeFirstOrThrow();
  expect(order.search_text).toBe(orderText({ number: "K7M4-Q2XD" }, known));
});
