import pg from "pg";
import { readConfig } from "#server/config.ts";
import { uuidv7 } from "#server/lib/crypto.ts";
import { startServer } from "#server/server.ts";
import { addFiles, bodyMaker } from "../paths/orders.ts";
import { signStudentIn } from "../world.ts";
import { listenForOrders } from "./listening.ts";

// The limit of placing orders on PostgreSQL: bare node:http over bare pg. The product's statements for one order are
// recorded and sent again for each request, in one transaction with new ids and over as many connections as the product
// uses. Results are not checked.

/** The product's default pool size. */
const CONNECTIONS = 10;

const [databaseUrl = "", folder = ""] = process.argv.slice(2);
const recorded = await recordOrder(databaseUrl, folder);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

listenForOrders(placeOrder);

async function placeOrder(fileId: string): Promise<string> {
  const { before, transaction, orderId } = repeated(recorded, fileId);
  for (const { sql, values } of before) await pool.query(sql, values);
  const client = await pool.connect();
  try {
    let seq = 0;
    for (const { sql, values, takesSeq } of transaction) {
      const { rows } = await client.query(sql, takesSeq ? [...values.slice(0, -1), seq] : values);
      seq = rows[0]?.seq ?? seq;
    }
  } finally {
    client.release();
  }
  return orderId;
}

interface Statement {
  sql: string;
  values: unknown[];
  /** Its last value is the number that an earlier statement returned. */
  takesSeq: boolean;
}

/** The statements that the product sent to PostgreSQL for one order. */
interface RecordedOrder {
  /** Each outside a transaction. */
  before: Statement[];
  /** From begin to commit, on one connection. */
  transaction: Statement[];
  /** Values, such as ids, that must differ for another order. */
  own: { fileId: string; orderId: string; number: string; others: string[] };
}

/** Places an order in this database, in this process, and records its statements. */
async function recordOrder(databaseUrl: string, folder: string): Promise<RecordedOrder> {
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
    const takesSeq = sql.startsWith('insert into "live_events"');
    sent.push({ sql, values, takesSeq, connection: this });
    return Reflect.apply(query, this, args);
  } as typeof query;
  const { status, body } = await act();
  pg.Client.prototype.query = query;
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
  return sent;
}

/** The two ways to pass a query to pg. */
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

/** The id of each inserted row. */
function idsOf({ sql, values }: Statement): string[] {
  const columns = /\(([^)]+)\)/.exec(sql)?.[1]?.split(", ") ?? [];
  return values.filter((_value, index) => index % columns.length === columns.indexOf('"id"')).map(String);
}

/** The statements of a similar order for this file. */
function repeated({ before, transaction, own }: RecordedOrder, fileId: string) {
  const orderId = uuidv7();
  const renewed = new Map<unknown, string>([
    [own.fileId, fileId],
    [own.orderId, orderId],
    [own.number, orderId.slice(-9)],
    ...own.others.map((id) => [id, uuidv7()] as const),
  ]);
  const renew = (statement: Statement): Statement => ({
    ...statement,
    values: statement.values.map((value) => renewed.get(value) ?? value),
  });
  return { before: before.map(renew), transaction: transaction.map(renew), orderId };
}
