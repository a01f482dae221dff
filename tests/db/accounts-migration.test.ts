import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

const AT = "2026-11-21T09:30:00.000Z";
const LATER = "2026-12-21T09:30:00.000Z";

const before = Object.fromEntries(
  Object.entries(MIGRATIONS).filter(([name]) => name < "2026-11-23-c-accounts"),
);

test("sessions and codes that stood before live on, and the sessions get ids that people may see", async () => {
  const { db, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  await migrate(db, before);
  await sql`
    insert into users (id, email, full_name, password_hash, role, created_at)
    values ('zoe', 'zoe@college.example', 'Zoë', '', 'customer', ${AT})`.execute(db);
  await sql`
    insert into sessions (id, user_id, expires_at, created_at)
    values ('one', 'zoe', ${LATER}, ${AT}), ('two', 'zoe', ${LATER}, ${AT})`.execute(db);
  await sql`
    insert into one_time_codes (user_id, purpose, code_hash, tries_left, expires_at)
    values ('zoe', 'login', 'hash', 4, ${LATER})`.execute(db);

  await migrate(db);

  const sessions = await db.selectFrom("sessions").selectAll().orderBy("id").execute();
  expect(sessions).toMatchObject([
    { id: "one", user_id: "zoe", expires_at: LATER, device: "", last_seen_at: AT },
    { id: "two", user_id: "zoe", expires_at: LATER, device: "", last_seen_at: AT },
  ]);
  expect(new Set(sessions.map(({ public_id }) => public_id)).size).toBe(2);
  expect(await db.selectFrom("one_time_codes").selectAll().execute()).toEqual([
    {
      user_id: "zoe",
      purpose: "login",
      code_hash: "hash",
      tries_left: 4,
      device_tries_left: 5,
      expires_at: LATER,
      new_phone: null,
    },
  ]);
  expect(await db.selectFrom("users").select("deleted_at").execute()).toEqual([{ deleted_at: null }]);
});
