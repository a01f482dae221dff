import { afterAll, afterEach, beforeAll, beforeEach, inject } from "vitest";
import type { Coverage } from "./session.ts";

// A setup file of the test run: switches one mutant on before the test file loads, and notes which ones that file ran.

declare module "vitest" {
  interface ProvidedContext {
    /** Id of the mutant that is on; empty if none is. */
    mutant: string;
  }
  interface TaskMeta {
    coverage?: Coverage;
  }
}

interface Switchboard {
  activeMutant?: string;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, never> };
}

const VARIABLE = "__STRYKER_ACTIVE_MUTANT__";
const holder = globalThis as { __stryker__?: Switchboard };
holder.__stryker__ ??= {};
const switchboard = holder.__stryker__;
const mutant = inject("mutant");
const coverage: Coverage = { loading: [], running: [] };
let hasFailed = false;

// Child processes and worker threads that start from now on read the variable.
if (mutant) process.env[VARIABLE] = mutant;
else delete process.env[VARIABLE];
switchboard.activeMutant = mutant || undefined;
takeCovered();

beforeAll(() => {
  coverage.loading = takeCovered();
});

beforeEach(({ skip }) => {
  if (hasFailed) skip("an earlier test has noticed the mutant");
});

afterEach(({ task }) => {
  if (task.result?.state === "fail") hasFailed = true;
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it which fixtures are used, and takes no other form
afterAll(({}, suite) => {
  coverage.running = takeCovered();
  suite.meta.coverage = coverage;
});

/** Mutants whose code ran since the last call. The counters' object stays: instrumented modules hold it. */
function takeCovered(): string[] {
  switchboard.mutantCoverage ??= { static: {}, perTest: {} };
  const ids = Object.keys(switchboard.mutantCoverage.static);
  switchboard.mutantCoverage.static = {};
  return ids;
}
