import { runChecks } from "./checks.ts";
import { printTotals } from "./suite-result.ts";

process.exitCode = printTotals(await runChecks());
