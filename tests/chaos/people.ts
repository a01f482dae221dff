import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Fulfilment, nextState, type OrderState } from "#shared/order-states.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { orderFor } from "../factories/orders.ts";
import { pdfStream, writePdf } from "../factories/pdf-writer.ts";
import { plainObjects } from "../factories/pdfs.ts";
import type { Dice } from "../load/dice.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { recordUnexpected, type World } from "./world.ts";

const KB = 1024;
/** Mostly small; a large one is still being uploaded at a kill. */
const UPLOAD_BYTES = [4 * KB, 30 * KB, 200 * KB, 1000 * KB, 4000 * KB] as const;

interface Upload {
  id: string;
  url: string;
  pages: number;
}

/** Places orders repeatedly, and starts over with a new account now and then. */
export async function actAsStudent(world: World, dice: Dice, name: string): Promise<void> {
  let account = 0;
  let email = `${name}-${account}@chaos.example`;
  let visitor = await signUp(world, dice, email);
  do {
    if (world.maySignUp && dice.chance(0.08)) {
      email = `${name}-${++account}@chaos.example`;
      visitor = await signUp(world, dice, email);
    }
    if (!visitor) return;
    await shop(world, dice, { visitor, email });
    await sleep(dice.int(0, 150));
  } while (!world.isOver);
}

interface Student {
  visitor: ApiClient;
  email: string;
}

async function shop(world: World, dice: Dice, student: Student): Promise<void> {
  const uploads: Upload[] = [];
  const wanted = dice.int(1, 3);
  while (uploads.length < wanted) uploads.push(await upload(world, dice, student.visitor));
  if (dice.chance(0.1)) {
    await remove(world, student.visitor, uploads.pop() as Upload);
    if (uploads.length === 0) return;
  }
  const { visitor } = student;
  const shops = await world.insist("the list of shops", () => visitor.get("/api/v1/prints/shopslocation"));
  const shopId = dice.pick(shops.body.data as { _id: string }[])._id;
  const order = await written(world, () =>
    orderFor(visitor, {
      shopId,
      pages: uploads.reduce((sum, { pages }) => sum + pages, 0),
      copies: dice.int(1, 5),
      filesUrl: uploads.map(({ url }) => url),
    }),
  );
  await place(world, dice, student, order, uploads);
}

/** Filling in an order requests the shop; repeated if the response is lost. */
async function written(world: World, fill: () => Promise<PlaceOrderRequest>): Promise<PlaceOrderRequest> {
  for (;;) {
    const order = await fill().catch(() => null);
    if (order) return order;
    world.ledger.lostAnswers++;
    await sleep(100);
  }
}

/** Uploads a unique PDF, again if the response is lost. */
async function upload(world: World, dice: Dice, visitor: ApiClient): Promise<Upload> {
  const pages = dice.int(1, 4);
  const filling = pdfStream(Buffer.alloc(dice.favour(UPLOAD_BYTES), dice.id()));
  const bytes = new Uint8Array(writePdf({ ...plainObjects(pages), [pages + 3]: filling }));
  for (;;) {
    const answer = await world.insist("an upload", () => visitor.upload(bytes));
    if (!recordUnexpected(world, "an upload", answer)) {
      await sleep(100);
      continue;
    }
    const { public_id: id, secure_url: url } = answer.body;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    world.ledger.uploads.set(id, { sha256, removal: "none" });
    return { id, url, pages };
  }
}

async function remove(world: World, visitor: ApiClient, { id }: Upload): Promise<void> {
  const entry = world.ledger.uploads.get(id);
  if (!entry) return;
  entry.removal = "asked";
  const answer = await world.ask("a removal", () => visitor.mutate("files.remove", { id }));
  if (answer && recordUnexpected(world, "a removal", answer)) entry.removal = "answered";
}

/**
 * Places the order with its own key until it is confirmed; sometimes twice at the same time, sometimes once more
 * afterwards.
 */
async function place(
  world: World,
  dice: Dice,
  { visitor, email }: Student,
  order: PlaceOrderRequest,
  uploads: Upload[],
): Promise<void> {
  const { ledger } = world;
  const key = dice.id();
  ledger.keys.add(key);
  const send = () => visitor.post("/api/v1/prints/printorder", order, { "Idempotency-Key": key });
  const attempt = async () => {
    const startedAt = performance.now();
    const answer = await world.ask("an order", send);
    if (answer) ledger.slowestOrderMs = Math.max(ledger.slowestOrderMs, performance.now() - startedAt);
    if (!answer || !recordUnexpected(world, "an order", answer)) return answer !== null;
    const { _id: id, orderNumber: number } = answer.body.data;
    const known = [...ledger.orders].find(([, { key: used }]) => used === key)?.[0];
    if (known && known !== id) ledger.surprises.push(`key ${key}: order ${known} and then ${id}`);
    ledger.orders.set(id, { number, email, key, fileIds: uploads.map((file) => file.id) });
    return true;
  };
  const together = dice.chance(0.3) ? 2 : 1;
  const once = dice.chance(0.3) ? 1 : 0;
  for (let round = 0; ; round++) {
    const answered = await Promise.all(Array.from({ length: together }, attempt));
    ledger.repeats += round > 0 ? together : together - 1;
    if (answered.every(Boolean)) break;
  }
  ledger.repeats += once;
  if (once) await attempt();
}

