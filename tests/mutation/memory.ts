import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MUTATION_VERSION, type Mutant } from "./mutants.ts";
import type { TestFile } from "./session.ts";

/** What became of a mutant. Hashes are those of the test files' contents. */
export interface Verdict {
  killer?: { test: string; hash: string; isTimeout: boolean; failure: string };
  /** Test files that passed although the mutant was on. */
  survived: Record<string, string>;
}

/** What is known of a test file without any mutant. */
interface Measured {
  hash: string;
  milliseconds: number;
  /** Why it cannot be used: it fails in the sandbox. */
  broken?: string;
  /** Indexes of the covered mutants, by source file. */
  covers: Record<string, { hash: string; mutants: number[] }>;
}

interface Content {
  version: string;
  tests: Record<string, Measured>;
  sources: Record<string, { hash: string; verdicts: Record<number, Verdict> }>;
}

/**
 * Results of earlier runs, in .mutation/results.json. A mutant is not run again while its source file and the test files
 * that decided are the same; changes of what these import are not seen.
 */
export class Memory {
  readonly #path: string;
  readonly #root: string;
  readonly #content: Content;
  readonly #hashes = new Map<string, string>();

  /** Contents are read in the sandbox, because somebody may go on working in the checkout. */
  constructor(checkout: string, sandbox: string) {
    this.#root = sandbox;
    this.#path = join(checkout, ".mutation/results.json");
    const found: Content | null = existsSync(this.#path)
      ? JSON.parse(readFileSync(this.#path, "utf8"))
      : null;
    const isUsable = found?.version === MUTATION_VERSION;
    this.#content = isUsable ? found : { version: MUTATION_VERSION, tests: {}, sources: {} };
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#content));
    renameSync(`${this.#path}.new`, this.#path);
  }

  hashOf(path: string): string {
    const known = this.#hashes.get(path);
    if (known) return known;
    const hash = createHash("sha256")
      .update(readFileSync(join(this.#root, path)))
      .digest("base64url");
    this.#hashes.set(path, hash);
    return hash;
  }

  /** Whether it is known which mutants of these sources the test file covers. */
  knowsCoverage(test: TestFile, sources: string[]): boolean {
    const measured = this.#content.tests[nameOf(test)];
    if (!measured || measured.hash !== this.hashOf(test.path)) return false;
    // It may have failed because the machine was busy.
    if (measured.broken) return false;
    return sources.every((source) => {
      const cover = measured.covers[source];
      // What it did not touch at all it is not expected to touch after a change there.
      return cover && (cover.mutants.length === 0 || cover.hash === this.hashOf(source));
    });
  }

  measured(test: TestFile): Measured | undefined {
    return this.#content.tests[nameOf(test)];
  }

  /** Notes a run without mutants; `covered` are the ids that it ran. */
  measure(
    test: TestFile,
    result: { milliseconds: number; broken?: string },
    covered: Mutant[],
    sources: string[],
  ): void {
    const earlier = this.measured(test);
    const covers = earlier?.hash === this.hashOf(test.path) ? earlier.covers : {};
    for (const source of sources) covers[source] = { hash: this.hashOf(source), mutants: [] };
    for (const { file, index } of covered) covers[file]?.mutants.push(index);
    this.#content.tests[nameOf(test)] = { hash: this.hashOf(test.path), covers, ...result };
  }

  verdict({ file, index }: Mutant): Verdict {
    const hash = this.hashOf(file);
    let source = this.#content.sources[file];
    if (source?.hash !== hash) {
      source = { hash, verdicts: {} };
      this.#content.sources[file] = source;
    }
    source.verdicts[index] ??= { survived: {} };
    return source.verdicts[index];
  }
}

export function nameOf({ project, path }: TestFile): string {
  return `${project}:${path}`;
}
