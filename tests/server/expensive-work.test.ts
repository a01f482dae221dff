import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPageChecks } from "#server/files/files.jobs.ts";
import { createPdfInspector } from "#server/files/pdf/inspector.ts";
import { deepPages } from "../factories/pdfs.hostile.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { STAND_IN } from "../factories/stand-in-converter.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { tempFolder } from "../setup/temporary.ts";
import { tempStore, testStore } from "../setup/test-store.ts";
import { packPath } from "./packs.fixtures.ts";

/** Takes seconds to open, on a slow machine longer than the limit for a file. */
const EXPENSIVE = new Uint8Array(deepPages(900, 5000));
const CHEAP = new Uint8Array(plainPdf(3));
const AT_ONCE = 20;
const ACCOUNTS = 10;

describe("while one account's files take long", () => {
  const store = testStore();

  /** Sends an expensive file and records the answer. */
  async function send(visitor: ApiClient, outcomes: number[], signal: AbortSignal): Promise<void> {
    const body = new FormData();
    body.set("file", new Blob([EXPENSIVE]), "deep.pdf");
    const { status } = await visitor.fetch("/api/v1/uploads", { method: "POST", body, signal });
    outcomes.push(status);
  }

  /** Sends several expensive files and waits until all have arrived. */
  async function sendMany(visitor: ApiClient, signal: AbortSignal) {
    const outcomes: number[] = [];
    const sending = Promise.allSettled(
      Array.from({ length: AT_ONCE }, () => send(visitor, outcomes, signal)),
    );
    await expect.poll(staged).toBe(AT_ONCE);
    return { outcomes, sending };
  }

  /** The number of uploads in the staging folder. */
  async function staged(): Promise<number> {
    return (await readdir(join(store.dataDir, "files", "incoming"))).length;
  }

  test("another account's file is counted before most of them, and abandoned ones are dropped", async () => {
    const [attacker, other] = [await signedInStudent(store), await signedInStudent(store)];
    const leaving = new AbortController();
    const { outcomes, sending } = await sendMany(attacker.visitor, leaving.signal);
    expect(await other.visitor.upload(CHEAP)).toMatchObject({ status: 200, body: { pages: 3 } });
    expect(outcomes.length).toBeLessThan(AT_ONCE / 4);

    leaving.abort();
    await sending;
    expect(await attacker.visitor.upload(CHEAP)).toMatchObject({ status: 200, body: { pages: 3 } });
    await expect.poll(staged).toBe(0);
  });

  test("another account's file is counted before those of ten new accounts", async () => {
    const attackers = await Promise.all(Array.from({ length: ACCOUNTS }, () => signedInStudent(store)));
    const other = await signedInStudent(store);
    const leaving = new AbortController();
    const outcomes: number[] = [];
    const sending = attackers.map(({ visitor }) => send(visitor, outcomes, leaving.signal));
    await expect.poll(staged).toBe(ACCOUNTS);
    expect(await other.visitor.upload(CHEAP)).toMatchObject({ status: 200, body: { pages: 3 } });
    expect(outcomes).toEqual([]);
    leaving.abort();
    await Promise.allSettled(sending);
    await expect.poll(staged).toBe(0);
  });

  test("a receipt is not drawn once its reader has left", async () => {
    const [shopId] = await shopIds(store);
    const { id, visitor } = await placeOrder(store, shopId);
    const { draw } = store.deps.sheets;
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    store.deps.sheets.draw = (content, client) => {
      begun.resolve(client.signal);
      return draw(content, client);
    };
    const leaving = new AbortController();
    const answer = visitor.fetch(`/orders/${id}/receipt.pdf`, { signal: leaving.signal });
    const gone = expect(answer).rejects.toThrow("abort");
    const signal = await begun.promise;
    leaving.abort();
    await gone;
    await expect.poll(() => signal?.aborted).toBe(true);
    store.deps.sheets.draw = draw;
  });
});

test("a student whose files took too long is refused with a clear message, others are not", async () => {
  const store = await tempStore({ RATE_LIMIT_SCALE: "0.03" });
  const { visitor } = await signedInStudent(store);
  expect([200, 422]).toContain((await visitor.upload(EXPENSIVE)).status);
  const refused: ApiAnswer = await visitor.upload(CHEAP);
  expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(refused.body.message).toMatch(
    /^Your files took too much processing time in the last hour\. Please try again in \d+ minutes?$/,
  );
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const other = await signedInStudent(store);
  expect(await other.visitor.upload(CHEAP)).toMatchObject({ status: 200 });
});

test("the pages of an account's files stay unknown once checking them took too long, and others' are checked", async () => {
  const store = await tempStore();
  const { deps } = store;
  const checks = () =>
    deps.readDb
      .selectFrom("files")
      .select(["id", "colour_checked_pages as pages"])
      .orderBy("created_at")
      .execute();
  const upload = async ({ visitor }: Awaited<ReturnType<typeof signedInStudent>>) => {
    store.clock.advance({ ms: 1 });
    return (await visitor.upload(CHEAP)).body.public_id;
  };
  const [heavy, other] = [await signedInStudent(store), await signedInStudent(store)];
  const ids = [await upload(other), await upload(heavy), await upload(heavy)];
  await expect.poll(async () => (await checks()).every(({ pages }) => pages === 3)).toBe(true);
  await deps.db.updateTable("files").set({ colour_checked_pages: null }).execute();

  const pdf = createPdfInspector(0.000001);
  onTestFinished(() => pdf.close());
  await startPageChecks({ ...deps, pdf }).stop();
  expect(await checks()).toEqual([3, 0, 3].map((pages, at) => ({ id: ids[at], pages })));
});

test("an account whose tickets, print copies or conversions took too long is refused more of them", async () => {
  const store = await tempStore({ RATE_LIMIT_SCALE: "0.000001", SOFFICE: STAND_IN });
  const order = await placeOrder(store, (await shopIds(store))[0]);
  const { visitor } = await signedInAdmin(store);
  const tooLong = (things: string) => new RegExp(`^Your ${things} took too much processing time`);
  expect((await visitor.get(packPath(order))).status).toBe(200);
  expect((await visitor.get(packPath(order))).body).toMatch(tooLong("documents"));
  expect((await visitor.get(`/files/${order.fileId}`)).body).toMatch(tooLong("print copies"));

  const convert = async () => {
    const folder = await tempFolder();
    const path = join(folder, "in.txt");
    await writeFile(path, `fine\n${plainPdf(1).toString("base64")}`);
    await mkdir(join(folder, "work"));
    const file = { path, extension: "txt", folder: join(folder, "work") };
    return store.deps.office?.convert(file, { account: "one" });
  };
  expect(await convert()).toMatchObject({ ok: true });
  await expect(convert()).rejects.toThrow(tooLong("documents"));
});
