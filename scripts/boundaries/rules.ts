type Layer = [name: string, paths: RegExp];

/**
 * The arrows of each tree, lowest layer first: a file imports from its own layer or a lower one. A path belongs to the
 * last layer that it matches; one that matches none is free.
 */
export const TREES: Layer[][] = [
  [
    ["shared", /^src\/shared\//],
    ["db", /^db\//],
    ["core", /^src\/server\/((http|lib)\/)?[^/]+\.ts$/],
    ["queries", /^src\/server\/(?!http\/).+queries\.ts$/],
    ["service", /^src\/server\/(?!(http|lib)\/)[^/]+\/(?!.*queries\.ts$)/],
    ["router", /^src\/server\/(trpc|router|.+\.router)\.ts$/],
    ["rest", /^src\/server\/(rest|http\/(openapi|trpc-handler))\.ts$/],
    ["rest", /^src\/server\/(.+\.http\.ts$|pages\/)/],
    ["app", /^src\/server\/app\.ts$/],
    ["main", /^src\/server\/(main|server|store|first-run)\.ts$/],
  ],
  ...["client", "admin"].map((name): Layer[] => [
    ["lib", new RegExp(`^src/${name}/lib/`)],
    ["ui", new RegExp(`^src/${name}/ui/`)],
    ["features", new RegExp(`^src/${name}/features/`)],
    ["routes", new RegExp(`^src/${name}/routes/`)],
    ["entry", new RegExp(`^src/${name}/[^/]+$`)],
  ]),
];

/** What files of a kind may import at all: paths of the repository, packages, or `type:` and a path for types alone. */
interface TreeRule {
  files: RegExp;
  mayImport: RegExp;
  rule: string;
}

export const TREE_RULES: TreeRule[] = [
  {
    files: /^src\/shared\//,
    mayImport: /^(type:)?(src\/shared\/|pkg:zod(\/|$))/,
    rule: "shared code imports zod and itself only",
  },
  {
    files: /^db\/migrations\//,
    mayImport: /^(type:)?pkg:kysely(\/|$)/,
    rule: "a migration is frozen: it imports kysely only",
  },
  {
    files: /^db\//,
    mayImport: /^(type:)?(db\/|src\/shared\/|pkg:)/,
    rule: "the database layer imports itself, shared code and packages only",
  },
  {
    files: /^scripts\//,
    mayImport: /^(type:)?(scripts\/|src\/|db\/|pkg:)/,
    rule: "scripts are what an operator runs, and import no test",
  },
  {
    files: /^src\/server\//,
    mayImport: /^(type:)?(src\/server\/|db\/|src\/shared\/|pkg:)/,
    rule: "the server imports itself, db, shared code and packages only",
  },
  {
    files: /^src\/ui\//,
    mayImport: /^((type:)?(src\/ui\/|src\/shared\/|pkg:)|type:src\/server\/)/,
    rule: "what the front ends share imports itself, shared code and packages, and of the server only `import type`",
  },
  {
    files: /^src\/client\//,
    mayImport: /^((type:)?(src\/client\/|src\/ui\/|src\/shared\/|package\.json$|pkg:)|type:src\/server\/)/,
    rule: "the client imports itself, src/ui, shared code and packages, and of the server only `import type`",
  },
  {
    files: /^src\/admin\//,
    mayImport: /^((type:)?(src\/admin\/|src\/ui\/|src\/shared\/|pkg:)|type:src\/server\/)/,
    rule: "the admin imports itself, src/ui, shared code and packages, and of the server only `import type`",
  },
];

/** Files that may import types of a layer above, and in a circle: a context has the parts that are given it. */
export const TYPE_EXCEPTIONS: { from: RegExp; of: RegExp }[] = [
  {
    from: /^src\/server\/context\.ts$/,
    of: /^src\/server\/(accounts\/(sessions|visits\.service)|files\/(malware-scanner|office-converter|pdf\/(inspector|print-copies\.service)|storage\/file-store)|http\/(disk-space|rate-limit|streams)|orders\/live\/live\.service|printing\/sheets\.service|shops\/shop-cache)\.ts$/,
  },
  { from: /^src\/(client|admin)\/routes\/__root\.tsx$/, of: /^src\/(client|admin)\/router\.tsx$/ },
];

/** The folders of the server, lowest first: a folder may import from those before it. */
export const DOMAINS = [
  "lib",
  "http",
  "audit",
  "mail",
  "accounts",
  "push",
  "shops",
  "staff",
  "files",
  "stats",
  "orders",
  "printing",
  "contact",
  "privacy",
  "pages",
  "health",
];

/** Files that other domains may not import: they call its services. */
export const DOMAIN_PRIVATE = /\.(queries|router|http|worker)\.ts$/;

/** `noun.kind.ts` with one of these kinds, or `noun.ts`; `noun.d.ts` has the types of a package that brings none. */
export const DOMAIN_FILE_NAME = /^[a-z0-9-]+(\.(router|http|service|queries|mails|jobs|worker|d))?\.ts$/;

/** Files that may read process.env: config.ts, main.ts which passes it to config.ts, scripts and tests. */
export const READS_ENVIRONMENT = /^(src\/server\/(config|main)\.ts$|scripts\/|tests\/|[^/]+$)/;

/** The router names files of routes: there, index.tsx is the page of a path. */
export const BARREL_NAME = /^(?!src\/[^/]+\/routes\/).*(^|\/)index\.[cm]?[jt]sx?$/;
export const CATCH_ALL_NAME = /(^|[/.-])(utils?|helpers?)\.[cm]?[jt]sx?$/;
