import type { Trx } from "#db/transaction.ts";
import type { ShopScope } from "../context.ts";
import { ofShops } from "./queue.scope-queries.ts";

interface Attempt {
  id: string;
  shops: ShopScope;
  code: string;
}

/** An order that a wrong code was entered for. */
export interface WrongCode {
  number: string;
  shopId: string;
  triesLeft: number;
}

/** Takes one try from an order that waits for its pickup, when the code is not its own and a try is left. */
export async function takeTry(trx: Trx, { id, shops, code }: Attempt): Promise<WrongCode | undefined> {
  return trx
    .updateTable("orders")
    .set((orders) => ({ pickup_tries_left: orders("pickup_tries_left", "-", 1) }))
    .where("id", "=", id)
    .where(ofShops(shops))
    .where("fulfilment", "=", "pickup")
    .where("state", "=", "printed")
    .where("pickup_code", "<>", code)
    .where("pickup_tries_left", ">", 0)
    .returning(["number", "shop_id as shopId", "pickup_tries_left as triesLeft"])
    .executeTakeFirst();
}

/** Whether an order waits for its pickup and takes no code any more. */
export async function isOutOfTries(trx: Trx, { id, shops }: Omit<Attempt, "code">): Promise<boolean> {
  const order = await trx
    .selectFrom("orders")
    .select("id")
    .where("id", "=", id)
    .where(ofShops(shops))
    .where("fulfilment", "=", "pickup")
    .where("state", "=", "printed")
    .where("pickup_tries_left", "=", 0)
    .executeTakeFirst();
  return order !== undefined;
}
