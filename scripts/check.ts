import { runChecks } from "./checks.ts";
import { printTotals } from "./test-result.ts";

process.exitCode = printTotals(await runChecks());
