import { canMove, DELETES_FILES, type OrderState } from "#shared/order-states.ts";
import { examine, type Finding } from "./findings.ts";
import type { AnsweredOrder, Ledger } from "./ledger.ts";
import type { Remains } from "./remains.ts";

type OrderRow = Remains["orders"][number];

/** An order with everything that belongs to it. */
interface WholeOrder extends OrderRow {
  lines: number;
  fileIds: string[];
  hasWords: boolean;
  arrivals: number;
  /** In the order in which it came to them. */
  states: OrderState[];
  audited: number;
  owned: number;
  deleted: number;
}

/** Whether every order that was answered is there once and whole, and every move in its history once. */
export function checkOrders(remains: Remains, ledger: Ledger): Finding[] {
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

/** How often an order was answered to be in a state; only from printed it goes back. */
function answeredMoves({ moves }: Ledger): Map<string, number> {
  const byMove = Map.groupBy(moves, ({ orderId, state }) => `${orderId} ${state}`);
  return new Map([...byMove].map(([move, { length }]) => [move, length]));
}

function wholeOrders(remains: Remains): WholeOrder[] {
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
  const isOver = states.some((state) => DELETES_FILES.includes(state));
  return row.deleted === (isOver ? row.owned : 0)
    ? null
    : `order ${number}: ${row.deleted} files are deleted`;
}