/** The password of all students. */
export const PASSWORD = "correct horse battery";
/** A mail that was being sent during a kill waits until its lease ends, longer than anybody waits for a code. */
const CODE_WITHIN_MS = 5000;
const LOOK_MS = 50;

/**
 * Registers until confirmed, verifies with the mailed code and logs in; returns the visitor, or null if they gave up.
 */
async function signUp(world: World, dice: Dice, email: string): Promise<ApiClient | null> {
  const visitor = world.visitor();
  const phone = `9${dice.int(0, 999_999_999).toString().padStart(9, "0")}`;
  const person = { fullName: "Asha Verma", email, phone, password: PASSWORD, confirmpassword: PASSWORD };
  const registered = await world.insist("a signup", () => visitor.post("/api/v1/users/register", person));
  recordUnexpected(world, "a signup", registered);
  for (let seen = 0; !world.mayGiveUp; ) {
    const verifyCode = await awaitCode(world, email, seen);
    seen = world.post.codesFor(email).length;
    if (verifyCode) {
      const send = () => visitor.post("/api/v1/users/verify-account", { verifyCode, phone });
      const answer = await world.ask("a code", send);
      // An older code than the account's, such as one delayed by a kill; the right one will follow.
      if (answer && answer.status !== 200) continue;
    }
    if (await logIn(world, visitor, person)) return visitor;
  }
  return null;
}

/** False if the account is not verified; the store has then mailed a new code. */
export async function logIn(
  world: World,
  visitor: ApiClient,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const login = { email, password };
  const { status, body } = await world.insist("a login", () => visitor.post("/api/v1/users/login", login));
  if (status === 200) world.ledger.accounts.add(email);
  else if (body.code !== "ACCOUNT_NOT_VERIFIED")
    world.ledger.surprises.push(`a login: ${status} ${body.message}`);
  return status === 200;
}

/** The newest code after the `seen` first; undefined when none comes for a while. */
async function awaitCode(world: World, email: string, seen: number): Promise<string | undefined> {
  for (let waited = 0; waited < CODE_WITHIN_MS; waited += LOOK_MS) {
    const codes = world.post.codesFor(email);
    if (codes.length > seen) return codes.at(-1);
    await sleep(LOOK_MS);
  }
  return undefined;
}

export const ADMIN = { email: "admin@chaos.example", password: "a long password" };

interface OpenOrder {
  id: string;
  state: OrderState;
  fulfilment: Fulfilment;
}

/**
 * Moves orders to their next states, undoes some prints and cancels a few. Several staff may meet at the same order.
 */
export async function actAsStaff(world: World, dice: Dice): Promise<void> {
  const visitor = world.visitor();
  await logIn(world, visitor, ADMIN);
  while (!world.isOver) {
    const list = { state: "open", sort: dice.chance(0.7) ? "oldest" : "newest" };
    const { body } = await world.insist("the queue", () => visitor.query("board.page", list));
    const orders: OpenOrder[] = body.result?.data.rows ?? [];
    const chosen = Array.from({ length: Math.min(orders.length, 4) }, () => dice.pick(orders));
    for (const order of new Set(chosen)) await moveOn(world, dice, visitor, order);
    await sleep(dice.int(20, 200));
  }
}

/** Tries once: without a response, the queue shows the order's state later. */
async function moveOn(world: World, dice: Dice, visitor: ApiClient, order: OpenOrder): Promise<void> {
  const { id: orderId, state: from } = order;
  const next = nextState(order);
  if (!next) return;
  const isCancelled = from !== "dispatched" && dice.chance(0.08);
  const isStuck = from === "printed" && dice.chance(0.2);
  const to = isCancelled ? "cancelled" : isStuck ? "printing" : next;
  const answer = await world.ask(`a move to ${to}`, () =>
    isCancelled
      ? visitor.mutate("board.cancel", { orderId, from, reason: "The printer is on fire" })
      : visitor.mutate("board.move", { orderId, from, to }),
  );
  if (answer?.status === 200) world.ledger.moves.push({ orderId, state: to });
  else if (answer && answer.status !== 409) {
    world.ledger.surprises.push(
      `a move to ${to}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
    );
  }
}
