import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { deleteOldAccountDeletedMails } from "#server/mail/mail.service.ts";
import { recordQueries } from "../setup/recorded-queries.ts";
import { startTestStore } from "../setup/test-store.ts";

test("of all mails ever sent the sweep of farewells reads the farewells", async () => {
  const recorded = recordQueries();
  const { deps } = await startTestStore();
  await deleteOldAccountDeletedMails(deps);
  const [sweep] = [...recorded.queries.values()].filter(({ sql }) => sql.startsWith('delete from "outbox"'));
  const explain = CompiledQuery.raw(`explain query plan ${sweep?.sql}`, [...(sweep?.parameters ?? [])]);
  const { rows } = await deps.db.executeQuery<{ detail: string }>(explain);
  expect(rows.map(({ detail }) => detail).join()).toContain("outbox_farewells");
});
