import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { canMove, type OrderState, STATES_WITHOUT_FILES } from "#shared/order-states.ts";
import { examine, type Finding, type StoreRows } from "./database.ts";
import type { MailServer, SmtpBehaviour } from "./disasters.ts";
import type { AnsweredOrder, AnsweredUpload, Ledger } from "./world.ts";

/**
 * Checks that every account with a confirmed login exists, and that the live events have no gap and the statistics match the orders.
 */
export function checkDatabase({ verified, log, figures, orders }: StoreRows, ledger: Ledger): Finding[] {
  const emails = new Set(verified.map(({ email }) => email));
  return [
    examine("accounts that were let in", ledger.accounts, (email) =>
      emails.has(email) ? null : `${email} is lost`,
    ),
    examine("the queue's log: no gap", log.entries(), ([at, { seq }]) =>
      seq === at + 1 ? null : `number ${at + 1} is ${seq}`,
    ),
    examine("figures of the shops: as their orders", figures, (row) => {
      const own = orders.filter((order) => row.shop_id === "*" || row.shop_id === order.shop_id);
      const cancelled = own.filter(({ state }) => state === "cancelled").length;
      const agrees = row.orders === own.length - cancelled && row.cancelled === cancelled;
      return agrees ? null : `${row.shop_id}: ${JSON.stringify(row)}`;
    }),
  ];
}

type OrderRow = StoreRows["orders"][number];

/** An order with everything that belongs to it. */
interface WholeOrder extends OrderRow {
  lines: number;
  fileIds: string[];
  hasWords: boolean;
  arrivals: number;
  /** In the order in which they were reached. */
  states: OrderState[];
  audited: number;
  owned: number;
  deleted: number;
}

/** Checks that every confirmed order exists once and complete, and every move once in its history. */
export function checkOrders(remains: StoreRows, ledger: Ledger): Finding[] {
  const orders = wholeOrders(remains);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const byKey = Map.groupBy(orders, (order) => order.idempotency_key);
  return [
    examine("orders answered: there, with their files", ledger.orders, ([id, order]) =>
      faultOfAnswered(byId.get(id), order),
    ),
    examine("idempotency keys: one order at most", ledger.keys, (key) => {
      const times = byKey.get(key)?.length ?? 0;
      return times > 1 ? `key ${key} has ${times} orders` : null;
    }),
    examine("orders: lines, files, place in the queue, history", orders, faultOfOrder),
    examine("moves answered: each in the history", [...answeredMoves(ledger)], ([move, answered]) => {
      const [orderId = "", state] = move.split(" ");
      const times = byId.get(orderId)?.states.filter((each) => each === state).length ?? 0;
      const isRight = state === "printing" || state === "printed" ? times >= answered : times === answered;
      return isRight ? null : `${orderId} became ${state} ${times} times, and ${answered} were answered`;
    }),
  ];
}

/** How often each order was confirmed to be in a state; only a printed one can go back. */
function answeredMoves({ moves }: Ledger): Map<string, number> {
  const byMove = Map.groupBy(moves, ({ orderId, state }) => `${orderId} ${state}`);
  return new Map([...byMove].map(([move, { length }]) => [move, length]));
}

function wholeOrders(remains: StoreRows): WholeOrder[] {
  const lines = Map.groupBy(remains.lines, (row) => row.order_id);
  const listed = Map.groupBy(remains.orderFiles, (row) => row.order_id);
  const owned = Map.groupBy(remains.files, (row) => row.order_id);
  const placed = remains.log.filter(({ kind }) => kind === "placed");
  const arrivals = Map.groupBy(placed, (row) => row.order_id);
  const events = Map.groupBy(remains.events, (row) => row.order_id);
  const audit = Map.groupBy(remains.audit, (row) => row.subject_id);
  return remains.orders.map((order) => ({
    ...order,
    lines: lines.get(order.id)?.length ?? 0,
    fileIds: listed.get(order.id)?.map((row) => row.file_id) ?? [],
    hasWords: order.search_text !== "",
    arrivals: arrivals.get(order.id)?.length ?? 0,
    states: events.get(order.id)?.map((row) => row.state) ?? [],
    audited: audit.get(order.id)?.length ?? 0,
    owned: owned.get(order.id)?.length ?? 0,
    deleted: owned.get(order.id)?.filter((file) => file.deleted_at).length ?? 0,
  }));
}

function faultOfAnswered(row: WholeOrder | undefined, order: AnsweredOrder): string | null {
  if (!row) return `order ${order.number} is lost`;
  const isSame =
    row.number === order.number && row.user_email === order.email && row.idempotency_key === order.key;
  if (!isSame) return `order ${order.number} is another order`;
  return row.fileIds.join() === order.fileIds.join() ? null : `order ${order.number} has other files`;
}

function faultOfOrder(row: WholeOrder): string | null {
  const { number, fulfilment, states } = row;
  if (row.lines !== 6 || !row.hasWords || row.arrivals !== 1) return `order ${number} is stored in part`;
  if (row.owned === 0 || row.fileIds.length !== row.owned)
    return `order ${number} lists files that are not its own`;
  const isLegal = states.every((state, step) => {
    const before = states[step - 1];
    return before ? canMove({ fulfilment, state: before }, state) : state === "placed";
  });
  if (!isLegal || states.at(-1) !== row.state)
    return `order ${number} is ${row.state} after ${states.join(", ")}`;
  if (row.audited !== states.length - 1) return `order ${number} has ${row.audited} lines in the audit log`;
  const isOver = states.some((state) => STATES_WITHOUT_FILES.includes(state));
  return row.deleted === (isOver ? row.owned : 0)
    ? null
    : `order ${number}: ${row.deleted} files are deleted`;
}

