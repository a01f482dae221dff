import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { deleteOldLastMails } from "#server/mail/mail.service.ts";
import { recordQueries } from "../setup/recorded-queries.ts";
import { startTestStore } from "../setup/test-store.ts";

test("deleting old last mails does not scan the outbox", async () => {
  const recorded = recordQueries();
  const { deps } = await startTestStore();
  await deleteOldLastMails(deps);
  const [deletion] = [...recorded.queries.values()].filter(({ sql }) =>
    sql.startsWith('delete from "outbox"'),
  );
  const explain = CompiledQuery.raw(`explain query plan ${deletion?.sql}`, [...(deletion?.parameters ?? [])]);
  const { rows } = await deps.db.executeQuery<{ detail: string }>(explain);
  expect(rows.map(({ detail }) => detail).join()).toContain("outbox_last_mails");
});
