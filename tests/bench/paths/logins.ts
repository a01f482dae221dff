import { openDatabase } from "#db/open.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { LOAD_PASSWORD } from "../../load/rows.ts";
import { runToEnd } from "../child.ts";
import { type HttpLoad, sendLoad } from "../http-load.ts";
import { type BenchPlan, CONNECTIONS, withLongBursts } from "../plan.ts";
import { type Bound, type Comparison, compare, median } from "../results.ts";
import type { World } from "../world.ts";

/** A rate at which only the queue of logins can slow the reads down. */
const READS_PER_SECOND = 50;
const READ_P99_MS = 40;

/**
 * Logins by password, as many as the cores can check, and the latency of reads by people who only look at shops
 * meanwhile.
 */
export async function measureLogins(
  plan: BenchPlan,
  { databaseUrl, server }: World,
): Promise<{ comparison: Comparison; reading: Bound }> {
  const bodies = await loginsOfStudents(databaseUrl);
  let next = 0;
  const logins: HttpLoad = {
    url: `${server.url}/api/v1/users/login`,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: () => bodies[next++ % bodies.length] ?? "",
  };
  const reads: HttpLoad = {
    url: `${server.url}/api/v1/prints/shopslocation`,
    connections: 1,
    ratePerSecond: READS_PER_SECOND,
  };
  const passwordHash = await hashPassword(LOAD_PASSWORD);
  const comparison = await compare(withLongBursts(plan), {
    path: `POST login, ${CONNECTIONS} at once`,
    limit: "argon2id alone on the same cores",
    unit: "logins",
    atLeast: 0.9,
    ours: (seconds) => sendLoad(logins, seconds),
    limits: async (seconds) => {
      const args = [String(seconds), passwordHash, LOAD_PASSWORD];
      const { perSecond } = await runToEnd<{ perSecond: number }>("tests/bench/limits/argon2-loop.ts", args);
      return { perSecond, p50: null, p99: null };
    },
  });
  const late: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const [, reading] = await Promise.all([sendLoad(logins, plan.seconds), sendLoad(reads, plan.seconds)]);
    late.push(reading.p99 ?? Number.NaN);
  }
  const what = "p99 of GET shopslocation while logins saturate";
  return {
    comparison,
    reading: { what, unit: "ms", measured: median(late), bound: READ_P99_MS, kind: "at most" },
  };
}

async function loginsOfStudents(databaseUrl: string): Promise<string[]> {
  const { db, close } = await openDatabase(databaseUrl);
  const students = await db.selectFrom("users").select("email").where("role", "=", "customer").execute();
  await close();
  return students.map(({ email }) => JSON.stringify({ email, password: LOAD_PASSWORD }));
}
