import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The result of one test suite or one check. */
export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
}

/**
 * Prints a line for each suite and, at the end, `N passed, N failed` in total.
 * @returns the exit code: 0 only when something passed and nothing failed
 */
export function printTotals(results: SuiteResult[]): number {
  console.log();
  for (const { name, passed, failed, seconds } of results) {
    const count = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}`;
    console.log(`${name.padEnd(22)}${seconds.toFixed(1).padStart(6)} s   ${count}`);
  }
  const passed = sum(results.map((result) => result.passed));
  const failed = sum(results.map((result) => result.failed));
  console.log(`\n${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0 ? 0 : 1;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Counts Vitest's results for each project. A test that skips itself because the machine lacks something is listed and
 * not counted; the lint refuses tests that are skipped in the code.
 */
export class TestTally implements Reporter {
  results: SuiteResult[] = [];
  /** The passed tests by file and full name: `tests/unit/money.test.ts › money › is shown …`. */
  readonly passed = new Set<string>();
  /** Names of the skipped tests. */
  skipped: string[] = [];
  readonly #spans = new Map<string, { from: number; to: number }>();

  onTestModuleStart(module: TestModule): void {
    const span = this.#span(module.project.name);
    span.from = Math.min(span.from, performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#span(module.project.name).to = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    this.skipped = skipped.map(nameOf);
    const byProject = Map.groupBy(modules, (module) => module.project.name);
    this.results = [...byProject].map(([name, ofProject]) => this.#resultOf(name, ofProject));
    const strays = unhandledErrors.length;
    if (strays > 0) this.results.push({ name: "stray errors", passed: 0, failed: strays, seconds: 0 });
  }

  #resultOf(name: string, modules: TestModule[]): SuiteResult {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed");
    for (const test of passed) this.passed.add(nameOf(test));
    const failed = tests.filter((test) => isFailure(test)).length + brokenSuites(modules);
    const { from, to } = this.#span(name);
    return { name, passed: passed.length, failed, seconds: Math.max(0, to - from) / 1000 };
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

/** Includes tests that never ended. */
function isFailure(test: TestCase): boolean {
  const { state } = test.result();
  return state === "failed" || state === "pending";
}

/** Failures outside of tests: a file that does not load, a hook that throws. */
function brokenSuites(modules: TestModule[]): number {
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  return suites.filter((suite) => suite.errors().length > 0).length;
}
