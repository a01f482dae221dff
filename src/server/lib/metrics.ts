import { channel } from "node:diagnostics_channel";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Worker pools publish here the name of a worker that returned no result: it crashed, or exceeded its time or memory. */
export const workerFailures = channel("print-store:worker-failures");

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface Metrics {
  observeRequest(labels: { method: string; route: string; status: number }, ms: number): void;
  observeProcedure(labels: { procedure: string; ok: string }, ms: number): void;
  /** Adds a gauge whose value is read at each scrape. */
  addGauge(name: string, help: string, read: () => Promise<number>): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/**
 * Prometheus metrics of one server. Node's default metrics start with the first scrape, because most stores are never
 * scraped.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's headers to the response's headers",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const procedures = new Histogram({
    name: "procedure_duration_seconds",
    help: "Time that procedures took, over either transport",
    labelNames: ["procedure", "ok"],
    buckets: SECONDS,
    registers,
  });
  const failures = new Counter({
    name: "worker_failures_total",
    help: "Jobs for which a worker gave no answer",
    labelNames: ["worker"],
    registers,
  });
  workerFailures.subscribe((worker) => failures.inc({ worker: String(worker) }));
  let collectsNodeMetrics = false;
  return {
    observeRequest: (labels, ms) => requests.observe(labels, ms / 1000),
    observeProcedure: (labels, ms) => procedures.observe(labels, ms / 1000),
    addGauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          // The other metrics matter most while the database does not answer.
          this.set(await read().catch(() => Number.NaN));
        },
      });
    },
    async text() {
      if (!collectsNodeMetrics) collectDefaultMetrics({ register: registry });
      collectsNodeMetrics = true;
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
