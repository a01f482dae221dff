import { existsSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

type Settings = TestProjectInlineConfiguration["test"];

const SCRATCH = "tests/setup/scratch-in-memory.ts";

/** The tests of one folder of tests/, as a project of their own. */
function suite(name: string, settings: Settings = {}): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`tests/${name}/**/*.test.ts`], ...settings } };
}

/**
 * The tests whose subject is SQL: transactions at the same time, locks, order, search, dates, sums, leases. All others
 * ask the database through the same queries, each of which `plans` runs on PostgreSQL as well. Where only a few tests of a
 * subject are of this kind, they are in a file `<subject>.sql.test.ts`.
 */
const ON_POSTGRES = [
  "accounts.sessions",
  "addresses",
  "audit",
  "board.lists",
  "board.live",
  "board.moves",
  "board.search",
  "book",
  "concurrency.orders",
  "concurrency.people",
  "concurrency.shops",
  "contact.inbox",
  "files.leases",
  "leases",
  "limits",
  "live.reader",
  "load-data",
  "long-searches",
  "mail.leases",
  "mail.outbox",
  "mail.processes",
  "mail.worker",
  "orders.own",
  "payments",
  "plans",
  "prices",
  "promised-time",
  "push.sql",
  "privacy.deletion.sql",
  "seeding.sql",
  "shops.paging",
  "staff.invitations",
  "stats",
  "stock.changes",
  "upload-quota",
  "visits.sql",
].map((name) => {
  const path = `tests/server/${name}.test.ts`;
  if (!existsSync(path)) throw new Error(`vitest.config.ts names ${path}, which does not exist`);
  return path;
});

/** Tests with their stores on PostgreSQL. */
function onPostgres(name: string, settings: Settings = {}): TestProjectInlineConfiguration {
  return suite(name, {
    ...settings,
    name: `${name} on PostgreSQL`,
    globalSetup: [SCRATCH, "tests/setup/test-database.ts"],
    env: { TEST_DATABASE: "postgres" },
  });
}

/** Small files that take long: Vitest begins with the largest file of a project, and would end with one of these alone. */
const TAKES_LONG = /\/(mutation|plans)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    const rank = ({ moduleId }: TestSpecification) => (TAKES_LONG.test(moduleId) ? 0 : 1);
    return [...byProject.values()].flatMap((own) => own.sort((one, other) => rank(one) - rank(other)));
  }
}

export default defineConfig({
  test: {
    allowOnly: false,
    // What failed is printed whole: a test that fails now and then cannot be asked again.
    chaiConfig: { truncateThreshold: 1000 },
    sequence: { sequencer: LongestFirst },
    // To load the store anew for each file would take almost half of the time of most.
    isolate: false,
    setupFiles: ["tests/setup/quiet-console.ts"],
    globalSetup: [SCRATCH],
    // A limit ends what hangs; it is no measure of speed, and a loaded machine stays far below it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // By itself Vitest leaves one core alone, and most of these tests wait for disks and clocks more than they compute.
    maxWorkers: 5,
    expect: { poll: { timeout: 90_000 } },
    projects: [
      suite("unit"),
      suite("server", { exclude: process.env.PDF_CORPUS ? [] : ["**/*.pdf-corpus.test.ts"] }),
      suite("rest"),
      onPostgres("server", { include: ON_POSTGRES }),
      // Several servers at once, which there are on PostgreSQL only.
      onPostgres("cluster"),
      suite("db"),
      suite("e2e", {
        globalSetup: [SCRATCH, "tests/setup/browser.ts"],
        // Browsers compute most of the time: three fill two cores, and nothing else runs beside them.
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
