import { z } from "zod";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { count, readOptions } from "../../scripts/arguments.ts";
import { fillStore } from "./fill.ts";
import { LOAD_ADMIN, LOAD_PASSWORD, type LoadPlan } from "./rows.ts";

// npm run load-data: fills the empty store of DATA_DIR with shops, students and orders of some months, to see how fast
// the console is with a large store. Everybody in it has the same password: never use it on a store of real people.

const SOME = count(1, 1_000_000);
const { options } = readOptions(
  "Usage: npm run load-data [-- --shops N --students N --orders N --days N --seed N --until TIME]",
  {
    shops: SOME.default(200),
    students: SOME.default(30_000),
    orders: SOME.default(100_000),
    days: SOME.default(180),
    seed: count(0).default(1),
    until: z.coerce.date("must be a time such as 2026-11-21T09:30:00Z").default(() => new Date()),
  },
);

try {
  await loadData(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function loadData(plan: LoadPlan): Promise<void> {
  const startedAt = performance.now();
  const config = readConfig(process.env);
  const database = await openDatabase(config.databaseUrl);
  try {
    await migrate(database.db);
    await fillStore(database.db, plan, (written) => {
      if (written % 10_000 === 0) console.log(`${written} of ${plan.orders} orders`);
    });
  } finally {
    await database.close();
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `${plan.shops} shops, ${plan.students} students and ${plan.orders} orders are in place after ${seconds} s`,
  );
  console.log(`Admin    ${LOAD_ADMIN}; everyone's password is ${LOAD_PASSWORD}`);
}
