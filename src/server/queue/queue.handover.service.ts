import { holdRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { HandOverInput } from "#shared/schemas/queue.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { storeNote } from "./queue.detail.service.ts";
import { isOutOfTries, takeTry } from "./queue.handover-queries.ts";
import { type Moved, storeMove, tellOfMove } from "./queue.moves.service.ts";

/**
 * Hands an order over at the shop: to whoever says its code, or with a note why without one. Throws INVALID_INPUT for a
 * wrong code, FORBIDDEN once no more codes are taken, and what a move throws.
 */
export async function handOver(ctx: Context<StaffMember>, input: HandOverInput): Promise<Moved> {
  const refused = await transact(ctx.db, (trx) => storeHandOver(trx, ctx, input));
  // Thrown only now: within the transaction it would give the try back.
  if (refused) throw refused;
  tellOfMove(ctx, "delivered");
  return { orderId: input.orderId, state: "delivered" };
}

async function storeHandOver(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, proof }: HandOverInput,
): Promise<AppError | null> {
  await holdRow(trx, "orders", orderId);
  if (proof.by === "code") {
    const refused = await checkCode(trx, ctx, orderId, proof.code);
    if (refused) return refused;
  }
  const order = await storeMove(trx, ctx, {
    orderId,
    from: "printed",
    to: "delivered",
    handOver: proof.by === "code" ? { code: proof.code } : { withoutCode: proof.note },
  });
  if (proof.by === "note") await storeNote(trx, ctx, order, `Handed over without the code: ${proof.note}`);
  return null;
}

/** Why this code does not do; the try that it cost is stored. */
async function checkCode(
  trx: Trx,
  ctx: Context<StaffMember>,
  orderId: string,
  code: string,
): Promise<AppError | null> {
  const { shops } = ctx.actor;
  if (await isOutOfTries(trx, { id: orderId, shops })) {
    return new AppError("FORBIDDEN", "Too many wrong codes. Hand it over without the code, with a note why");
  }
  const wrong = await takeTry(trx, { id: orderId, shops, code });
  if (!wrong) return null;
  await recordAudit(trx, ctx, {
    action: "order.wrongCode",
    subject: { id: orderId, name: wrong.number },
    shopId: wrong.shopId,
    after: { triesLeft: wrong.triesLeft },
  });
  return new AppError("INVALID_INPUT", `This is not the code of order ${wrong.number}. ${triesText(wrong)}`);
}

function triesText({ triesLeft }: { triesLeft: number }): string {
  if (triesLeft === 0) return "It takes no more codes: hand it over with a note why";
  return triesLeft === 1 ? "One try is left" : `${triesLeft} tries are left`;
}
