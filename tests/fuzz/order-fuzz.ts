import assert from "node:assert/strict";
import fc from "fast-check";
import { BASES, OPTION_KINDS } from "#shared/options.ts";
import {
  awaitsPickup,
  CHOSEN_FULFILMENTS,
  type ChosenFulfilment,
  canMove,
  nextState,
  ORDER_STATES,
  type OrderState,
  STATES_WITHOUT_FILES,
} from "#shared/order-states.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import type { TestStore } from "../setup/test-store.ts";
import {
  checkOrders,
  type Model,
  type ModelOrder,
  openShop,
  outcomeOf,
  quoteFor,
  requestFor,
  startModel,
  type World,
} from "./order-model.ts";
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

type Command = fc.AsyncCommand<Model, World>;

const uploads = fc.integer({ min: 1, max: 6 }).map(upload);
const placings = fc
  .record({
    files: fc.array(fc.nat(20), { minLength: 1, maxLength: 2 }),
    copies: fc.integer({ min: 1, max: 5 }),
    choices: fc.array(fc.nat(10), { minLength: OPTION_KINDS.length, maxLength: OPTION_KINDS.length }),
    fulfilment: fc.constantFrom(...CHOSEN_FULFILMENTS),
    hasKey: fc.boolean(),
    belief: fc.constantFrom("right", "right", "right", "right", "old prices", "a rupee less"),
  })
  .map(place);
const repeats = fc.record({ order: fc.nat(20), isChanged: fc.boolean() }).map(repeat);
const moves = fc
  .record({
    order: fc.nat(20),
    from: fc.constantFrom("as it is", "as it is", ...ORDER_STATES),
    to: fc.constantFrom(...ORDER_STATES),
  })
  .map(move);
const rightMoves = fc.nat(20).map(moveOn);
const handOvers = fc.nat(20).map(handOver);
const repricings = fc
  .record({
    kind: fc.constantFrom(...OPTION_KINDS),
    option: fc.nat(10),
    pricePaise: fc.integer({ min: 0, max: 5000 }),
    basis: fc.constantFrom(...BASES),
    isLate: fc.boolean(),
  })
  .map(reprice);

/**
 * What people do with orders, rightly and wrongly, weighted by repetition. Each command knows from the model how it
 * must end.
 */
const orderCommands: fc.Arbitrary<Command>[] = [
  ...[uploads, uploads, placings, placings, placings, repeats, moves, moves, repricings, repricings],
  ...[
    rightMoves,
    rightMoves,
    rightMoves,
    rightMoves,
    handOvers,
    fc.nat(20).map(cancel),
    fc.nat(20).map(removeFile),
  ],
];

/** Every sequence begins with uploads, so that it can order. */
const firstUploads = [1, 2, 3].map(upload);

interface Steps {
  name: string;
  /** Whether the command is possible. */
  check?: (model: Model) => boolean;
  run(model: Model, world: World): Promise<void>;
}

function command({ name, check = () => true, run }: Steps): Command {
  return { check, run, toString: () => name };
}

/** A command for one of the existing orders; `at` wraps around. */
function orderCommand(
  name: string,
  at: number,
  run: (order: ModelOrder, world: World, model: Model) => Promise<void>,
): Command {
  return command({
    name: `${name} order ${at}`,
    check: ({ orders }) => orders.length > 0,
    run: (model, world) => run(model.orders[at % model.orders.length] as ModelOrder, world, model),
  });
}

function upload(pages: number): Command {
  return command({
    name: `upload ${pages} pages`,
    async run(model, { student }) {
      const { status, body } = await student.upload(await pdfOfPages(pages));
      assert.deepEqual([status, body.pages], [200, pages]);
      model.files.push({ id: body.public_id, url: body.secure_url, pages, state: "free" });
    },
  });
}

interface Placing {
  files: number[];
  copies: number;
  choices: number[];
  fulfilment: ChosenFulfilment;
  hasKey: boolean;
  belief: string;
}

function place({ files: at, hasKey, belief, ...wanted }: Placing): Command {
  return command({
    name: `place ${fc.stringify({ files: at, hasKey, belief, ...wanted })}`,
    check: ({ files }) => files.length > 0,
    async run(model, { student, shopId }) {
      const files = [...new Set(at.map((index) => index % model.files.length))].flatMap(
        (i) => model.files[i] ?? [],
      );
      const wishes = { ...wanted, files, key: hasKey ? `key ${model.keys++}` : undefined };
      const quote = quoteFor(model.lists, wishes);
      const believed = belief === "old prices" ? quoteFor(model.oldLists, wishes) : { ...quote };
      if (belief === "a rupee less") believed.totalPaise -= 100;
      const request = requestFor(shopId, model.lists, wishes, believed);

      const answer = await student.post("/api/v1/prints/printorder", request);
      const areFree = files.every(({ state }) => state === "free");
      const isRight = (["subTotalPaise", "totalPaise"] as const).every((key) => believed[key] === quote[key]);
      assert.equal(outcomeOf(answer), !areFree ? "CONFLICT" : isRight ? "OK" : "PRICE_CHANGED");
      if (answer.status !== 200) return;
      for (const file of files) file.state = "ordered";
      const id = answer.body.data._id;
      model.orders.push({ id, state: "placed", fulfilment: wanted.fulfilment, request, quote, files });
    },
  });
}

