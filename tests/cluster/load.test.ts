import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { checkDatabase, checkMails, checkOrders } from "../chaos/checks.ts";
import { type Finding, isSettled, readStoreRows, type StoreRows } from "../chaos/database.ts";
import { MailServer } from "../chaos/disasters.ts";
import { ADMIN, actAsStaff, actAsStudent, logIn, PASSWORD } from "../chaos/people.ts";
import { Ledger, World } from "../chaos/world.ts";
import { createDice } from "../load/dice.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { ReconnectingBoard } from "../setup/reconnecting-board.ts";
import { RoundRobinProxy } from "../setup/round-robin-proxy.ts";
import type { SpawnedServer } from "../setup/spawned-server.ts";
import { TestCluster } from "../setup/test-cluster.ts";

const ORDERS_BEFORE = 4;
const ORDERS_AFTER = 5;
/** A limit ends what hangs: beside much else, a machine takes minutes for it. */
const TIMEOUT = { timeout: 600_000 };

let post: MailServer;
let proxy: RoundRobinProxy;
let cluster: TestCluster;
const servers: SpawnedServer[] = [];
beforeAll(async () => {
  post = await MailServer.open();
  proxy = await RoundRobinProxy.start();
  cluster = await TestCluster.open({
    NODE_ENV: "production",
    SEED_DEMO: "true",
    PUBLIC_URL: proxy.url,
    SMTP_URL: post.url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  await Promise.all([startServer(), startServer(), startServer()]);
});
afterAll(async () => {
  await proxy.close();
  await cluster.stop();
  await post.close();
});

async function startServer(): Promise<void> {
  const server = await cluster.spawn();
  servers.push(server);
  await proxy.add(server.url);
}

test(
  "when one of three servers under load is killed and replaced, nothing is lost or done twice",
  TIMEOUT,
  async () => {
    const ledger = new Ledger();
    const world = new World({ ledger, post, baseUrl: proxy.url, mayBeFull: false });
    const staff = world.visitor();
    await logIn(world, staff, ADMIN);
    // Each at another server.
    const boards = [
      await ReconnectingBoard.open(staff),
      await ReconnectingBoard.open(staff),
      await ReconnectingBoard.open(staff),
    ];
    const people = Promise.all([
      ...[1, 2, 3].map((n) => actAsStudent(world, createDice(n), `student${n}`)),
      actAsStaff(world, createDice(5)),
    ]);
    const orders = () => ledger.orders.size;
    await expect.poll(orders, TIMEOUT).toBeGreaterThanOrEqual(ORDERS_BEFORE);
    servers[0]?.child.kill("SIGKILL");
    await startServer();
    const seen = orders();
    await expect.poll(orders, TIMEOUT).toBeGreaterThanOrEqual(seen + ORDERS_AFTER);
    world.isOver = true;
    await people;

    const { db, close } = await openDatabase(cluster.settings.DATABASE_URL ?? "");
    await expect.poll(() => isSettled(db), TIMEOUT).toBe(true);
    const remains = await readStoreRows(db);
    const unrecorded = await db.selectFrom("pending_files").select("storage_key").execute();
    await close();
    const findings = [
      ...checkOrders(remains, ledger),
      ...checkMails(remains, post, "accept"),
      ...checkDatabase(remains, ledger),
    ];
    expect(wrongs(findings)).toEqual([]);
    expect(ledger.surprises).toEqual([]);
    const ids = post.mails.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(new Set(ids).size);
    const survivor = servers[1] as SpawnedServer;
    await expectBytes(remains, ledger, async (email) => {
      const owner = world.visitor().at(survivor);
      expect(await logIn(world, owner, { email, password: PASSWORD })).toBe(true);
      return owner;
    });
    expectNoOrphans(
      remains,
      unrecorded.map((note) => note.storage_key),
    );
    for (const board of boards) await expectOnBoard(board, remains);
    expect(boards.some(({ connections }) => connections > 1)).toBe(true);
    expect(servers.flatMap(({ lines }) => lines)).toEqual([]);
  },
);

const wrongs = (findings: Finding[]) =>
  findings.flatMap(({ check, wrong }) => wrong.map((each) => `${check}: ${each}`));

/** Every file of an order that is not printed yet comes whole from a server to its owner. */
async function expectBytes(
  { files }: StoreRows,
  { uploads, orders }: Ledger,
  ownerOf: (email: string) => Promise<ApiClient>,
): Promise<void> {
  const owners = new Map<string, ApiClient>();
  for (const { id, sha256, order_id, deleted_at } of files) {
    const isAsSent = (uploads.get(id)?.sha256 ?? sha256) === sha256;
    expect(isAsSent, `${id} is recorded with the hash of what was sent`).toBe(true);
    if (!order_id || deleted_at) continue;
    const { email } = orders.get(order_id) ?? { email: "" };
    const owner = owners.get(email) ?? (await ownerOf(email));
    owners.set(email, owner);
    const response = await owner.fetch(`/files/${id}`);
    const hash = createHash("sha256")
      .update(new Uint8Array(await response.arrayBuffer()))
      .digest("hex");
    expect(hash, `the bytes of ${id}`).toBe(sha256);
  }
}

/** Each file that is kept has its row, or the note by which it is found once the server that wrote it is given up. */
function expectNoOrphans({ files }: StoreRows, unrecorded: string[]): void {
  const kept = files.filter(({ deleted_at }) => !deleted_at).map((file) => file.id);
  const unerased = files.filter(({ erased_at }) => !erased_at).map((file) => file.id);
  const known = new Set([...unerased, ...unrecorded]);
  expect(cluster.emulator.keys.filter((key) => !known.has(key))).toEqual([]);
  expect(cluster.emulator.keys).toEqual(expect.arrayContaining(kept));
}

async function expectOnBoard(board: ReconnectingBoard, { orders, log }: StoreRows): Promise<void> {
  const told = () => board.events.filter(({ kind }) => kind !== "sync").map(({ id }) => Number(id));
  await expect.poll(() => told().at(-1)).toBe(log.at(-1)?.seq);
  expect(told()).toEqual(log.map(({ seq }) => seq));
  const arrivals = board.events.filter(({ kind }) => kind === "placed");
  expect(arrivals).toHaveLength(orders.length);
  board.close();
}
