import assert from "node:assert/strict";
import { canMove } from "#shared/order-states.ts";
import type { Model, ModelOrder, World } from "./order-world.ts";

/** Compares everything stored about the student's orders with what was agreed and done. */
export async function checkOrders(model: Model, world: World): Promise<void> {
  const { readDb } = world.store.deps;
  const rows = await readDb.selectFrom("orders").selectAll().where("user_email", "=", world.email).execute();
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(model.orders.map(({ id }) => id)));
  const keys = rows.flatMap(({ idempotency_key: key }) => key ?? []);
  assert.equal(new Set(keys).size, keys.length, "two orders under one key");
  for (const order of model.orders) {
    const row = rows.find(({ id }) => id === order.id);
    assert.ok(row);
    assert.equal(row.state, order.state);
    await checkPrice(order, row, world);
    await checkStates(order, world);
  }
  await checkFiles(model, world);
}

interface Amounts {
  sheets: number;
  sub_total_paise: number;
  tax_paise: number;
  delivery_fee_paise: number;
  total_paise: number;
}

/** The price is the agreed one, whatever staff changed since, and its parts add up. */
async function checkPrice({ id, quote }: ModelOrder, row: Amounts, { store }: World): Promise<void> {
  const { sheets, sub_total_paise: subTotalPaise, tax_paise: taxPaise } = row;
  const { delivery_fee_paise: deliveryFeePaise, total_paise: totalPaise } = row;
  const lines = await store.deps.readDb
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "=", id)
    .execute();
  assert.deepEqual(
    new Set(
      lines.map((line) => `${line.kind} ${line.name} ${line.unit_paise} ${line.basis} ${line.quantity}`),
    ),
    new Set(
      quote.jobs[0]?.lines.map(
        (line) => `${line.kind} ${line.name} ${line.unitPaise} ${line.basis} ${line.quantity}`,
      ),
    ),
  );
  const exactPaise = lines.reduce((sum, line) => sum + line.unit_paise * line.quantity, 0);
  assert.equal(
    exactPaise,
    lines.reduce((sum, line) => sum + line.amount_paise, 0),
  );
  assert.equal(subTotalPaise, Math.ceil(exactPaise / 100) * 100);
  assert.equal(totalPaise, subTotalPaise + taxPaise + deliveryFeePaise);
  const { jobs: _jobs, roundingPaise: _rounding, ...figures } = quote;
  assert.deepEqual({ sheets, subTotalPaise, taxPaise, deliveryFeePaise, totalPaise }, figures);
}

/** Every state was reached by an allowed move from the one before. */
async function checkStates({ id, fulfilment }: ModelOrder, { store }: World): Promise<void> {
  const log = store.deps.readDb
    .selectFrom("live_events")
    .select("state")
    .where("order_id", "=", id)
    .where("kind", "in", ["placed", "moved"]);
  const states = (await log.orderBy("seq").execute()).map(({ state }) => state);
  const events = store.deps.readDb.selectFrom("order_events").select("state").where("order_id", "=", id);
  assert.deepEqual((await events.execute()).map(({ state }) => state).sort(), states.toSorted());
  assert.equal(states[0], "placed");
  for (const [index, to] of states.slice(1).entries()) {
    const from = states[index] ?? "placed";
    assert.ok(canMove({ fulfilment, state: from }, to), `went from ${from} to ${to}`);
  }
}

/** A file can be read until it is removed or its order leaves the shop or is cancelled, and never again. */
async function checkFiles({ files }: Model, { student }: World): Promise<void> {
  for (const { id, state } of files) {
    const { status } = await student.fetch(`/files/${id}`, { method: "HEAD" });
    assert.equal(status === 200, state !== "removed", `a file that is ${state} answers ${status}`);
  }
}