function repeat({ order: at, isChanged }: { order: number; isChanged: boolean }): Command {
  return orderCommand(`repeat ${isChanged ? "changed" : "the same"}`, at, async (order, { student }) => {
    const { request } = order;
    const message = isChanged ? { message: "Changed" } : {};
    const again = { ...request, orderData: { ...request.orderData, ...message } };
    const answer = await student.post("/api/v1/prints/printorder", again);
    const isKnown = request.idempotencyKey !== undefined && !isChanged;
    assert.equal(outcomeOf(answer), isKnown ? "OK" : "CONFLICT");
    if (isKnown) assert.equal(answer.body.data._id, order.id);
  });
}

interface Moving {
  order: number;
  from: OrderState | "as it is";
  to: OrderState;
}

function move({ order: at, from: seen, to }: Moving): Command {
  return orderCommand(`from ${seen} to ${to} move`, at, async (order, { staff }) => {
    const from = seen === "as it is" ? order.state : seen;
    const answer = await staff.mutate("board.move", { orderId: order.id, from, to });
    const isThere = CHOSEN_FULFILMENTS.some((fulfilment) => canMove({ fulfilment, state: from }, to));
    const isLegal = canMove(order, to) && !(order.fulfilment === "pickup" && to === "delivered");
    const legal = isLegal ? "OK" : "INVALID_INPUT";
    const isMove = to !== "cancelled" && isThere;
    assert.equal(outcomeOf(answer), !isMove ? "INVALID_INPUT" : from === order.state ? legal : "CONFLICT");
    if (answer.status === 200) arrive(order, to);
  });
}

/** The right next step, so that runs reach late states. */
function moveOn(at: number): Command {
  return orderCommand("move on", at, async (order, { staff }) => {
    const to = nextState(order);
    if (!to || awaitsPickup(order)) return;
    const answer = await staff.mutate("board.move", { orderId: order.id, from: order.state, to });
    assert.equal(outcomeOf(answer), "OK");
    arrive(order, to);
  });
}

function cancel(at: number): Command {
  return orderCommand("cancel", at, async (order, { staff }) => {
    const answer = await staff.mutate("board.cancel", {
      orderId: order.id,
      from: order.state,
      reason: "No toner",
    });
    assert.equal(outcomeOf(answer), canMove(order, "cancelled") ? "OK" : "INVALID_INPUT");
    if (answer.status === 200) arrive(order, "cancelled");
  });
}

function handOver(at: number): Command {
  return orderCommand("hand over", at, async (order, { staff }) => {
    const proof = { by: "note", note: "Showed a card" };
    const answer = await staff.mutate("board.handOver", { orderId: order.id, proof });
    const refusal = order.state === "printed" ? "INVALID_INPUT" : "CONFLICT";
    // One that is still being printed becomes printed by it.
    const isReady = ["printing", "printed"].includes(order.state) && order.fulfilment === "pickup";
    assert.equal(outcomeOf(answer), isReady ? "OK" : refusal);
    if (isReady) arrive(order, "delivered");
  });
}

function arrive(order: ModelOrder, state: OrderState): void {
  order.state = state;
  if (STATES_WITHOUT_FILES.includes(state)) for (const file of order.files) file.state = "removed";
}

function removeFile(at: number): Command {
  return command({
    name: `remove file ${at}`,
    check: ({ files }) => files.length > 0,
    async run({ files, orders }, { student }) {
      const file = files[at % files.length];
      if (!file) return;
      const isOrdered = orders.some((order) => order.files.includes(file));
      const answer = await student.mutate("files.remove", { id: file.id });
      assert.equal(outcomeOf(answer), isOrdered ? "CONFLICT" : "OK");
      if (!isOrdered) file.state = "removed";
    },
  });
}

interface Repricing {
  kind: (typeof OPTION_KINDS)[number];
  option: number;
  pricePaise: number;
  basis: (typeof BASES)[number];
  /** Whether somebody else has saved since the list was read. */
  isLate: boolean;
}

function reprice({ kind, option, pricePaise, basis, isLate }: Repricing): Command {
  return command({
    name: `reprice ${kind} ${option} to ${pricePaise} paise by ${basis}${isLate ? ", too late" : ""}`,
    async run(model, { staff, shopId }) {
      const changed = model.lists[kind].map((entry, index, { length }) =>
        index === option % length ? { ...entry, pricePaise, basis } : entry,
      );
      const lists = { ...model.lists, [kind]: changed };
      const version = isLate ? model.version - 1 : model.version;
      const answer = await staff.mutate("prices.save", { shopId, version, lists });
      const refusal = version < 0 ? "INVALID_INPUT" : "CONFLICT";
      assert.equal(outcomeOf(answer), isLate ? refusal : "OK");
      if (isLate) return;
      Object.assign(model, { oldLists: model.lists, lists, version: model.version + 1 });
    },
  });
}
