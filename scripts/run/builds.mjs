import { join } from "node:path";
import { runChild, runStep } from "./child.mjs";
import { ensureFolder, hashFiles } from "./staging.mjs";

/** @typedef {{ root: string, workshop: string }} Folders */
/** @typedef {{ path: string, version: string }} Node */

/** Inputs of every build, besides its own sources. */
const SHARED = [
  "src/shared",
  "scripts/build.ts",
  "scripts/compress.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/**
 * Builds both front ends into dist if their sources have changed.
 * @param {Folders} folders
 * @param {Node} node
 */
export function ensureFrontEnds(folders, node) {
  return ensureBuilt(folders, node, {
    what: "the front ends",
    parts: ["client", "admin"],
    sources: ["src/client", "src/admin", "src/ui"],
    folder: "",
  });
}

/**
 * Builds the server into dist/server if its sources have changed. Call it after ensureFrontEnds, which replaces dist.
 * @param {Folders} folders
 * @param {Node} node
 */
export function ensureServer(folders, node) {
  return ensureBuilt(folders, node, {
    what: "the server",
    parts: ["server"],
    sources: ["src/server", "db"],
    folder: "server",
  });
}

/**
 * Compresses the front ends in dist, of which most is done already if they have not changed.
 * @param {Folders} folders
 * @param {Node} node
 * @returns {Promise<number>} the exit code
 */
export async function compressFrontEnds({ root }, node) {
  const { code } = await runChild(node.path, ["scripts/compress.ts"], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
  });
  return code;
}

/**
 * @typedef {object} Build
 * @property {string} what
 * @property {string[]} parts Folders of src that are built.
 * @property {string[]} sources Inputs besides the shared ones.
 * @property {string} folder Output folder below dist.
 */

/**
 * @param {Folders} folders
 * @param {Node} node
 * @param {Build} build
 */
async function ensureBuilt({ root, workshop }, node, { what, parts, sources, folder }) {
  await ensureFolder({
    workshop,
    target: join(root, "dist", folder),
    stamp: hashFiles(root, [...SHARED, ...sources]),
    build: async (staged) => {
      console.error(`Building ${what} …`);
      const builds = parts.map((part) => {
        const failure = `What is in src/${part} does not build`;
        return runStep(node.path, ["scripts/build.ts", staged, part], { cwd: root, failure });
      });
      // Wait for all, also after a failure: the folder that they write to is removed next.
      await Promise.allSettled(builds);
      await Promise.all(builds);
      return join(staged, folder);
    },
  });
}
