import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename } from "node:path";

interface TestSelection {
  /** Paths of test files. */
  files: string[];
  /** Names of Vitest's projects. */
  projects: string[];
}

const SUITES = ["server", "rest", "db", "e2e"];
/** Words of paths that say nothing about a subject: the kinds of files and the folders that hold everything. */
const COMMON =
  /^(src|db|tests|server|client|admin|ui|shared|features|routes|lib|router|rest|http|service|queries|mails|jobs|worker|test|tsx?|css|module|index|schemas)$/;

/**
 * The tests of what has changed since `base`, a commit, without a look at what imports what: through the app every server
 * test imports everything. Chosen are changed tests, all unit tests, and of the other suites the files whose name has a
 * word in common with a changed source (`orders/board/moves.service.ts` chooses `board.moves`, `orders.own` and the like),
 * though not the console's for the storefront alone. PostgreSQL is asked too where queries or the database have changed.
 */
export function testsOfChanges(base: string): TestSelection {
  const changed = [
    ...git("diff", "--name-only", "--diff-filter=d", base),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  const all = globSync(`tests/{${SUITES.join()}}/*.test.ts`);
  return selectTests(changed, all);
}

/** The rule of `testsOfChanges`, for lists of changed files and of test files outside tests/unit. */
export function selectTests(changed: readonly string[], all: readonly string[]): TestSelection {
  const sources = changed.filter((path) => /^(src|db)\//.test(path));
  const ofFrontEnd = sources.filter((path) => /^src\/(client|admin|ui)\//.test(path));
  const ofConsole = ofFrontEnd.filter((path) => !path.startsWith("src/client/"));
  const ofServer = sources.filter((path) => !ofFrontEnd.includes(path));
  const concerning = (test: string) => {
    if (!test.startsWith("tests/e2e/")) return ofServer;
    return basename(test).startsWith("admin-") ? ofConsole : ofFrontEnd;
  };
  const named = (test: string, paths: readonly string[]) => {
    const words = wordsOf(basename(test));
    return paths.some((path) => wordsOf(path).some((word) => words.includes(word)));
  };
  const chosen = all.filter((test) => changed.includes(test) || named(test, concerning(test)));
  const asksSql = ofServer.some((path) => path.startsWith("db/") || path.endsWith(".queries.ts"));
  return {
    files: ["tests/unit/", ...chosen],
    projects: ["unit", ...SUITES, ...(asksSql ? ["server on PostgreSQL"] : [])],
  };
}

function wordsOf(path: string): string[] {
  return path.split(/[/.-]/).filter((word) => word && !COMMON.test(word));
}

function git(...args: string[]): string[] {
  return execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}
