import type { Db } from "#db/database.ts";
import { DAY_MS } from "#shared/durations.ts";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { ORDER_STATES } from "#shared/order-states.ts";

/** A call by the console: a procedure and its input. */
export interface Question {
  name: string;
  procedure: string;
  input: object;
}

/** All calls by the queue's screens, for all shops and for the busiest one. */
export async function boardQueries(db: Db): Promise<Question[]> {
  const shopId = await busiestShop(db);
  const order = await middleOrder(db);
  const cursor = { createdAt: order.created_at, id: order.id };
  const weekBefore = new Date(Date.parse(order.created_at) - 7 * DAY_MS).toISOString();
  const page = (name: string, input: object): Question => ({
    name: `table, ${name}`,
    procedure: "board.page",
    input,
  });
  const search = (name: string, text: string): Question => ({
    name: `search for ${name}`,
    procedure: "board.page",
    input: { search: text, state: "all", sort: "newest" },
  });
  return [
    { name: "board", procedure: "board.read", input: {} },
    { name: "board, one shop", procedure: "board.read", input: { shopId } },
    page("open, oldest first", {}),
    page("open, newest first", { sort: "newest" }),
    page("one shop, open", { shopId }),
    ...(["oldest", "newest"] as const).flatMap((sort) => [
      page(`all, ${sort} first`, { state: "all", sort }),
      page(`all, ${sort} first, from the middle on`, { state: "all", sort, cursor }),
      page(`one shop, all, ${sort} first, from the middle on`, { shopId, state: "all", sort, cursor }),
      page(`a week, ${sort} first`, { state: "all", sort, from: weekBefore, until: order.created_at }),
      ...ORDER_STATES.flatMap((state) => [
        page(`${state}, ${sort} first`, { state, sort }),
        page(`one shop, ${state}, ${sort} first`, { shopId, state, sort }),
      ]),
    ]),
    search("a rare name", "quadri"),
    search("a frequent name", "priya"),
    search("a letter", "p"),
    search("two frequent names", "priya kumar"),
    search("a rare name and a frequent one", await commonNamesake(db, "quadri")),
    search("nobody", "zebra"),
    search("a number", order.number),
    search("the end of a number", order.number.slice(-4)),
    search("a phone", order.phone ?? ""),
    search("the end of a phone", order.phone?.slice(-4) ?? ""),
    { ...search("a frequent name at one shop", "priya"), input: { shopId, search: "priya", state: "all" } },
    { ...search("a frequent name among the open", "priya"), input: { search: "priya" } },
    { name: "an order", procedure: "board.order", input: { orderId: order.id } },
  ];
}

/** Statistics of one shop and of all, up to the day of the newest order. */
export async function statsQueries(db: Db): Promise<Question[]> {
  const shopId = await busiestShop(db);
  const { created_at } = await db
    .selectFrom("orders")
    .select("created_at")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const until = indianDay(created_at);
  return [30, 90, 366].flatMap((days) => {
    const period = { from: addDays(until, 1 - days), until };
    const procedure = "stats.read";
    return [
      { name: `figures of ${days} days, one shop`, procedure, input: { ...period, shopId } },
      { name: `figures of ${days} days, all shops`, procedure, input: period },
      { name: `the best shops of ${days} days`, procedure: "stats.shops", input: period },
    ];
  });
}

/** Calls by admins for the audit log and the mails. */
export async function recordConsoleQueries(db: Db): Promise<Question[]> {
  const shopId = await busiestShop(db);
  const { number, user_email: email } = await middleOrder(db);
  const audit = (name: string, input: object): Question => ({
    name: `audit log, ${name}`,
    procedure: "audit.list",
    input,
  });
  const mails = (name: string, input: object): Question => ({
    name: `mails, ${name}`,
    procedure: "mail.list",
    input,
  });
  return [
    audit("the newest", {}),
    audit("one shop", { shopId }),
    audit("one sort", { action: "order.cancel" }),
    audit("a rare sort", { action: "shop.create" }),
    audit("search for a frequent word", { search: "changed" }),
    audit("search for an order", { search: number }),
    audit("search for nothing there", { search: "zebra" }),
    mails("the newest", {}),
    mails("failed", { state: "failed" }),
    mails("search for an address", { search: email }),
    mails("search for nothing there", { search: "zebra" }),
    { name: "mails, how many wait", procedure: "mail.stats", input: {} },
  ];
}

/** The full name with this surname of which the store has most: a pair of words would have no answer on a small store. */
async function commonNamesake(db: Db, surname: string): Promise<string> {
  const { full_name } = await db
    .selectFrom("users")
    .select("full_name")
    .where("full_name", "like", `% ${surname}`)
    .groupBy("full_name")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return full_name;
}

async function busiestShop(db: Db): Promise<string> {
  const { shop_id } = await db
    .selectFrom("orders")
    .select("shop_id")
    .groupBy("shop_id")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return shop_id;
}

/** The order in the middle by age. */
async function middleOrder(db: Db) {
  const { count } = await db
    .selectFrom("orders")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["orders.id", "number", "orders.created_at", "user_email", "phone"])
    .orderBy("orders.created_at")
    .offset(Math.floor(count / 2))
    .limit(1)
    .executeTakeFirstOrThrow();
}
