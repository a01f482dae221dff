import { join } from "node:path";
import { withLimit } from "../child.ts";
import { sendLoad } from "../http-load.ts";
import type { BenchPlan } from "../plan.ts";
import { type Comparison, compare } from "../results.ts";
import { MODEL_SHOP, type World } from "../world.ts";

interface Read {
  path: string;
  /** The path. */
  at: string;
  headers?: Record<string, string>;
  atLeast: number;
}

const procedure = (name: string, input?: object) =>
  `/api/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ""}`;

const LIST = "/api/v1/prints/shopslocation";
const SHOP = `/api/v1/prints/shopdata?id=${MODEL_SHOP}`;

/** The encodings that browsers accept. */
const FROM_BROWSER = { "Accept-Encoding": "gzip, deflate, br" };

/** Calls and pages that only read, next to a server that only responds. */
export function measureReads(plan: BenchPlan, world: World): Promise<Comparison[]> {
  return withLimit("hello.ts", { log: join(world.folder, "limits.log") }, async (hello) => {
    const comparisons: Comparison[] = [];
    for (const { path, at, headers, atLeast } of reads(world)) {
      const load = { url: world.server.url + at, ...(headers && { headers }) };
      const comparison = await compare(plan, {
        path,
        limit: "bare Hono, hello as JSON",
        unit: "requests",
        atLeast,
        ours: (seconds) => sendLoad(load, seconds),
        limits: (seconds) => sendLoad({ url: hello }, seconds),
      });
      comparisons.push(comparison);
    }
    return comparisons;
  });
}

function reads({ student }: World): Read[] {
  const forStudent = { Cookie: student.cookieHeader };
  return [
    { path: "GET shopslocation, 50 shops", at: LIST, headers: FROM_BROWSER, atLeast: 0.4 },
    { path: "GET shopslocation, not compressed", at: LIST, atLeast: 0.3 },
    { path: "GET shopdata, 24 options", at: SHOP, headers: FROM_BROWSER, atLeast: 0.4 },
    { path: "tRPC shops.list, 50 shops", at: procedure("shops.list"), headers: FROM_BROWSER, atLeast: 0.3 },
    {
      path: "tRPC shops.byId, 24 options",
      at: procedure("shops.byId", { id: MODEL_SHOP }),
      headers: FROM_BROWSER,
      atLeast: 0.3,
    },
    { path: "GET getuser with a session", at: "/api/v1/users/getuser", headers: forStudent, atLeast: 0.2 },
    { path: "home page, rendered, for a guest", at: "/", headers: FROM_BROWSER, atLeast: 0.25 },
    { path: "shops page, rendered, for a guest", at: "/shops", headers: FROM_BROWSER, atLeast: 0.25 },
  ];
}
