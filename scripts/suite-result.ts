/** What one suite of tests or one check came to. */
export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
}

/**
 * Prints a line for each suite and, last of all, the line `N passed, N failed` over everything.
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
