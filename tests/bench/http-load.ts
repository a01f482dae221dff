import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { CONNECTIONS } from "./plan.ts";
import type { Burst } from "./results.ts";

const TIMEOUT_SECONDS = 30;
const SETTLE_MS = 2000;

export interface HttpLoad {
  url: string;
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  /** The same for all requests, or a function that makes one for each. */
  body?: string | Buffer | (() => string);
  connections?: number;
  /** Limit for all connections together. */
  ratePerSecond?: number;
}

/**
 * Sends one request after another on each connection. Throws if any of them fails, because the numbers of a run with
 * errors mean nothing.
 */
export async function sendLoad(load: HttpLoad, seconds: number): Promise<Burst> {
  const { url, method = "GET", headers, body, connections = CONNECTIONS, ratePerSecond } = load;
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient: leaveBodiesUnread,
    ...(headers && { headers }),
    ...(ratePerSecond && { overallRate: ratePerSecond }),
    ...(typeof body === "function" ? { requests: [{ setupRequest: withBody(body) }] } : { body }),
  });
  const successes = result["2xx"];
  if (result.errors + result.timeouts + result.non2xx > 0 || seconds > TIMEOUT_SECONDS) {
    throw new Error(
      `${method} ${url}: answers by status ${JSON.stringify(result.statusCodeStats)}; ` +
        `${result.errors} requests failed, ${result.timeouts} of them by waiting too long`,
    );
  }
  // The first responses of a new server may take longer than a short run, of which uploads may still be in progress: one
  // account may have six.
  if (successes === 0) {
    await sleep(SETTLE_MS);
    return sendLoad(load, 2 * seconds);
  }
  return {
    perSecond: successes / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/**
 * Makes autocannon count bytes without decoding them: with compressed pages decoding would take it longer than the
 * server needs to send them.
 */
function leaveBodiesUnread(client: autocannon.Client): void {
  const { pipelinedRequests } = client as autocannon.Client & { pipelinedRequests: { addBody(): void } };
  pipelinedRequests.addBody = () => {};
}

function withBody(make: () => string): autocannon.Request["setupRequest"] {
  return (request) => ({ ...request, body: make() });
}
