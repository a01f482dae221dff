import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { npmCi } from "../../scripts/run/npm.mjs";
import { chooseNode } from "../../scripts/run/runtime.mjs";

const root = join(import.meta.dirname, "../..");

/** A folder with an npm that installs nothing and reports success; it writes its arguments to `arguments.json`. */
async function withStandIn() {
  const folder = await mkdtemp(join(tmpdir(), "run-npm-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const npm = join(folder, "npm-cli.js");
  writeFileSync(
    npm,
    `const folder = process.argv[process.argv.indexOf("--cache") + 1];
    if (process.argv.includes("--cache")) require("node:fs").mkdirSync(folder);
    require("node:fs").writeFileSync(${JSON.stringify(join(folder, "arguments.json"))}, JSON.stringify(process.argv.slice(2)));`,
  );
  vi.stubEnv("npm_execpath", npm);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const into = join(folder, "into");
  await mkdir(into);
  return { folder, into, said: () => JSON.parse(readFileSync(join(folder, "arguments.json"), "utf8")) };
}

test("npm uses its own cache, and the settings beside the lock file", async () => {
  const { folder, into, said } = await withStandIn();
  writeFileSync(join(folder, ".npmrc"), "legacy-peer-deps=true");
  vi.stubEnv("npm_config_cache", join(folder, "home/.npm"));

  await npmCi(folder, into, { dev: false });
  expect(said().slice(0, 4)).toEqual(["ci", "--prefix", into, "--omit=dev"]);
  // No package runs a program of its own when it is installed.
  expect(said()).toEqual(expect.arrayContaining(["--ignore-scripts", "--include=optional"]));
  expect(readFileSync(join(into, ".npmrc"), "utf8")).toBe("legacy-peer-deps=true");
  expect(said()).not.toContain("--cache");
});

test("where npm's cache cannot be written, as in a read-only home, it gets another one, which is removed afterwards", async () => {
  const { folder, into, said } = await withStandIn();
  writeFileSync(join(folder, "home"), "a file, in which no folder can be made");
  vi.stubEnv("npm_config_cache", join(folder, "home/.npm"));

  await npmCi(folder, into, { dev: false });
  const cache = said()[said().indexOf("--cache") + 1];
  expect(cache.startsWith(into)).toBe(true);
  expect(existsSync(cache)).toBe(false);
});

test("an old Node blames the network where npm has fetched no newer one, which for npm is no failure", async () => {
  const { folder } = await withStandIn();
  vi.spyOn(console, "error").mockReturnValue();
  const versions = Object.getOwnPropertyDescriptor(process, "versions") as PropertyDescriptor;
  Object.defineProperty(process, "versions", { ...versions, value: { ...process.versions, node: "20.1.0" } });
  onTestFinished(() => {
    Object.defineProperty(process, "versions", versions);
  });

  const { ready } = chooseNode({
    root,
    runtime: join(folder, "runtime"),
    workshop: join(folder, "workshop"),
  });
  await expect(ready).rejects.toThrow(/this is 20\.1\.0, and npm could not fetch it\. Check the network/);
});
