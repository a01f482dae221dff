import pg from "pg";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { timedId } from "#server/timed-id.ts";
import { addFiles, bodyMaker } from "./order-load.ts";
import { signStudentIn } from "./world.ts";

export interface Statement {
  sql: string;
  values: unknown[];
  /** Its last value is the number that a statement before it gave. */
  takesSeq: boolean;
}

/** What the product sent to PostgreSQL for one order. */
export interface RecordedOrder {
  /** Each by itself. */
  before: Statement[];
  /** From begin to commit, on one connection. */
  transaction: Statement[];
  /** Ids and the like that are another order's for another order. */
  own: { fileId: string; orderId: string; number: string; others: string[] };
}

/** Has the product place an order in this database, in this process, and writes its statements down. */
export async function recordOrder(databaseUrl: string, folder: string): Promise<RecordedOrder> {
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    LOG_LEVEL: "error",
    RATE_LIMIT_SCALE: "1000000",
  });
  const server = await startServer(config);
  const { student, studentId } = await signStudentIn(server.url, databaseUrl);
  const makeBody = await bodyMaker({ student, server });
  const [fileId = ""] = await addFiles({ studentId }, databaseUrl, 1);
  const sent = await recordWhile(() =>
    student.post("/api/v1/prints/printorder", JSON.parse(makeBody(fileId))),
  );
  await server.stop();
  return toRecordedOrder(sent, fileId);
}

interface Sent extends Statement {
  connection: pg.Client;
}

async function recordWhile(act: () => Promise<{ status: number; body: unknown }>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text: sql, values = [] } = queryOf(args);
    const takesSeq = sql.startsWith('insert into "queue_log"');
    sent.push({ sql, values, takesSeq, connection: this });
    return Reflect.apply(query, this, args);
  } as typeof query;
  const { status, body } = await act();
  pg.Client.prototype.query = query;
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
  return sent;
}

/** Both ways in which pg takes a query. */
function queryOf([query, values]: unknown[]): { text: string; values?: unknown[] } {
  return typeof query === "string"
    ? { text: query, ...(Array.isArray(values) && { values }) }
    : (query as { text: string; values?: unknown[] });
}

function toRecordedOrder(sent: Sent[], fileId: string): RecordedOrder {
  const inserted = (table: string) => sent.filter(({ sql }) => sql.startsWith(`insert into "${table}"`));
  const [order] = inserted("orders");
  if (!order) throw new Error("No order was written");
  const connected = sent.filter(({ connection }) => connection === order.connection);
  const middle = connected.indexOf(order);
  const begin = connected.findLastIndex(({ sql }, index) => index < middle && /^(begin|start)/.test(sql));
  const commit = connected.findIndex(({ sql }, index) => index > middle && sql.startsWith("commit"));
  const [orderId, number] = order.values as [string, string];
  const others = [...inserted("order_events"), ...inserted("outbox")].flatMap(idsOf);
  return {
    before: sent.filter(({ sql }) => /^(select .* from "sessions"|insert into "rate_limits")/.test(sql)),
    transaction: connected.slice(begin, commit + 1),
    own: { fileId, orderId, number, others },
  };
}

/** The first value of each row that an insert writes. */
function idsOf({ sql, values }: Statement): string[] {
  const rows = sql.split("), (").length;
  const columns = values.length / rows;
  return values.filter((_value, index) => index % columns === 0).map(String);
}

/** The statements of another order like it, for this file. */
export function repeated({ before, transaction, own }: RecordedOrder, fileId: string) {
  const orderId = timedId();
  const renewed = new Map<unknown, string>([
    [own.fileId, fileId],
    [own.orderId, orderId],
    [own.number, orderId.slice(-9)],
    ...own.others.map((id) => [id, timedId()] as const),
  ]);
  const renew = (statement: Statement): Statement => ({
    ...statement,
    values: statement.values.map((value) => renewed.get(value) ?? value),
  });
  return { before: before.map(renew), transaction: transaction.map(renew), orderId };
}