type MailRow = StoreRows["mails"][number];

/** The mails of an order: to student and shop when it is placed, and to the student at these states. */
const STATE_MAILS = ["dispatched", "delivered", "cancelled"];

/** Checks that every order has its mails: received, still queued and complete, or failed for a reason. */
export function checkMails(
  { orders, events, mails }: StoreRows,
  post: MailServer,
  behaviour: SmtpBehaviour,
): Finding[] {
  const statesOf = Map.groupBy(events, (event) => event.order_id);
  const aboutOrders = mails.filter(({ kind }) => kind.startsWith("order-"));
  const received = new Set(post.mails.map(({ messageId = "" }) => messageId.slice(1).split("@")[0]));
  const count = (test: (mail: MailRow) => unknown) => mails.filter(test).length;
  const sent = count((mail) => mail.sent_at);
  const failed = count((mail) => mail.failed_at);
  return [
    examine("orders: each of their mails once", orders, ({ id, number }) => {
      const states = statesOf.get(id)?.map(({ state }) => state as string) ?? [];
      const told = STATE_MAILS.filter((state) => states.includes(state));
      const expected = ["order-shop", "order-student", ...told.map((state) => `order-${state}`)];
      const actual = aboutOrders.filter(({ subject }) => subject.includes(number)).map(({ kind }) => kind);
      return actual.toSorted().join() === expected.toSorted().join()
        ? null
        : `order ${number} has ${actual.join()}`;
    }),
    examine(
      `mails: ${sent} sent and received, ${failed} given up, ${mails.length - sent - failed} queued`,
      mails,
      (mail) => (isOutdated(mail, mails) ? null : faultOfMail(mail, received.has(mail.id), behaviour)),
    ),
  ];
}

/** Whoever signs up again after a lost answer gets a new code, and that of a mail which still waits no longer works. */
function isOutdated({ kind, recipient, created_at, failed_at }: MailRow, mails: MailRow[]): boolean {
  const isNewer = (other: MailRow) =>
    other.kind === kind && other.recipient === recipient && other.created_at > created_at;
  return failed_at !== null && kind === "account-verify" && mails.some(isNewer);
}

function faultOfMail(mail: MailRow, isReceived: boolean, behaviour: SmtpBehaviour): string | null {
  const name = `mail ${mail.id} (${mail.kind})`;
  if (mail.sent_at) return isReceived ? null : `${name} counts as sent and was not received`;
  if (mail.failed_at)
    return behaviour === "5xx" && mail.last_error ? null : `${name} was given up: ${mail.last_error}`;
  return mail.content ? null : `${name} is queued without its content`;
}

type FileRow = StoreRows["files"][number];

/** Checks that rows and stored bytes match, and that every confirmed upload has the bytes that were sent. */
export function checkFiles({ files: rows }: StoreRows, dataDir: string, ledger: Ledger): Finding[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = ({ id }: FileRow) => join(dataDir, "files/stored", id.slice(0, 2), id.slice(2, 4), id);
  const all = existsSync(dataDir) ? readdirSync(dataDir, { recursive: true, encoding: "utf8" }) : [];
  const isFile = (name: string) => statSync(join(dataDir, name)).isFile();
  const stored = all.filter((name) => name.startsWith("files/stored/") && isFile(name));
  const leftovers = all.filter((name) => isLeftover(name) && isFile(name));
  return [
    examine("uploads answered: row, bytes and SHA-256", ledger.uploads, ([id, upload]) =>
      faultOfUpload(byId.get(id), upload, pathOf),
    ),
    examine("rows of files: bytes on disk, or erased", rows, (row) => {
      const isThere = existsSync(pathOf(row));
      if (row.deleted_at) return isThere || !row.erased_at ? `${row.id} is deleted and not erased` : null;
      if (!isThere) return `${row.id} has no bytes${row.order_id ? ", and is ordered" : ""}`;
      return hashOf(pathOf(row)) === row.sha256 ? null : `${row.id} has other bytes`;
    }),
    examine("bytes on disk: a row that is not deleted", stored, (name) => {
      const row = byId.get(basename(name));
      return row && !row.deleted_at ? null : `${name} belongs to no row`;
    }),
    examine("half-written files", leftovers, (name) => `${name} was left behind`),
  ];
}

function faultOfUpload(
  row: FileRow | undefined,
  { sha256, removal }: AnsweredUpload,
  pathOf: (row: FileRow) => string,
): string | null {
  if (!row) return "an answered upload has no row";
  if (row.sha256 !== sha256) return `${row.id} has the hash of another file`;
  if (removal === "answered" && !row.deleted_at) return `${row.id} was removed and is still there`;
  if (row.deleted_at) return row.order_id || removal !== "none" ? null : `${row.id} is gone`;
  if (!existsSync(pathOf(row))) return `${row.id} has lost its bytes`;
  return hashOf(pathOf(row)) === sha256 ? null : `${row.id} has other bytes than were sent`;
}

/** Whether the file only exists while something is being written. */
function isLeftover(name: string): boolean {
  return /\.part$|^files\/(incoming|pending)\/|^packs\/|^secret\./.test(name);
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
