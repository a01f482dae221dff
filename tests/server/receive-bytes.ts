import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { setHeapFlags } from "#server/lib/garbage.ts";

/**
 * Receives bytes as in uploads, with a heap as large as a server's, and prints how often the whole heap was collected.
 */
const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 8000;

/** Missing in Node's types. */
interface Collection {
  detail: NodeGCPerformanceDetail;
}

let times = 0;
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as unknown as Collection[]) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) times++;
  }
});
setHeapFlags();
const server = Array.from({ length: 400_000 }, (_, at) => ({ at, name: `n${at}` }));
observer.observe({ entryTypes: ["gc"] });
for (let count = 0; count < CHUNKS; count++) {
  Buffer.allocUnsafeSlow(CHUNK_BYTES);
  if (count % 10 === 0) await pause(0);
}
await pause(10);
console.log(JSON.stringify({ times, isHeld: server.length > 0 }));
