import { examine, type Finding } from "./findings.ts";
import type { Ledger } from "./ledger.ts";
import type { Remains } from "./remains.ts";

/** Whether the database knows everyone whose login was answered, and its log and figures agree with its orders. */
export function checkDatabase({ verified, log, figures, orders }: Remains, ledger: Ledger): Finding[] {
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
