import { EventEmitter } from "node:events";
import { join, relative } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  createVitest,
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type TestSpecification,
  type Vitest,
  type WorkerRequest,
} from "vitest/node";

/** Ids of the mutants whose code a test file ran: while its modules loaded, and afterwards. */
export interface Coverage {
  loading: string[];
  running: string[];
}

export interface TestFile {
  /** Path from the root. */
  path: string;
  project: string;
}

export interface Outcome {
  state: "passed" | "failed" | "timeout";
  milliseconds: number;
  coverage?: Coverage;
  /** What failed first. */
  failure?: string;
}

const IN_WORKER = fileURLToPath(new URL("./in-worker.ts", import.meta.url));

/** After so many runs a worker has collected enough memory of old stores. */
const LONGEST_WORKER_LIFE = 150;

/**
 * Runs single test files in workers that stay, with one mutant switched on. Vitest itself starts a worker for each run,
 * which would load all modules again.
 */
export class TestSession {
  readonly #vitest: Vitest;
  readonly #specifications: Map<string, TestSpecification>;
  readonly #workers: KeptWorkers;
  #runs = 0;

  private constructor(
    vitest: Vitest,
    specifications: TestSpecification[],
    root: string,
    workers: KeptWorkers,
  ) {
    this.#vitest = vitest;
    this.#workers = workers;
    this.#specifications = new Map(
      specifications.map((one) => [
        key({ path: relative(root, one.moduleId), project: one.project.name }),
        one,
      ]),
    );
  }

  /** `root` is the sandbox; the process must have it as its working directory. */
  static async open(root: string, project: string[]): Promise<TestSession> {
    const workers = new KeptWorkers();
    const pool = { name: "kept", createPoolWorker: (options: PoolOptions) => workers.worker(options) };
    const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    const vitest = await createVitest(
      "test",
      {
        root,
        config: join(root, "vitest.config.ts"),
        project,
        pool,
        watch: false,
        maxWorkers: 1,
        fileParallelism: false,
        reporters: [{}],
        onConsoleLog: () => false,
      },
      {},
      { stdout: nowhere(), stderr: nowhere() },
    );
    for (const { config } of vitest.projects) {
      config.setupFiles = [IN_WORKER, ...config.setupFiles];
    }
    return new TestSession(vitest, await vitest.globTestSpecifications(), root, workers);
  }

  get files(): TestFile[] {
    return [...this.#specifications.keys()].map((text) => {
      const [project = "", path = ""] = text.split(":");
      return { project, path };
    });
  }

  /** Runs one test file to its first failure; an endless one is killed after `limitMs`. */
  async run(file: TestFile, { mutant = "", limitMs = 120_000, fresh = false } = {}): Promise<Outcome> {
    const specification = this.#specifications.get(key(file));
    if (!specification) throw new Error(`There is no test file ${key(file)}`);
    if (fresh || ++this.#runs % LONGEST_WORKER_LIFE === 0) await this.refresh();
    this.#vitest.provide("mutant", mutant);
    this.#vitest.state.clearErrors();
    const startedAt = performance.now();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      void this.#workers.kill();
    }, limitMs);
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification]);
    clearTimeout(timer);
    const milliseconds = Math.round(performance.now() - startedAt);
    if (timedOut) return { state: "timeout", milliseconds };
    // The result names the modules of earlier runs too.
    const module = testModules.find(
      ({ moduleId, project }) => moduleId === specification.moduleId && project === specification.project,
    );
    const errors = [...unhandledErrors, ...(module?.errors() ?? [])];
    for (const test of module?.children.allTests() ?? []) errors.push(...(test.result().errors ?? []));
    const isOk = module?.ok() === true && errors.length === 0;
    // A worker that died or left an error behind must not run the next mutant.
    if (!isOk && unhandledErrors.length > 0) await this.refresh();
    const failure = isOk ? undefined : firstLine(errors[0]);
    return { state: isOk ? "passed" : "failed", milliseconds, coverage: module?.meta().coverage, failure };
  }

  /** Ends the workers: what a mutant left in their modules is gone. */
  refresh(): Promise<void> {
    return this.#workers.kill();
  }

  async close(): Promise<void> {
    await this.refresh();
    await this.#vitest.close();
  }
}

function key({ project, path }: TestFile): string {
  return `${project}:${path}`;
}

function firstLine(error: unknown): string {
  const message = error && typeof error === "object" && "message" in error ? error.message : error;
  return String(message ?? "no test ran").split("\n")[0] ?? "";
}

/** One process for each project of Vitest. */
class KeptWorkers {
  readonly #processes = new Map<string, ForksPoolWorker>();

  worker(options: PoolOptions): PoolWorker {
    const { name } = options.project;
    const kept = this.#processes.get(name);
    if (kept) return new KeptWorker(kept, true);
    const started = new ForksPoolWorker(options);
    this.#processes.set(name, started);
    return new KeptWorker(started, false);
  }

  async kill(): Promise<void> {
    const all = [...this.#processes.values()];
    this.#processes.clear();
    await Promise.all(all.map((worker) => worker.stop()));
  }
}

/** Takes part in Vitest's protocol for one run, and answers its start and stop while the process itself lives on. */
class KeptWorker implements PoolWorker {
  readonly name = "kept";
  readonly cacheFs = true;
  readonly #process: ForksPoolWorker;
  readonly #answers = new EventEmitter();
  readonly #listeners: [string, (...args: unknown[]) => void][] = [];
  #isStarted: boolean;

  constructor(process: ForksPoolWorker, isStarted: boolean) {
    this.#process = process;
    this.#isStarted = isStarted;
  }

  async start(): Promise<void> {
    if (!this.#isStarted) await this.#process.start();
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#process.off(event, listener);
  }

  send(message: WorkerRequest): void {
    if (message.type === "stop") this.#answer("stopped");
    else if (message.type === "start" && this.#isStarted) this.#answer("started");
    else this.#process.send(message);
  }

  on(event: string, listener: (...args: unknown[]) => void): void {
    this.#process.on(event, listener);
    this.#listeners.push([event, listener]);
    if (event === "message") this.#answers.on(event, listener);
  }

  off(event: string, listener: (...args: unknown[]) => void): void {
    this.#process.off(event, listener);
    this.#answers.off(event, listener);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #answer(type: "started" | "stopped"): void {
    setImmediate(() => this.#answers.emit("message", { type, __vitest_worker_response__: true }));
  }
}
