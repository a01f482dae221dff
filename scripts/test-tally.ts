import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { SuiteResult } from "./suite-result.ts";

/** Counts what Vitest runs, project by project. */
export class TestTally implements Reporter {
  readonly #allowSkips: boolean;
  readonly #spans = new Map<string, { from: number; to: number }>();
  readonly #passed = new Set<string>();
  #results: SuiteResult[] = [];

  /** @param allowSkips Otherwise a test that is skipped or left to do counts as failed. */
  constructor(allowSkips: boolean) {
    this.#allowSkips = allowSkips;
  }

  get results(): SuiteResult[] {
    return this.#results;
  }

  /** What passed, by file and full name: `tests/unit/money.test.ts › money › is shown …`. */
  get passed(): ReadonlySet<string> {
    return this.#passed;
  }

  onTestModuleStart(module: TestModule): void {
    const span = this.#span(module.project.name);
    span.from = Math.min(span.from, performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#span(module.project.name).to = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const byProject = Map.groupBy(modules, (module) => module.project.name);
    this.#results = [...byProject].map(([name, ofProject]) => this.#resultOf(name, ofProject));
    const strays = unhandledErrors.length;
    if (strays > 0) this.#results.push({ name: "stray errors", passed: 0, failed: strays, seconds: 0 });
  }

  #resultOf(name: string, modules: TestModule[]): SuiteResult {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed");
    for (const test of passed) this.#passed.add(nameOf(test));
    const failed = tests.filter((test) => this.#isFailure(test)).length + brokenSuites(modules);
    const { from, to } = this.#span(name);
    return { name, passed: passed.length, failed, seconds: Math.max(0, to - from) / 1000 };
  }

  #isFailure(test: TestCase): boolean {
    const { state } = test.result();
    if (state === "skipped" && !this.#allowSkips) {
      console.error(`Skipped, which counts as failed: ${test.fullName}`);
      return true;
    }
    return state === "failed" || state === "pending";
  }

  #span(project: string) {
    let span = this.#spans.get(project);
    if (!span) {
      span = { from: Number.POSITIVE_INFINITY, to: 0 };
      this.#spans.set(project, span);
    }
    return span;
  }
}

function nameOf({ module, fullName }: TestCase): string {
  return [module.relativeModuleId, ...fullName.split(" > ")].join(" › ");
}

/** Files and suites that failed by themselves: a file that does not load, a hook that throws. */
function brokenSuites(modules: TestModule[]): number {
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  return suites.filter((suite) => suite.errors().length > 0).length;
}
