import { join } from "node:path";
import { runStep } from "./child.mjs";
import { hashFiles } from "./hash.mjs";
import { ensureFolder } from "./staging.mjs";

/** @typedef {{ root: string, workshop: string }} Folders */
/** @typedef {{ path: string, version: string }} Node */

/** What every build depends on beside its own sources. */
const TOOLS = ["scripts/build.ts", "package.json", "package-lock.json", "tsconfig.json"];

/**
 * Makes sure that dist holds the front ends as their sources are now.
 * @param {Folders} folders
 * @param {Node} node
 */
export async function ensureFrontEnds({ root, workshop }, node) {
  await ensureFolder({
    workshop,
    target: join(root, "dist"),
    stamp: hashFiles(root, [...TOOLS, "src/client", "src/admin", "src/shared"]),
    build: async (staged) => {
      console.error("Building the front ends …");
      await build(root, node, staged, ["client", "admin"]);
      return staged;
    },
  });
}

/**
 * The same for the server in dist/server. It comes after the front ends, whose folder it is in.
 * @param {Folders} folders
 * @param {Node} node
 */
export async function ensureServer({ root, workshop }, node) {
  await ensureFolder({
    workshop,
    target: join(root, "dist/server"),
    stamp: hashFiles(root, [...TOOLS, "src/server", "src/shared", "db"]),
    build: async (staged) => {
      console.error("Building the server …");
      await build(root, node, staged, ["server"]);
      return join(staged, "server");
    },
  });
}

/**
 * @param {string} root
 * @param {Node} node
 * @param {string} folder
 * @param {string[]} parts Folders of src.
 */
async function build(root, node, folder, parts) {
  const failure = `What is in src/${parts.join(" and src/")} does not build`;
  await runStep(node.path, ["scripts/build.ts", folder, ...parts], { cwd: root, failure });
}
