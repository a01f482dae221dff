import { join } from "node:path";
import { runStep } from "./child.mjs";
import { hashFiles } from "./hash.mjs";
import { ensureFolder } from "./staging.mjs";

/** @typedef {{ root: string, workshop: string }} Folders */
/** @typedef {{ path: string, version: string }} Node */

/** What every build depends on beside its own sources. */
const SHARED = ["src/shared", "scripts/build.ts", "package.json", "package-lock.json", "tsconfig.json"];

/**
 * Makes sure that dist holds the front ends as their sources are now.
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
 * The same for the server in dist/server. It comes after the front ends, whose folder it is in.
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
 * @typedef {object} Build
 * @property {string} what
 * @property {string[]} parts Folders of src that are built.
 * @property {string[]} sources What they are built of, beside what all share.
 * @property {string} folder Where in dist.
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
      // All end before the folder goes, also where one has failed.
      await Promise.allSettled(builds);
      await Promise.all(builds);
      return join(staged, folder);
    },
  });
}
