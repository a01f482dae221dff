import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "vite";
import {
  BARREL_NAME,
  CATCH_ALL_NAME,
  DOMAIN_FILE_NAME,
  DOMAIN_PRIVATE,
  DOMAINS,
  READS_ENVIRONMENT,
  TREE_RULES,
  TREES,
  TYPE_EXCEPTIONS,
} from "./rules.ts";

interface Violation {
  path: string;
  line: number;
  rule: string;
}

/** Checks the source files at `paths` of the tree at `root` against the rules of rules.ts. */
export function checkBoundaries(root: string, paths: string[]): Violation[] {
  const { imports: aliases = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = paths.map((path) => readSource(root, path, aliases));
  return [...files.flatMap(checkFile), ...findCycles(files).map(cycleViolation)];
}

function checkFile(file: SourceFile): Violation[] {
  const { path } = file;
  const violations: Violation[] = [];
  const report = (line: number, rule: string) => violations.push({ path, line, rule });
  for (const found of file.imports) {
    const rule = territoryRule(path, found) ?? layerRule(path, found) ?? domainRule(path, found);
    if (rule) report(found.line, rule);
    // The compiler finds a missing extension, but takes .js for .ts.
    if (found.inRepository && /\.jsx?$/.test(found.target))
      report(found.line, "a source is imported by its own extension, .ts or .tsx");
  }
  for (const line of READS_ENVIRONMENT.test(path) ? [] : file.environmentLines)
    report(line, "process.env is read in src/server/config.ts only");
  for (const line of file.reexportLines) report(line, "no re-exports: import from the file that has it");
  if (BARREL_NAME.test(path)) report(1, "no barrels: import from the file that has it");
  if (CATCH_ALL_NAME.test(path)) report(1, "no utils or helpers: name the file after what it does");
  const domain = domainOf(path);
  if (domain && !DOMAINS.includes(domain))
    report(1, `${domain} is no folder of the server; scripts/boundaries/rules.ts lists them`);
  if (domain && !DOMAIN_FILE_NAME.test(posix.basename(path)))
    report(1, "a file of a domain is named noun.kind.ts, or by one noun; rules.ts lists the kinds");
  return violations;
}

function territoryRule(path: string, { target, inRepository, typeOnly }: Import): string | null {
  const territory = TREE_RULES.find(({ files }) => files.test(path));
  const name = `${typeOnly ? "type:" : ""}${inRepository ? "" : "pkg:"}${target}`;
  return territory && !territory.mayImport.test(name) ? `${territory.rule} (here: ${target})` : null;
}

function layerRule(path: string, { target, typeOnly }: Import): string | null {
  if (typeOnly && mayTakeTypes(path, target)) return null;
  for (const tree of TREES) {
    const layerOf = (file: string) => tree.findLastIndex(([, paths]) => paths.test(file));
    const [from, to] = [layerOf(path), layerOf(target)];
    if (from >= 0 && to > from && tree[from]?.[0] !== tree[to]?.[0]) {
      return `${tree[from]?.[0]} must not import upward from ${tree[to]?.[0]} (${target})`;
    }
  }
  return null;
}

function mayTakeTypes(path: string, target: string): boolean {
  return TYPE_EXCEPTIONS.some(({ from, of }) => from.test(path) && of.test(target));
}

function domainRule(path: string, { target, typeOnly }: Import): string | null {
  const [from, to] = [domainOf(path), domainOf(target)];
  if (!from || !to || from === to) return null;
  if (DOMAINS.indexOf(to) > DOMAINS.indexOf(from))
    return `${from} stands below ${to} and must not import from it (${target})`;
  if (to === "lib" || to === "http" || (typeOnly && target.endsWith(".queries.ts"))) return null;
  return DOMAIN_PRIVATE.test(target)
    ? `${from} uses the services of ${to}, never what is behind them (${target})`
    : null;
}

function domainOf(path: string): string | undefined {
  return /^src\/server\/([^/]+)\//.exec(path)?.[1];
}

function cycleViolation(cycle: string[]): Violation {
  return { path: cycle[0] ?? "", line: 1, rule: `import cycle: ${[...cycle, cycle[0]].join(" -> ")}` };
}

/** Import cycles among the files, each once, as its paths in order. Imports of types count, but for the exceptions. */
function findCycles(files: SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const done = new Set<string>();
  const cycles: string[][] = [];

  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push(trail.slice(at));
    if (at >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }

  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

function targetsOf({ path, imports }: SourceFile): string[] {
  return imports
    .filter(({ inRepository, target, typeOnly }) => inRepository && !(typeOnly && mayTakeTypes(path, target)))
    .map(({ target }) => target);
}

export interface Import {
  line: number;
  /** Path in the repository, or the specifier of a package. */
  target: string;
  inRepository: boolean;
  /** Written as `import type`, which is erased at compile time. */
  typeOnly: boolean;
}

interface SourceFile {
  path: string;
  imports: Import[];
  /** Lines that read process.env. */
  environmentLines: number[];
  /** Lines with re-exports. */
  reexportLines: number[];
}

/** Reads one source file of the tree at `root`; `aliases` is the `imports` field of its package.json. */
export function readSource(root: string, path: string, aliases: Record<string, string>): SourceFile {
  const code = readFileSync(join(root, path), "utf8");
  const { program } = parseSync(path, code);
  const imports: Import[] = [];
  const environmentLines: number[] = [];
  const reexportLines: number[] = [];
  const lineAt = (offset: number) => code.slice(0, offset).split("\n").length;
  const add = (at: number, specifier: string, typeOnly: boolean) => {
    imports.push({ line: lineAt(at), typeOnly, ...resolveImport(path, specifier, aliases) });
  };

  new Visitor({
    ImportDeclaration: ({ start, source, importKind }) => add(start, source.value, importKind === "type"),
    ExportAllDeclaration({ start, source, exportKind }) {
      reexportLines.push(lineAt(start));
      add(start, source.value, exportKind === "type");
    },
    ExportNamedDeclaration({ start, source, exportKind }) {
      if (!source) return;
      reexportLines.push(lineAt(start));
      add(start, source.value, exportKind === "type");
    },
    ImportExpression({ start, source }) {
      if (source.type === "Literal" && typeof source.value === "string") add(start, source.value, false);
    },
    MemberExpression({ start, object, property }) {
      const isProcess = object.type === "Identifier" && object.name === "process";
      const isEnvironment = property.type === "Identifier" && property.name === "env";
      if (isProcess && isEnvironment) environmentLines.push(lineAt(start));
    },
  }).visit(program);

  return { path, imports, environmentLines, reexportLines };
}

function resolveImport(from: string, specifier: string, aliases: Record<string, string>) {
  const [plain = specifier] = specifier.split("?");
  if (plain.startsWith(".")) {
    return { target: posix.join(posix.dirname(from), plain), inRepository: true };
  }
  for (const [alias, folder] of Object.entries(aliases)) {
    const prefix = alias.replace("*", "");
    if (plain.startsWith(prefix)) {
      return { target: posix.normalize(folder.replace("*", plain.slice(prefix.length))), inRepository: true };
    }
  }
  return { target: plain, inRepository: false };
}
