import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

test("lines of the audit log from before keep no e-mail of a person, and still nobody changes them", async () => {
  const { db, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  const before = Object.entries(MIGRATIONS).filter(([name]) => name !== "2026-11-30-s-audit-emails");
  await migrate(db, Object.fromEntries(before));
  const line = {
    created_at: "2026-11-21T09:30:00.000Z",
    by_user_id: "u1",
    by_name: "Asha",
    by_email: "asha@store.example",
    shop_id: null,
    before: null,
  };
  const shop = JSON.stringify({ email: "shop@campus.example" });
  await db
    .insertInto("audit_log")
    .values([
      {
        ...line,
        id: "1",
        action: "staff.accept",
        subject_id: "u2",
        subject_name: "kit@mail.example",
        after: JSON.stringify({ email: "kit@mail.example", role: "counter" }),
        search_text: "asha asha@store.example kit@mail.example",
      },
      {
        ...line,
        id: "2",
        action: "shop.change",
        subject_id: "s1",
        subject_name: "Copies",
        after: shop,
        search_text: `asha asha@store.example ${shop}`,
      },
    ])
    .execute();

  await migrate(db);

  const lines = await db.selectFrom("audit_log").selectAll().orderBy("id").execute();
  expect(lines).toMatchObject([
    {
      by_email: "as•••@store.example",
      subject_name: "ki•••@mail.example",
      after: '{"email":"ki•••@mail.example","role":"counter"}',
      search_text: "asha as•••@store.example ki•••@mail.example",
    },
    { by_email: "as•••@store.example", after: shop, subject_name: "Copies" },
  ]);
  await expect(db.updateTable("audit_log").set({ by_name: "Nobody" }).execute()).rejects.toThrow(
    "the audit log only grows",
  );
});
