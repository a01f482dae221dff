import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { MAX_SCANNED_ROWS } from "#server/lib/paging.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { insertRows } from "../load/rows.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

/** This many rows have the same time, so that the search stops between equals. */
const AT_ONCE = 40;
/** Rows of either list; one match is among the newest and one among the oldest. */
const ROWS = MAX_SCANNED_ROWS + AT_ONCE + LIST_ROWS;

const store = testStore();
let admin: ApiClient;
beforeAll(async () => {
  ({ visitor: admin } = await signedInAdmin(store));
  const places = Array.from({ length: ROWS }, (_, index) => ({
    id: randomUUID(),
    created_at: new Date(Date.UTC(2030, 0, 1, 0, 0, Math.floor(index / AT_ONCE))).toISOString(),
    name: index === 0 || index === ROWS - 1 ? "needle" : "hay",
  }));
  await transact(store.deps.db, async (trx) => {
    await insertRows(trx, "audit_log", places.map(toLine));
    await insertRows(trx, "outbox", places.map(toMail));
  });
});

interface Placed {
  id: string;
  created_at: string;
  name: string;
}

function toLine({ id, created_at, name }: Placed) {
  const by = { by_user_id: "u1", by_name: "Asha", by_email: "asha@store.example" };
  const what = { action: "mail.resend" as const, subject_id: "s1", subject_name: name, shop_id: null };
  return { id, created_at, ...by, ...what, before: null, after: null, search_text: name };
}

function toMail({ id, created_at, name }: Placed) {
  return {
    id,
    kind: "test",
    recipient: `${name}@store.example`,
    reply_to: null,
    subject: name,
    content: null,
    secret: 0 as const,
    priority: 0,
    attempts: 1,
    due_at: created_at,
    created_at,
    sent_at: created_at,
    failed_at: null,
    last_error: null,
  };
}

/** The number of rows on each page of a search, to its end. */
async function pagesOf(procedure: string, search: string): Promise<number[]> {
  const pages: number[] = [];
  let cursor: object | null = null;
  do {
    const page: { rows: unknown[]; next: object | null } = expectDone(
      await admin.query(procedure, { search, cursor }),
    );
    pages.push(page.rows.length);
    cursor = page.next;
  } while (cursor);
  return pages;
}

describe.each(["audit.list", "mail.list"])("a search of a long list, %s", (procedure) => {
  test("continues in portions, so that nothing is missed", async () => {
    expect(await pagesOf(procedure, "needle")).toEqual([1, 1]);
    expect(await pagesOf(procedure, "zebra")).toEqual([0, 0]);
  });

  test("finds each row once if there are many matches", async () => {
    const pages = await pagesOf(procedure, "hay");
    expect(pages.reduce((sum, rows) => sum + rows)).toBe(ROWS - 2);
    expect(pages.slice(0, 3)).toEqual([LIST_ROWS, LIST_ROWS, LIST_ROWS]);
  });
});
