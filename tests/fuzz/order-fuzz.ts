import fc from "fast-check";
import type { TestStore } from "../setup/test-store.ts";
import { firstUploads, orderCommands } from "./order-commands.ts";
import { checkOrders } from "./order-invariants.ts";
import { type Model, openShop, startModel } from "./order-world.ts";
import type { Tally } from "./tally.ts";

/** Plays sequences of order commands, and compares the store with a model after each. */
export async function fuzzOrders(
  store: TestStore,
  { seed, sequences }: { seed: number; sequences: number },
): Promise<Tally[]> {
  const shop = await openShop(store);
  let played = 0;
  const all: Model[] = [];
  const commands = fc.commands(orderCommands, { maxCommands: 60, size: "max" });
  const property = fc.asyncProperty(commands, async (sequence) => {
    const { model, real } = await startModel(shop);
    for (const command of firstUploads) await command.run(model, real);
    await fc.asyncModelRun(() => ({ model, real }), sequence);
    await checkOrders(model, real);
    played++;
    all.push(model);
  });
  const details = await fc.check(property, { seed, numRuns: sequences });
  const failure = details.failed ? describeFailure(details.counterexample, details.errorInstance) : null;
  const orders = all.flatMap((model) => model.orders);
  const states = Map.groupBy(orders, ({ state }) => state);
  const answers = Object.fromEntries([...states].map(([state, { length }]) => [`orders ${state}`, length]));
  return [{ name: "sequences", requests: played, answers, slowestMs: 0, failure }];
}

function describeFailure(sequence: unknown, error: unknown): string {
  return `${fc.stringify(sequence)}\n${error instanceof Error ? error.stack : String(error)}`;
}
