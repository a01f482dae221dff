import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ensureFrontEnds, ensureServer } from "../../scripts/run/builds.mjs";
import { tempFolder } from "../setup/temporary.ts";

const FOR_ALL = ["src/shared/money.ts", "scripts/build.ts", "scripts/compress.ts", "tsconfig.json"];
const MANIFESTS = ["package.json", "package-lock.json"];
const FOR_FRONT_ENDS = ["src/client/index.ts", "src/admin/index.ts", "src/ui/index.ts"];
const FOR_SERVER = ["src/server/main.ts", "db/schema.ts"];

/** A tree with these files, and a program in the place of Node that notes what it is asked to build. */
async function newTree() {
  const root = await tempFolder();
  for (const path of [...FOR_ALL, ...MANIFESTS, ...FOR_FRONT_ENDS, ...FOR_SERVER, "README.md"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  const built = join(root, "built.txt");
  writeFileSync(built, "");
  const path = join(root, "builder.sh");
  writeFileSync(path, `#!/bin/sh\nmkdir -p "$2/$3"\necho "$3" >> "${built}"\n`, { mode: 0o755 });
  return { folders: { root, workshop: join(root, "workshop") }, node: { path, version: "24.0.0" }, built };
}

test("the front ends and the server are built again for each of their sources and for a package that the lock file alone changes, and for nothing else", async () => {
  const { folders, node, built } = await newTree();
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  const partsBuilt = async () => {
    writeFileSync(built, "");
    await ensureFrontEnds(folders, node);
    await ensureServer(folders, node);
    return readFileSync(built, "utf8").split("\n").filter(Boolean).sort();
  };
  const all = ["admin", "client", "server"];
  expect(await partsBuilt()).toEqual(all);
  expect(await partsBuilt()).toEqual([]);
  const changes: [string[], string[]][] = [
    [[...FOR_ALL, ...MANIFESTS], all],
    // The front ends' folder holds the server's, which goes with it.
    [FOR_FRONT_ENDS, all],
    [FOR_SERVER, ["server"]],
    [["README.md"], []],
  ];
  for (const [paths, parts] of changes) {
    for (const path of paths) {
      appendFileSync(join(folders.root, path), "changed");
      expect([path, await partsBuilt()]).toEqual([path, parts]);
    }
  }
});

test("a part that does not build leaves what was built before, and is built the next time", async () => {
  const { folders, node, built } = await newTree();
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  await ensureFrontEnds(folders, node);
  const builder = readFileSync(node.path, "utf8");
  writeFileSync(node.path, `${builder}[ "$3" = client ]\n`);
  appendFileSync(join(folders.root, "src/ui/index.ts"), "changed");
  writeFileSync(join(folders.root, "dist/before"), "");
  await expect(ensureFrontEnds(folders, node)).rejects.toThrow("What is in src/admin does not build");
  expect(existsSync(join(folders.root, "dist/before"))).toBe(true);

  writeFileSync(node.path, builder);
  writeFileSync(built, "");
  await ensureFrontEnds(folders, node);
  expect(readFileSync(built, "utf8").split("\n").filter(Boolean).sort()).toEqual(["admin", "client"]);
});
