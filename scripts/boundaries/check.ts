import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCycles } from "./cycles.ts";
import {
  BARREL_NAME,
  CATCH_ALL_NAME,
  MAY_NAME_TYPES,
  READS_ENVIRONMENT,
  SHOWN_TO_OTHER_DOMAINS,
  TERRITORIES,
  TREES,
} from "./rules.ts";
import { type Import, readSource, type SourceFile } from "./sources.ts";

export interface Violation {
  path: string;
  line: number;
  rule: string;
}

/** Holds the source files at `paths` of the tree at `root` against the rules of the house. */
export function checkBoundaries(root: string, paths: string[]): Violation[] {
  const { imports: aliases = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = paths.map((path) => readSource(root, path, aliases));
  return [...files.flatMap(checkFile), ...findCycles(files).map(cycleViolation)];
}

function checkFile(file: SourceFile): Violation[] {
  const { path } = file;
  const violations: Violation[] = [];
  for (const found of file.imports) {
    const rule = territoryRule(path, found) ?? layerRule(path, found) ?? domainRule(path, found);
    if (rule) violations.push({ path, line: found.line, rule });
  }
  for (const line of READS_ENVIRONMENT.test(path) ? [] : file.environmentLines) {
    violations.push({ path, line, rule: "process.env is read in src/server/config.ts only" });
  }
  if (BARREL_NAME.test(path) || file.onlyReexports) {
    violations.push({ path, line: 1, rule: "no barrels: import from the file that has it" });
  }
  if (CATCH_ALL_NAME.test(path)) {
    violations.push({ path, line: 1, rule: "no utils or helpers: name the file after what it does" });
  }
  return violations;
}

function territoryRule(path: string, { target, inRepository, typeOnly }: Import): string | null {
  const territory = TERRITORIES.find(({ files }) => files.test(path));
  const name = `${typeOnly ? "type:" : ""}${inRepository ? "" : "pkg:"}${target}`;
  return territory && !territory.mayImport.test(name) ? `${territory.rule} (here: ${target})` : null;
}

function layerRule(path: string, { target, typeOnly }: Import): string | null {
  if (typeOnly && MAY_NAME_TYPES.some(({ from, of }) => from.test(path) && of.test(target))) return null;
  for (const tree of TREES) {
    const layerOf = (file: string) => tree.findLastIndex(([, paths]) => paths.test(file));
    const [from, to] = [layerOf(path), layerOf(target)];
    if (from >= 0 && to > from && tree[from]?.[0] !== tree[to]?.[0]) {
      return `${tree[from]?.[0]} must not import upward from ${tree[to]?.[0]} (${target})`;
    }
  }
  return null;
}

function domainRule(path: string, { target, typeOnly }: Import): string | null {
  const [from, to] = [domainOf(path), domainOf(target)];
  if (!from || !to || from === to) return null;
  const allowed = typeOnly ? !target.endsWith("queries.ts") : SHOWN_TO_OTHER_DOMAINS.test(target);
  return allowed ? null : `${from} uses only the service of ${to}, never what is behind it (${target})`;
}

function domainOf(path: string): string | undefined {
  return /^src\/server\/(?!(?:http|lib)\/)([^/]+)\//.exec(path)?.[1];
}

function cycleViolation(cycle: string[]): Violation {
  return { path: cycle[0] ?? "", line: 1, rule: `import cycle: ${[...cycle, cycle[0]].join(" -> ")}` };
}
