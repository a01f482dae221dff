import { type Memory, nameOf, type Verdict } from "./memory.ts";
import type { Mutant } from "./mutants.ts";
import type { Outcome, TestFile, TestSession } from "./session.ts";

/** A test file that is at most so slow is run without a mutant after each kill, to see that the worker is still sound. */
const QUICK_MS = 1500;
/** Kills by slower test files between two such checks. */
const KILLS_BETWEEN_CHECKS = 12;

interface Kill {
  mutant: Mutant;
  test: TestFile;
  outcome: Outcome;
}

/** Finds out which mutants the tests notice. Everything it learns goes into the memory. */
export class Campaign {
  readonly #session: TestSession;
  readonly #memory: Memory;
  readonly #tests: TestFile[];
  readonly #spareMs: number;
  /** Kills by test file and source file: who killed before is asked first. */
  readonly #kills = new Map<string, number>();
  #unchecked: Kill[] = [];

  /**
   * @param options `tests` are the test files that may be asked; `spareMs` is the time for a run besides five times what it
   * takes without a mutant
   */
  constructor(
    session: TestSession,
    memory: Memory,
    { tests, spareMs }: { tests: TestFile[]; spareMs: number },
  ) {
    this.#session = session;
    this.#memory = memory;
    this.#tests = tests;
    this.#spareMs = spareMs;
  }

  /** Runs each test file once without a mutant, in a new process so that loading modules is seen as well. */
  async measure(mutants: Mutant[], say: (text: string) => void): Promise<void> {
    const sources = [...new Set(mutants.map(({ file }) => file))];
    const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
    const open = this.#tests.filter((test) => !this.#memory.knowsCoverage(test, sources));
    for (const [number, test] of open.entries()) {
      say(`test file ${number + 1} of ${open.length} without a mutant: ${test.path}`);
      const outcome = await this.#session.run(test, { fresh: true });
      const { coverage, milliseconds, state, failure } = outcome;
      const ids = new Set([...(coverage?.loading ?? []), ...(coverage?.running ?? [])]);
      const covered = [...ids].map((id) => byId.get(id)).filter((mutant) => mutant !== undefined);
      const broken = state === "passed" ? undefined : (failure ?? state);
      this.#memory.measure(test, { milliseconds, broken }, covered, sources);
      this.#memory.save();
    }
    await this.#session.refresh();
  }

  /** Test files that fail without any mutant, and why; they take no part. */
  get broken(): [string, string][] {
    return this.#tests.flatMap((test): [string, string][] => {
      const reason = this.#memory.measured(test)?.broken;
      return reason === undefined ? [] : [[test.path, reason]];
    });
  }

  /** The usable test files that run the mutant's code. */
  covering({ file, index }: Mutant): TestFile[] {
    return this.#tests.filter((test) => {
      const measured = this.#memory.measured(test);
      return !measured?.broken && measured?.covers[file]?.mutants.includes(index);
    });
  }

  /** A verdict that still holds: its killer is unchanged, or all that cover it have let it pass. */
  isDecided(mutant: Mutant): boolean {
    const { killer, survived } = this.#memory.verdict(mutant);
    if (killer) {
      const test = this.#tests.find((one) => nameOf(one) === killer.test);
      return !test || this.#memory.hashOf(test.path) === killer.hash;
    }
    return this.covering(mutant).every((test) => survived[nameOf(test)] === this.#memory.hashOf(test.path));
  }

  async run(mutants: Mutant[], say: (text: string) => void): Promise<void> {
    // Those that need a process of their own come last, so that the others can share one.
    const open = mutants.filter((mutant) => !this.isDecided(mutant));
    open.sort((one, other) => Number(one.isStatic) - Number(other.isStatic));
    for (const [number, mutant] of open.entries()) {
      if (number % 20 === 0) this.#memory.save();
      say(`mutant ${number + 1} of ${open.length}: ${mutant.file}:${mutant.line}`);
      await this.#decide(mutant);
    }
    await this.#checkWorker();
    this.#memory.save();
  }

  async #decide(mutant: Mutant): Promise<void> {
    const verdict = this.#memory.verdict(mutant);
    delete verdict.killer;
    const tests = this.#inOrder(mutant, verdict);
    if (tests.length === 0) return;
    const kill = mutant.isStatic ? null : await this.#firstKill(mutant, tests);
    if (kill) {
      this.#unchecked.push(kill);
      this.#note(verdict, kill);
      const isQuick = (this.#memory.measured(kill.test)?.milliseconds ?? 0) <= QUICK_MS;
      if (isQuick || this.#unchecked.length >= KILLS_BETWEEN_CHECKS) await this.#checkWorker();
    } else await this.#decideAlone(mutant, tests);
  }

  /** In a process of its own: for static mutants, and before a mutant is said to survive. */
  async #decideAlone(mutant: Mutant, tests: TestFile[]): Promise<void> {
    await this.#checkWorker();
    await this.#session.refresh();
    const verdict = this.#memory.verdict(mutant);
    const kill = await this.#firstKill(mutant, tests);
    if (kill) this.#note(verdict, kill);
    else for (const test of tests) verdict.survived[nameOf(test)] = this.#memory.hashOf(test.path);
    await this.#session.refresh();
  }

  async #firstKill(mutant: Mutant, tests: TestFile[]): Promise<Kill | null> {
    for (const test of tests) {
      const limitMs = this.#spareMs + 5 * (this.#memory.measured(test)?.milliseconds ?? 0);
      const outcome = await this.#session.run(test, { mutant: mutant.id, limitMs });
      if (outcome.state !== "passed") return { mutant, test, outcome };
    }
    return null;
  }

  /**
   * A mutant may leave something behind in the process that makes the next tests fail. If the last killer fails without
   * a mutant too, the kills since the last check do not count, and each is decided in a process of its own.
   */
  async #checkWorker(): Promise<void> {
    const kills = this.#unchecked.splice(0);
    const last = kills.at(-1);
    if (!last || last.outcome.state === "timeout") return;
    if ((await this.#session.run(last.test)).state === "passed") return;
    for (const { mutant } of kills) {
      const verdict = this.#memory.verdict(mutant);
      delete verdict.killer;
      await this.#decideAlone(mutant, this.#inOrder(mutant, verdict));
    }
  }

  /** Those that have not passed yet; unit tests, earlier killers and fast ones first. */
  #inOrder(mutant: Mutant, { survived }: Verdict): TestFile[] {
    const rank = (test: TestFile) => [
      test.project === "unit" ? 0 : 1,
      -(this.#kills.get(`${nameOf(test)} ${mutant.file}`) ?? 0),
      this.#memory.measured(test)?.milliseconds ?? 0,
    ];
    const open = this.covering(mutant).filter(
      (test) => survived[nameOf(test)] !== this.#memory.hashOf(test.path),
    );
    return open.sort((one, other) => compare(rank(one), rank(other)));
  }

  #note(verdict: Verdict, { mutant, test, outcome }: Kill): void {
    const name = nameOf(test);
    const isTimeout = outcome.state === "timeout";
    const failure = outcome.failure ?? "";
    verdict.killer = { test: name, hash: this.#memory.hashOf(test.path), isTimeout, failure };
    const pair = `${name} ${mutant.file}`;
    this.#kills.set(pair, (this.#kills.get(pair) ?? 0) + 1);
  }
}

function compare(one: number[], other: number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
