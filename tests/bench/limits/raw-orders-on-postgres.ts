import pg from "pg";
import { recordOrder, repeated } from "../order-load.ts";
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
