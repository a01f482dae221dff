import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type File, Instrumenter } from "@stryker-mutator/instrumenter";

/** One small fault in one source file. `id` switches it on; `index` counts the mutants of its file. */
export interface Mutant {
  id: string;
  file: string;
  index: number;
  line: number;
  /** The source line without indentation. */
  code: string;
  change: string;
  mutator: string;
  /** Runs while its module loads, so that only a fresh process shows its effect. */
  isStatic: boolean;
}

export interface Instrumented {
  mutants: Mutant[];
  /** Mutants that the rules below leave out, by reason. */
  ignored: Map<string, number>;
  /** New content of each source file: all its mutants behind switches. */
  contents: Map<string, string>;
}

/** The parts of Babel's NodePath that the rules need. */
interface SyntaxPath {
  node: SyntaxNode;
  parent: SyntaxNode | null;
  parentPath: SyntaxPath | null;
  getFunctionParent(): unknown;
  findParent(matches: (path: SyntaxPath) => boolean): SyntaxPath | null;
  isTemplateLiteral(): boolean;
  isExpressionStatement(): boolean;
  isStringLiteral(): boolean;
}
interface SyntaxNode {
  type: string;
  loc?: Range | null;
  // biome-ignore lint/suspicious/noExplicitAny: each type of node has parts of its own
  [part: string]: any;
}
interface Range {
  start: { line: number; column: number };
  end: { line: number; column: number };
}

const quiet = () => {};
const no = () => false;
const SILENT_LOGGER = {
  ...{ isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no },
  ...{ isWarnEnabled: no, isErrorEnabled: no, isFatalEnabled: no },
  ...{ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet },
};

/** Factors that convert units; their operand is the decision, and is changed instead. */
const UNITS = new Set([24, 60, 1000, 1024, 60_000, 3_600_000, 86_400_000, 1_000_000]);
const LITTLE = 100;

/** Stryker has no mutator for numbers: small ones grow by one, others by a tenth. */
const numberMutator = {
  name: "NumericLiteral",
  *mutate({ node, parent }: SyntaxPath) {
    if (node.type !== "NumericLiteral" || !parent) return;
    if (parent.type === "TSLiteralType" || parent.key === node) return;
    const isFactor = parent.type === "BinaryExpression" && ["*", "/", "**"].includes(parent.operator);
    if (isFactor && UNITS.has(node.value)) return;
    const value = node.value < LITTLE ? node.value + 1 : Math.round(node.value * 1.1);
    yield { type: "NumericLiteral", value };
  },
};

/** Clauses that a query can lose without an error of the database. */
const CLAUSES_TO_LOSE = new Set(["where", "having", "orderBy", "limit", "distinct"]);

/** Stryker does not know SQL: a query loses a condition, its order or its limit. */
const queryClauseMutator = {
  name: "QueryClause",
  *mutate({ node }: SyntaxPath) {
    if (isClauseToLose(node)) yield structuredClone(node.callee.object);
  },
};

const OTHER_BOUND: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** A condition takes in the bound that it left out, or leaves it out. */
const queryBoundMutator = {
  name: "QueryBound",
  *mutate({ node }: SyntaxPath) {
    const at = node.arguments?.findIndex(({ value }: SyntaxNode) => value in OTHER_BOUND) ?? -1;
    if (node.type !== "CallExpression" || at < 0) return;
    const changed = structuredClone(node);
    changed.arguments[at] = { type: "StringLiteral", value: OTHER_BOUND[node.arguments[at].value] };
    yield changed;
  },
};

const mutators = import.meta
  .resolve("@stryker-mutator/instrumenter")
  .replace("index.js", "mutators/mutate.js");
const { allMutators } = (await import(mutators)) as { allMutators: unknown[] };
allMutators.push(numberMutator, queryClauseMutator, queryBoundMutator);

/** Changes whenever mutants may be numbered otherwise, so that older results are not used. */
export const MUTATION_VERSION = createHash("sha256")
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(fileURLToPath(import.meta.resolve("@stryker-mutator/instrumenter/package.json"))))
  .digest("hex");

const TWO_WORDS = /\p{L}{2,}[,.:!?]*\s+\p{L}{2,}/u;
const COMMAND =
  /^\s*(PRAGMA|SELECT|BEGIN|COMMIT|ROLLBACK|CREATE|INSERT|UPDATE|DELETE|SET|LISTEN|NOTIFY|VACUUM|ANALYZE)\b/;
