import { channel } from "node:diagnostics_channel";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Where a pool tells that a worker gave no answer: it broke, or took too much time or memory. */
export const workerFailures = channel("print-store:worker-failures");

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface Metrics {
  observeRequest(labels: { method: string; route: string; status: number }, ms: number): void;
  observeProcedure(labels: { procedure: string; ok: string }, ms: number): void;
  /** Adds a figure that is asked for whenever the metrics are. */
  addGauge(name: string, help: string, read: () => Promise<number>): void;
  /** All of them in Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
  close(): void;
}

/**
 * The figures of one server for Prometheus. Those of Node itself are counted from the first time on that anybody asks: most
 * stores are never asked.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to its answer's",
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
  const countFailure = (worker: unknown) => failures.inc({ worker: String(worker) });
  workerFailures.subscribe(countFailure);
  let countsNode = false;
  return {
    observeRequest: (labels, ms) => requests.observe(labels, ms / 1000),
    observeProcedure: (labels, ms) => procedures.observe(labels, ms / 1000),
    addGauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    },
    async text() {
      if (!countsNode) collectDefaultMetrics({ register: registry });
      countsNode = true;
      return registry.metrics();
    },
    contentType: registry.contentType,
    close: () => workerFailures.unsubscribe(countFailure),
  };
}
