import type Sqlite from "better-sqlite3";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { canMove, DELETES_FILES, type OrderState } from "#shared/order-states.ts";
import { examine, type Finding } from "./findings.ts";
import type { AnsweredOrder, Ledger } from "./ledger.ts";

interface OrderRow {
  id: string;
  number: string;
  user_email: string;
  idempotency_key: string;
  state: OrderState;
  fulfilment: Fulfilment;
  lines: number;
  listed: number;
  words: number;
  arrivals: number;
  /** Its states in the order in which it came to them. */
  states: string;
  audited: number;
  deleted: number;
  owned: number;
}

const ORDERS = `
  select o.*,
    (select count(*) from order_lines l where l.order_id = o.id) as lines,
    (select count(*) from order_files f where f.order_id = o.id) as listed,
    (select count(*) from files f where f.order_id = o.id) as owned,
    (select count(*) from files f where f.order_id = o.id and f.deleted_at is not null) as deleted,
    (select count(*) from order_words w where w.order_id = o.id) as words,
    (select count(*) from queue_log q where q.order_id = o.id and q.kind = 'placed') as arrivals,
    (select group_concat(state, ' ' order by e.rowid) from order_events e where e.order_id = o.id) as states,
    (select count(*) from audit_log a where a.subject_id = o.id) as audited
  from orders o`;

/** Whether every order that was answered is there once and whole, and every move in its history once. */
export function checkOrders(database: Sqlite.Database, ledger: Ledger): Finding[] {
  const rows = database.prepare(ORDERS).all() as OrderRow[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = Map.groupBy(rows, (row) => row.idempotency_key);
  const filesOf = database
    .prepare("select file_id from order_files where order_id = ? order by position")
    .pluck();
  return [
    examine("orders answered: there, with their files", ledger.orders, ([id, order]) =>
      faultOfAnswered(byId.get(id), order, filesOf.all(id) as string[]),
    ),
    examine("idempotency keys: one order at most", ledger.keys, (key) => {
      const orders = byKey.get(key) ?? [];
      return orders.length > 1 ? `key ${key} has ${orders.length} orders` : null;
    }),
    examine("orders: lines, files, place in the queue, history", rows, faultOfOrder),
    examine("moves answered: once in the history", ledger.moves, ({ orderId, state }) => {
      const times = statesOf(byId.get(orderId)).filter((each) => each === state).length;
      return times === 1 ? null : `${orderId} became ${state} ${times} times`;
    }),
  ];
}

function faultOfAnswered(row: OrderRow | undefined, order: AnsweredOrder, files: string[]): string | null {
  if (!row) return `order ${order.number} is lost`;
  const isSame =
    row.number === order.number && row.user_email === order.email && row.idempotency_key === order.key;
  if (!isSame) return `order ${order.number} is another order`;
  return files.join() === order.fileIds.join() ? null : `order ${order.number} has other files`;
}

function faultOfOrder(row: OrderRow): string | null {
  const { number, fulfilment } = row;
  if (row.lines !== 6 || row.words === 0 || row.arrivals !== 1) return `order ${number} is stored in part`;
  if (row.listed === 0 || row.listed !== row.owned) return `order ${number} lists files that are not its own`;
  const states = statesOf(row);
  const isLegal = states.every((state, step) => {
    const before = states[step - 1];
    return before ? canMove({ fulfilment, state: before }, state) : state === "placed";
  });
  if (!isLegal || states.at(-1) !== row.state)
    return `order ${number} is ${row.state} after ${states.join(", ")}`;
  if (row.audited !== states.length - 1) return `order ${number} has ${row.audited} lines in the audit log`;
  const isOver = states.some((state) => DELETES_FILES.includes(state));
  return row.deleted === (isOver ? row.owned : 0)
    ? null
    : `order ${number}: ${row.deleted} files are deleted`;
}

function statesOf(row: OrderRow | undefined): OrderState[] {
  return (row?.states.split(" ") ?? []) as OrderState[];
}
