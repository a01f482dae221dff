import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { settleHeap } from "#server/lib/scheduling.ts";

/** Is brought bytes as by uploads, beside a heap as a server has one, and says how often all of that was gone through. */
const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 8000;

/** What Node's types leave out of it. */
interface Collection {
  detail: NodeGCPerformanceDetail;
}

let times = 0;
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as unknown as Collection[]) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) times++;
  }
});
settleHeap();
const server = Array.from({ length: 400_000 }, (_, at) => ({ at, name: `n${at}` }));
observer.observe({ entryTypes: ["gc"] });
for (let count = 0; count < CHUNKS; count++) {
  Buffer.allocUnsafeSlow(CHUNK_BYTES);
  if (count % 10 === 0) await pause(0);
}
await pause(10);
console.log(JSON.stringify({ times, isHeld: server.length > 0 }));
