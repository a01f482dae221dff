import { join } from "node:path";
import { runStep } from "./child.mjs";
import { hashFiles } from "./hash.mjs";
import { ensureFolder } from "./staging.mjs";

const INPUTS = ["src/client", "src/admin", "src/shared", "scripts/build.ts", "package-lock.json"];

/**
 * Makes sure that dist holds the front ends as their sources are now.
 * @param {{ root: string, workshop: string }} folders
 * @param {{ path: string, version: string }} node
 */
export async function ensureFrontEnds({ root, workshop }, node) {
  await ensureFolder({
    workshop,
    target: join(root, "dist"),
    stamp: hashFiles(root, INPUTS),
    build: async (staged) => {
      console.error("Building the front ends …");
      await runStep(node.path, ["scripts/build.ts", staged], {
        cwd: root,
        failure: "The front ends do not build",
      });
      return staged;
    },
  });
}