const NOT_PROSE = /[<>={}/;#_]/;
/** Longest piece of code in a report. */
const LONGEST = 90;
const LOGS = /^(log|logger|console)$/;

/** Why no mutant of this syntax can matter to anybody, or undefined. */
function ignoreReason(path: SyntaxPath): string | undefined {
  const { node } = path;
  if (path.parent && isDescribing(path.parent) && path.parent.callee !== node) {
    return "a description in the API's document";
  }
  if (path.isExpressionStatement() && isLogCall(node.expression)) return "a line of the log";
  if (path.isStringLiteral() && isNameInQuery(path)) return "a name in SQL, without which the query fails";
  if (path.isStringLiteral() && isProse(node.value)) return "the wording of a text";
  if (path.isTemplateLiteral() && path.parent?.type !== "TaggedTemplateExpression") {
    const text = node.quasis.map(({ value }: SyntaxNode) => value.raw).join("X");
    if (isProse(text)) return "the wording of a text";
  }
  return undefined;
}

/** Words for people, told from SQL, headers and patterns by their characters. */
function isProse(text: string): boolean {
  return TWO_WORDS.test(text) && !COMMAND.test(text) && !NOT_PROSE.test(text);
}

function isClauseToLose({ type, callee }: SyntaxNode): boolean {
  return type === "CallExpression" && CLAUSES_TO_LOSE.has(callee.property?.name);
}

/** Calls of Kysely that take names of tables and columns only. */
const NAMING = new Set([
  ...["selectFrom", "insertInto", "updateTable", "deleteFrom", "select", "selectAll", "returning", "as"],
  ...["innerJoin", "leftJoin", "onRef", "whereRef", "groupBy", "orderBy", "ref", "refTuple", "columns"],
]);
/** Those that take a column, an operator and a value. */
const COMPARING = new Set(["where", "having", "on", "eb"]);

function isNameInQuery({ node, parent, parentPath }: SyntaxPath): boolean {
  const isListed = parent?.type === "ArrayExpression";
  const call = isListed ? parentPath?.parent : parent;
  if (call?.type !== "CallExpression") return false;
  const name = call.callee.property?.name ?? call.callee.name;
  return NAMING.has(name) || (COMPARING.has(name) && call.arguments.indexOf(node) in [0, 1]);
}

/** `.describe("…")` and `.meta({ … })` of a zod schema. */
function isDescribing(node: SyntaxNode): boolean {
  return node.type === "CallExpression" && ["describe", "meta"].includes(node.callee.property?.name);
}

function isLogCall(node: SyntaxNode): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object } = node.callee;
  return LOGS.test(object.name ?? object.property?.name ?? "");
}

/** Makes all mutants of these files (paths from `root`). */
export async function instrument(root: string, paths: string[]): Promise<Instrumented> {
  const files: File[] = paths.map((name) => ({
    name,
    content: readFileSync(join(root, name), "utf8"),
    mutate: true,
  }));
  const rules = new Rules(paths);
  const options = { plugins: null, excludedMutations: [], ignorers: [rules] };
  // biome-ignore lint/suspicious/noExplicitAny: its type asks for Babel's own NodePath
  const result = await new Instrumenter(SILENT_LOGGER).instrument(files, options as any);

  const found: Instrumented = { mutants: [], ignored: new Map(), contents: new Map() };
  const sources = new Map(files.map(({ name, content }) => [name, content.split("\n")]));
  const counts = new Map<string, number>();
  for (const {
    id,
    fileName: file,
    location,
    replacement = "",
    mutatorName,
    statusReason,
  } of result.mutants) {
    if (statusReason) {
      found.ignored.set(statusReason, (found.ignored.get(statusReason) ?? 0) + 1);
      continue;
    }
    const index = counts.get(file) ?? 0;
    counts.set(file, index + 1);
    const lines = sources.get(file) ?? [];
    const isOfQuery = mutatorName.startsWith("Query");
    const place = (isOfQuery && rules.clauses.get(placeOf(file, location))) || location;
    const original = oneLine(textAt(lines, place));
    found.mutants.push({
      id,
      file,
      index,
      line: place.start.line + 1,
      code: lines[place.start.line]?.trim() ?? "",
      change: isOfQuery
        ? `${original} → ${inShort(mutatorName, original)}`
        : `${original} → ${oneLine(replacement)}`,
      mutator: mutatorName,
      isStatic: rules.loading.has(placeOf(file, location)),
    });
  }
  for (const { name, content } of result.files) found.contents.set(name, content);
  return found;
}

/** What becomes of a clause, whose mutant would repeat all of the query. */
function inShort(mutatorName: string, clause: string): string {
  const bound = /"([<>]=?)"/.exec(clause)?.[1] ?? "";
  return mutatorName === queryBoundMutator.name ? (OTHER_BOUND[bound] ?? "") : "";
}

/** Sees every node before it is mutated, file after file. */
class Rules {
  /** Places that run while their module loads. */
  readonly loading = new Set<string>();
  /** Where the last call of each chain stands without what it is called on, by the place of the chain. */
  readonly clauses = new Map<string, Range>();
  readonly #waiting: string[];
  #file = "";

  constructor(files: string[]) {
    this.#waiting = [...files];
  }

  shouldIgnore(path: SyntaxPath): string | undefined {
    const { type, loc } = path.node;
    if (type === "Program") this.#file = this.#waiting.shift() ?? "";
    else if (loc && runsOnce(path)) this.loading.add(placeOf(this.#file, zeroBased(loc)));
    if (loc && type === "CallExpression" && path.node.callee.property) {
      const { start } = path.node.callee.property.loc;
      this.clauses.set(placeOf(this.#file, zeroBased(loc)), zeroBased({ start, end: loc.end }));
    }
    return ignoreReason(path);
  }
}

/** Whether the result is kept for the life of the process: what a module computes as it loads, or on first use. */
function runsOnce(path: SyntaxPath): boolean {
  if (!path.getFunctionParent()) return true;
  return (
    path.findParent(({ node }) => node.type === "CallExpression" && node.callee.name === "onFirstUse") !==
    null
  );
}

function placeOf(file: string, { start, end }: Range): string {
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** Babel counts lines from 1, Stryker from 0. */
function zeroBased({ start, end }: Range): Range {
  return { start: { ...start, line: start.line - 1 }, end: { ...end, line: end.line - 1 } };
}

function textAt(lines: string[], { start, end }: Range): string {
  if (start.line === end.line) return lines[start.line]?.slice(start.column, end.column) ?? "";
  const inner = lines.slice(start.line + 1, end.line);
  return [lines[start.line]?.slice(start.column), ...inner, lines[end.line]?.slice(0, end.column)].join("\n");
}

function oneLine(code: string): string {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
